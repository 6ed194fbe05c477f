import Belfry
import Foundation
import JSON
import Notifications

/// The rows of a benchmark. They are printed as a table as they are added, and can be written as JSON.
struct BenchReport {
    struct Row {
        let name: String
        let value: Double
        let unit: String
        var peer: String?
        var peerValue: Double?
        var ratio: Double?
    }

    private(set) var rows: [Row] = []

    func begin() {
        print("")
        print("  \("row".padded(to: 42))\("value".leftPadded(to: 12))  \("unit".padded(to: 8))  compared with")
    }

    /// - Parameter ratio: That of the two values, unless pairs of measurements tell it better.
    mutating func add(
        _ name: String, _ value: Double, _ unit: String, peer: String? = nil, peerValue: Double? = nil,
        ratio: Double? = nil
    ) {
        let row = Row(
            name: name, value: value, unit: unit, peer: peer, peerValue: peerValue,
            ratio: ratio ?? peerValue.map { value / $0 })
        rows.append(row)
        var line = "  \(name.padded(to: 42))\(Self.text(value).leftPadded(to: 12))  \(unit.padded(to: 8))"
        if let peer, let peerValue, let ratio = row.ratio {
            line += "  \(peer) \(Self.text(peerValue)), ratio \(String(format: "%.2f", ratio))"
        }
        print(line)
        fflush(nil)
    }

    /// Prints a remark below the rows.
    func note(_ text: String) {
        print("    \(text)")
        fflush(nil)
    }

    func write(to path: String) throws {
        let objects = rows.map { row -> JSON in
            var members = [
                JSON.Member("name", .string(row.name)), JSON.Member("value", Self.number(row.value)),
                JSON.Member("unit", .string(row.unit)),
            ]
            if let peer = row.peer, let peerValue = row.peerValue, let ratio = row.ratio {
                members += [
                    JSON.Member("peer", .string(peer)), JSON.Member("peer_value", Self.number(peerValue)),
                    JSON.Member("ratio", Self.number(ratio)),
                ]
            }
            return .object(members)
        }
        let document = JSON.object([JSON.Member("rows", .array(objects))])
        try TextFile.write(String(decoding: document.encoded(), as: UTF8.self) + "\n", to: path)
    }

    private static func number(_ value: Double) -> JSON {
        JSON.Number((value * 1_000).rounded() / 1_000).map(JSON.number) ?? .null
    }

    private static func text(_ value: Double) -> String {
        guard value < 1_000 else {
            return Int(value.rounded()).formatted(.number.locale(Locale(identifier: "en_US")))
        }
        return String(format: value < 10 ? "%.2f" : "%.1f", value)
    }
}
