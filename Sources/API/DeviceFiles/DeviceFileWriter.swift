import Campaigns
import JSON
import Notifications
import Postgres
import Store

/// Writes devices as a file that can be imported.
struct DeviceFileWriter: Sendable {
    let format: DeviceFileFormat
    private let columns: [DeviceColumn]
    /// Whether CSV fields are safe to open in a spreadsheet, see `SpreadsheetText`.
    private let isSafe: Bool

    /// Importing a file without tokens changes existing devices and adds none.
    init(_ format: DeviceFileFormat, withTokens: Bool, isExact: Bool = false) {
        self.format = format
        isSafe = !isExact
        columns = DeviceColumn.all.filter { withTokens || $0 != .text("token") }
    }

    /// The first line of the file.
    var header: [UInt8] {
        guard format == .csv else { return [] }
        return Array((columns.map(\.name).joined(separator: ",") + "\r\n").utf8)
    }

    func write(_ entries: [DevicePage.Entry]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512 * entries.count)
        for entry in entries {
            switch format {
            case .csv: writeRecord(entry, into: &bytes)
            case .ndjson: bytes = writeObject(entry, behind: bytes)
            }
        }
        return bytes
    }

    private func writeRecord(_ entry: DevicePage.Entry, into bytes: inout [UInt8]) {
        for (index, column) in columns.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            switch entry.value(of: column) {
            case .absent: break
            case .text(let text):
                let isMarked = SpreadsheetText.isFormula(text.utf8) && (isSafe || text.hasPrefix("'"))
                bytes.appendField((isMarked ? "'" + text : text).utf8)
            case .json(let json): bytes.appendField(json)
            case .flag(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
            }
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }

    private func writeObject(_ entry: DevicePage.Entry, behind bytes: consuming [UInt8]) -> [UInt8] {
        var object = JSONObjectWriter(behind: bytes)
        for column in columns {
            switch entry.value(of: column) {
            case .absent: break
            case .text(let text): object.text(column.name, text)
            case .json(let json): object.raw(column.name, json)
            case .flag(let flag): object.flag(column.name, flag)
            }
        }
        var bytes = object.finish()
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

/// The value of a column.
private enum DeviceFileValue {
    case absent
    case text(String)
    case json([UInt8])
    case flag(Bool)

    init(_ text: String?) {
        self = text.map { .text($0) } ?? .absent
    }

    init(_ texts: [String]) {
        self = .json(JSON.texts(texts).encoded())
    }

    init(_ person: Profile?) {
        guard let person else {
            self = .absent
            return
        }
        var object = JSONObjectWriter()
        object.raw("attributes", person.attributes.bytes)
        object.raw("tags", JSON.texts(person.tags).encoded())
        object.raw("opt_outs", JSON.texts(person.optOuts).encoded())
        self = .json(object.finish())
    }
}

extension DevicePage.Entry {
    fileprivate func value(of column: DeviceColumn) -> DeviceFileValue {
        switch column.name {
        case "installation": .text(device.address.installation)
        case "kind": .text(device.address.kind.name)
        case "activity": DeviceFileValue(device.address.activity.isEmpty ? nil : device.address.activity)
        case "token": DeviceFileValue(token?.hex)
        case "environment": .text(device.environment.name)
        case "authorization_status": .text(device.authorization.name)
        case "user_id": DeviceFileValue(device.userID)
        case "locale": DeviceFileValue(device.locale)
        case "time_zone": DeviceFileValue(device.timeZone)
        case "os_version": DeviceFileValue(device.osVersion)
        case "app_version": DeviceFileValue(device.appVersion)
        case "model": DeviceFileValue(device.model)
        case "settings": .json(device.settings.bytes)
        case "tags": DeviceFileValue(device.tags)
        case "opt_outs": DeviceFileValue(device.optOuts)
        case "attributes": .json(device.attributes.bytes)
        case "person": DeviceFileValue(device.person)
        case "is_test": .flag(device.isTest)
        case "nickname": DeviceFileValue(device.nickname)
        case "id": .text(device.id.description)
        case "created_at": .text(device.createdAt.rfc3339)
        case "last_seen_at": DeviceFileValue(device.lastSeenAt?.rfc3339)
        default: preconditionFailure("the column \(column.name) has no value")
        }
    }
}

extension [UInt8] {
    /// Appends a CSV field, with quotes if it needs them (RFC 4180 §2).
    fileprivate mutating func appendField(_ field: some Collection<UInt8>) {
        let needsQuotes = field.contains {
            $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D
        }
        guard needsQuotes else { return append(contentsOf: field) }
        append(UInt8(ascii: "\""))
        for byte in field {
            if byte == UInt8(ascii: "\"") { append(byte) }
            append(byte)
        }
        append(UInt8(ascii: "\""))
    }
}
