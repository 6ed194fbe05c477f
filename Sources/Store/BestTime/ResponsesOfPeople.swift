import Experiments
import Postgres

/// The responses of a range of devices as one value, with those only that have opened pushes.
///
/// For each device: its distance from the first id of the range (4 bytes), the number of hours that are not 0 (1 byte),
/// and these: the hour, plus 24 for openings (1 byte), and the number as a half-precision float (2 bytes). Little-endian.
struct ResponsesOfPeople: Equatable {
    /// What remains of an opening after a year and more counts for nothing.
    private static let least: Float = 0.01

    let firstID: Int64
    var byDevice: [Int64: PersonalResponse] = [:]

    init(firstID: Int64) {
        self.firstID = firstID
    }

    /// Throws when they are damaged.
    init(bytes: [UInt8], firstID: Int64) throws {
        self.firstID = firstID
        var reader = LittleEndianReader(bytes)
        while !reader.isAtEnd {
            let device = firstID + Int64(try reader.next(UInt32.self))
            var person = PersonalResponse()
            for _ in 0..<Int(try reader.next(UInt8.self)) {
                let place = Int(try reader.next(UInt8.self))
                let number = Float(Float16(bitPattern: try reader.next(UInt16.self)))
                guard place < 2 * HourlyResponse.hours else { throw DamagedResponses() }
                if place < HourlyResponse.hours {
                    person.sent[place] = number
                } else {
                    person.opened[place - HourlyResponse.hours] = number
                }
            }
            byDevice[device] = person
        }
    }

    /// Without those who have opened nothing for long.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for (device, person) in byDevice.sorted(by: { $0.key < $1.key }) where person.opened.sum() >= Self.least {
            append(UInt32(clamping: device - firstID), to: &bytes)
            let places =
                (0..<HourlyResponse.hours).map { (UInt8($0), person.sent[$0]) }
                + (0..<HourlyResponse.hours).map { (UInt8($0 + HourlyResponse.hours), person.opened[$0]) }
            let kept = places.filter { $0.1 >= Self.least }
            bytes.append(UInt8(kept.count))
            for (place, number) in kept {
                bytes.append(place)
                append(Float16(min(number, Float(Float16.greatestFiniteMagnitude))).bitPattern, to: &bytes)
            }
        }
        return bytes
    }
}

struct DamagedResponses: Error, CustomStringConvertible {
    let description = "a row of response_hours is damaged; delete it, and it is counted again from the last 90 days"
}

extension HourlyResponse {
    /// The numbers of pushes by hour, and for each hour the openings by hour: 600 floats, little-endian. Empty: none yet.
    init(bytes: [UInt8]) throws {
        guard !bytes.isEmpty else {
            self.init()
            return
        }
        var reader = LittleEndianReader(bytes)
        func row() throws -> SIMD32<Float> {
            var row = SIMD32<Float>()
            for hour in 0..<Self.hours { row[hour] = Float(bitPattern: try reader.next(UInt32.self)) }
            return row
        }
        let sent = try row()
        self.init(sent: sent, opened: try (0..<Self.hours).map { _ in try row() })
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for row in [sent] + Array(opened) {
            for hour in 0..<Self.hours { append(row[hour].bitPattern, to: &bytes) }
        }
        return bytes
    }
}

private func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
}

private struct LittleEndianReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { place == bytes.count }

    mutating func next<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let end = place + MemoryLayout<Number>.size
        guard end <= bytes.count else { throw DamagedResponses() }
        defer { place = end }
        return bytes[place..<end].withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }
}
