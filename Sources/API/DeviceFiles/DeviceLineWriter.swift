import JSON
import Notifications

/// Writes the values of one line as the JSON object of a registration, so that `RegistrationBody` is the only place with
/// the rules. Values are the texts of a file.
struct DeviceLineWriter {
    enum Line {
        /// `changes` were made to its values.
        case object([UInt8], changes: [Problem])
        case refused(Problems)
        /// The device is of another platform, or has no token in a file of a vendor.
        case leftOut
    }

    /// Texts with their spaces: those of a nickname stay, and `RegistrationBody` removes those of a user with a change.
    private static let freeTexts: Set<String> = ["user_id", "nickname"]

    /// A person can't change what a vendor wrote.
    let isOfVendor: Bool
    /// Whether a spreadsheet may have written the texts.
    let isCSV: Bool
    var problems: [Problem] = []
    private var changes: [Problem] = []
    private var object = JSONObjectWriter()
    private var attributes = JSONObjectWriter()
    private var personAttributes = JSONObjectWriter()
    private var authorization: ArraySlice<UInt8>?
    private var isDenied = false
    private var isUnreachable = false
    private var consent = FileConsent()
    private var isLeftOut = false
    /// The members that the line has a text for.
    private var given: Set<String> = []
    private var otherTimeZone: DeviceRule.Effect?
    private var isDevelopment = false

    init(isOfVendor: Bool, isCSV: Bool = true) {
        self.isOfVendor = isOfVendor
        self.isCSV = isCSV
    }

    mutating func add(_ column: DeviceColumn, _ field: ArraySlice<UInt8>) {
        if let word = FileText.noValue(field, in: column) {
            return changes.append(FileText.noValueChange(column.name, word))
        }
        switch column {
        case .text("authorization_status"): authorization = FileText.trim(field)
        case .text(let name): add(text: name, field)
        case .flag(let name):
            // `RegistrationBody` reports a field that is neither true nor false.
            if let flag = FileSpelling.flag(field) { object.flag(name, flag) } else { object.text(name, field) }
        case .list("opt_outs"):
            if let problem = consent.read(optOuts: field) { problems.append(problem) }
        case .list(let name) where field.first != UInt8(ascii: "["):
            object.texts(name, Self.elements(field))
        case .list(let name), .json(let name):
            if Self.isJSON(field) {
                object.raw(name, field)
            } else if isOfVendor, SideFacts.isOne(name) {
                changes.append(SideFacts.leftOut(name))
            } else {
                problems.append(Self.typeProblem(.json, name))
            }
        case .attribute(let name, let type):
            if !attributes.add(name, field, type) {
                problems.append(Self.typeProblem(type, column.name))
            }
        case .personAttribute(let name, let type):
            if !personAttributes.add(name, field, type) {
                problems.append(Self.typeProblem(type, column.name))
            }
        case .rule(let rule): apply(rule, field)
        case .time(let name): add(text: name, field)
        case .ignored: break
        }
    }

    /// Adds a member of a registration that is JSON already.
    mutating func add(member name: String, _ value: JSON) {
        given.insert(name)
        if name == "authorization_status", case .string(let text) = value {
            authorization = Array(text.utf8)[...]
        } else if case .array = value, name == "opt_outs" {
            if let problem = consent.read(optOuts: value.encoded()[...]) { problems.append(problem) }
        } else if case .array = value, name == "add_opt_outs" {
            if let problem = consent.read(added: value.encoded()[...]) { problems.append(problem) }
        } else {
            object.raw(name, value.encoded())
        }
    }

    /// Adds an attribute that has its type in JSON.
    mutating func add(attribute name: String, ofPerson: Bool, _ value: JSON) {
        if ofPerson {
            personAttributes.raw(name, value.encoded())
        } else {
            attributes.raw(name, value.encoded())
        }
    }

    private mutating func add(text name: String, _ field: ArraySlice<UInt8>) {
        let text = isCSV ? SpreadsheetText.text(of: field) : field
        let value = Self.freeTexts.contains(name) ? text : FileText.trim(text)
        guard !value.isEmpty else { return }
        given.insert(name)
        object.text(name, value)
    }

    private mutating func apply(_ rule: DeviceRule, _ field: ArraySlice<UInt8>) {
        let effect = rule.effect(of: field)
        switch effect {
        case nil: problems.append(rule.problem)
        case .none?: break
        case .leftOut?: isLeftOut = true
        case .subscribed?: consent.isSubscribed = true
        case .optedOut?: consent.isOptedOut = true
        case .denied?: isDenied = true
        case .unreachable?: isUnreachable = true
        case .timeZone?, .unknownTimeZone?: otherTimeZone = effect
        case .development?: isDevelopment = true
        }
    }

    consuming func finish() -> Line {
        if isLeftOut || isOfVendor && !given.contains("token") { return .leftOut }
        guard problems.isEmpty else { return .refused(Problems(problems)) }
        if isUnreachable {
            // Without another reason it may be the word of the person.
            if consent.isSilent, !isDenied { consent.isOptedOut = true } else { isDenied = true }
        }
        consent.write(to: &object, isRemovalGiven: given.contains("remove_opt_outs"))
        if isDenied {
            object.text("authorization_status", "denied")
        } else if let authorization, !authorization.isEmpty {
            object.text("authorization_status", authorization)
        }
        if !given.contains("time_zone") {
            if case .timeZone(let name)? = otherTimeZone { object.text("time_zone", name) }
            if otherTimeZone == .unknownTimeZone { changes.append(DeviceRule.unknownTimeZone) }
        }
        if isDevelopment, !given.contains("environment") { object.text("environment", "development") }
        if !attributes.isEmpty { object.raw("attributes", attributes.finish()) }
        if !personAttributes.isEmpty {
            var person = JSONObjectWriter()
            person.raw("attributes", personAttributes.finish())
            object.raw("person", person.finish())
        }
        return .object(object.finish(), changes: changes)
    }

    // MARK: Types

    /// The field as JSON; nil if it doesn't have the type.
    fileprivate static func value(_ field: ArraySlice<UInt8>, _ type: DeviceColumn.AttributeType) -> ArraySlice<UInt8>?
    {
        switch type {
        case .boolean: FileSpelling.flag(field).map { Array(($0 ? "true" : "false").utf8)[...] }
        case .number: number(FileText.trim(field))
        case .json, .text: isJSON(field) ? field : nil
        }
    }

    private static func number(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        text.first.map(isNumberStart) == true && isJSON(text) ? text : nil
    }

    private static func isNumberStart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    /// Whether the field is exactly one JSON value, so that it can be inserted into an object.
    static func isJSON(_ field: ArraySlice<UInt8>) -> Bool {
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
        field.split(separator: UInt8(ascii: ";")).map(FileText.trim).filter { !$0.isEmpty }
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
        guard let value = DeviceLineWriter.value(field, type) else { return false }
        raw(name, value)
        return true
    }

    fileprivate mutating func text(_ name: String, _ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { text(name, $0) }
    }
}
