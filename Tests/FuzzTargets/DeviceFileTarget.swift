import Campaigns
import JSON
import Notifications
import Postgres

@testable import API
@testable import Store

/// The lines of a file must not depend on how its bytes are split, and devices that were read from a file must be the
/// same after they are written to a file and read again.
enum DeviceFileTarget {

    static func check(_ input: [UInt8]) throws {
        for format in FileFormat.allCases {
            let whole = read(format, [input[...]])
            for pieces in Splits.all(input) {
                let split = read(format, pieces)
                try Disagreement.unless(split == whole, "split: \(split)\nwhole: \(whole)")
            }
            let devices = whole.bodies.compactMap(record)
            if !devices.isEmpty { try checkWritten(devices) }
        }
    }

    private struct Line: Equatable {
        let number: Int
        let body: RegistrationBody?
        let problems: [Problem]

        init(_ line: DeviceLine) {
            number = line.number
            switch line.content {
            case .device(let body): (self.body, problems) = (body, [])
            case .refused(let refusal): (body, problems) = (nil, refusal.problems)
            case .leftOut: (body, problems) = (nil, [])
            }
        }
    }

    private struct File: Equatable {
        var lines: [Line] = []
        var error: String?

        var bodies: [RegistrationBody] { lines.compactMap(\.body) }
    }

    private static func read(_ format: FileFormat, _ pieces: [ArraySlice<UInt8>]) -> File {
        var reader = DeviceFileReader(format)
        var file = File()
        do {
            for piece in pieces { file.lines += try reader.feed(Array(piece)).map(Line.init) }
            file.lines += try reader.finish().map(Line.init)
        } catch {
            file.error = error.code
        }
        return file
    }

    private static func checkWritten(_ devices: [DevicePage.Entry]) throws {
        let plain = DeviceFileWriter(.ndjson, withTokens: true)
        let expected = plain.table.write(devices.map(plain.row))
        for isExact in [false, true] {
            for format in FileFormat.allCases {
                let writer = DeviceFileWriter(format, withTokens: true, isExact: isExact)
                let file = writer.table.header + writer.table.write(devices.map(writer.row))
                let again = read(format, [file[...]])
                let written = plain.table.write(again.bodies.compactMap(record).map(plain.row))
                try Disagreement.unless(
                    written == expected,
                    "devices: \(expected.text)\nfile: \(file.text)\nread again: \(written.text)\n\(again)")
            }
        }
    }

    /// The device that a line describes; nil if the line has no installation.
    private static func record(_ body: RegistrationBody) -> DevicePage.Entry? {
        guard let installation = body.installation else { return nil }
        let changes = body.changes
        let start = Timestamp(microseconds: 0)
        let device = DeviceRecord(
            id: Device.ID(rawValue: 1), address: body.address(of: installation), createdAt: start, updatedAt: start,
            tokenRegisteredAt: start, lastSeenAt: nil, retiredAt: nil, retiredReason: nil, tokenEnding: nil,
            environment: changes.environment ?? .production, authorization: changes.authorization ?? .standard,
            userID: changes.userID.value, locale: changes.locale.value, timeZone: changes.timeZone.value,
            osVersion: changes.osVersion.value, appVersion: changes.appVersion.value, model: changes.model.value,
            attributes: attributes(changes.profile),
            settings: JSONText(changes.settings ?? Array("{}".utf8)),
            tags: changes.profile.tags.given, optOuts: changes.profile.optOuts.given,
            isTest: changes.isTest ?? false, nickname: changes.nickname.value,
            person: body.person.map {
                Profile(attributes: attributes($0), tags: $0.tags.given, optOuts: $0.optOuts.given)
            })
        return DevicePage.Entry(device: device, token: changes.token)
    }

    private static func attributes(_ profile: ProfileChanges) -> JSONText {
        JSONText(profile.attributes.given?.text ?? Array("{}".utf8))
    }
}
