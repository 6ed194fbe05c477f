import JSON
import Notifications

/// Converts a CSV record to the equivalent JSON object, so that `RegistrationBody` is the only place with the rules.
/// Empty fields are omitted.
struct DeviceRecordReader {
    let columns: [DeviceColumn]

    /// Whether the file has columns of single attributes.
    var hasSingleAttributes: Bool { columns.contains { if case .attribute = $0 { true } else { false } } }

    /// The object, or the problems of single fields.
    func object(_ record: CSVParser.Record) -> Result<[UInt8], Problems> {
        guard record.fields.count == columns.count else {
            let counts = "has \(record.fields.count) fields, but the header has \(columns.count)"
            return .failure(Problems([Problem(path: "", code: "wrong-field-count", message: counts)]))
        }
        var problems: [Problem] = []
        var object = JSONObjectWriter()
        var attributes = JSONObjectWriter()
        var personAttributes = JSONObjectWriter()
        for (column, field) in zip(columns, record.fields) where !field.isEmpty {
            switch column {
            case .text(let name): object.text(name, SpreadsheetText.text(of: field))
            case .flag(let name):
                // `RegistrationBody` reports a field that is neither true nor false.
                if let word = Self.boolean(field) { object.raw(name, word) } else { object.text(name, field) }
            case .list(let name) where field.first != UInt8(ascii: "["): object.texts(name, Self.elements(field))
            case .list(let name), .json(let name):
                if Self.isJSON(field) {
                    object.raw(name, field)
                } else {
                    problems.append(Self.typeProblem(.json, name))
                }
            case .attribute(let name, let type):
                if !attributes.add(name, field, type) { problems.append(Self.typeProblem(type, column.name)) }
            case .personAttribute(let name, let type):
                if !personAttributes.add(name, field, type) { problems.append(Self.typeProblem(type, column.name)) }
            case .time(let name): object.text(name, field)
            case .ignored: break
            }
        }
        if !attributes.isEmpty { object.raw("attributes", attributes.finish()) }
        if !personAttributes.isEmpty {
            var person = JSONObjectWriter()
            person.raw("attributes", personAttributes.finish())
            object.raw("person", person.finish())
        }
        return problems.isEmpty ? .success(object.finish()) : .failure(Problems(problems))
    }

    /// The field as JSON; nil if it doesn't have the type.
    fileprivate static func value(_ field: ArraySlice<UInt8>, _ type: DeviceColumn.AttributeType) -> ArraySlice<UInt8>?
    {
        switch type {
        case .boolean: boolean(field)
        case .number: field.first.map(isNumberStart) == true && isJSON(field) ? field : nil
        case .json, .text: isJSON(field) ? field : nil
        }
    }

    private static func isNumberStart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    /// Spreadsheets write TRUE and FALSE.
    private static func boolean(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let word = field.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        return word == Array("true".utf8) || word == Array("false".utf8) ? word[...] : nil
    }

    /// Whether the field is exactly one JSON value, so that it can be inserted into an object.
    private static func isJSON(_ field: ArraySlice<UInt8>) -> Bool {
        do throws(ByteReader.Malformed) {
            _ = try ByteReader.read(Array(field)) { reader throws(ByteReader.Malformed) in try reader.skip() }
            return true
        } catch {
            return false
        }
    }

    private static func typeProblem(_ type: DeviceColumn.AttributeType, _ name: String) -> Problem {
        switch type {
        case .number: Problem(path: name, code: "wrong-type", message: "must be a number, like 12.5")
        case .boolean: Problem(path: name, code: "wrong-type", message: "must be true or false")
        case .json, .text: Problem(path: name, code: "not-json", message: "must be JSON")
        }
    }

    /// The texts between semicolons, without surrounding spaces.
    private static func elements(_ field: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        field.split(separator: UInt8(ascii: ";")).map { word in
            let start = word.drop { $0 == 0x20 }
            let end = start.lastIndex { $0 != 0x20 }.map { start.index(after: $0) } ?? start.startIndex
            return start[..<end]
        }.filter { !$0.isEmpty }
    }
}

extension JSONObjectWriter {
    /// Adds an attribute. False if the field doesn't have the type.
    fileprivate mutating func add(
        _ name: String, _ field: ArraySlice<UInt8>, _ type: DeviceColumn.AttributeType
    ) -> Bool {
        if type == .text {
            text(name, field)
            return true
        }
        guard let value = DeviceRecordReader.value(field, type) else { return false }
        raw(name, value)
        return true
    }

    fileprivate mutating func text(_ name: String, _ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { text(name, $0) }
    }
}
