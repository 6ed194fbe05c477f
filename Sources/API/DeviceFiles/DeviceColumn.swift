import HTTPServer
import JSON
import Notifications

/// A column of a device file, identified by its name in the header.
enum DeviceColumn: Hashable {
    case text(String)
    /// true or false.
    case flag(String)
    /// A JSON list, or texts separated by semicolons.
    case list(String)
    /// JSON.
    case json(String)
    case attribute(String, AttributeType)
    /// An attribute of the person.
    case personAttribute(String, AttributeType)
    /// When the line was true.
    case time(String)
    /// A column that an export writes and an import ignores.
    case ignored(String)

    /// The type of an attribute's field: `attr.plan` is text, `attr.visits:number` is a number.
    enum AttributeType: String {
        case text, number, boolean, json
    }

    /// All columns except those of single attributes, in the order of an export.
    static let all: [DeviceColumn] = [
        .text("installation"), .text("kind"), .text("activity"), .text("token"), .text("environment"),
        .text("authorization_status"), .text("user_id"), .text("locale"), .text("time_zone"), .text("os_version"),
        .text("app_version"), .text("model"), .json("settings"), .list("tags"), .list("opt_outs"), .json("attributes"),
        .json("person"), .flag("is_test"), .text("nickname"), .ignored("id"), .ignored("created_at"),
        .time("updated_at"), .time("last_seen_at"),
    ]

    /// A column of files that are not exports: one time for the line.
    private static let asOf = DeviceColumn.time("as_of")

    static let timeNames: Set<String> = ["updated_at", "last_seen_at", asOf.name]

    static let ignoredNames = Set(
        all.compactMap { column -> String? in
            if case .ignored(let name) = column { name } else { nil }
        })

    private static let attributePrefix = "attr."
    private static let personPrefix = "person.attr."

    var name: String {
        switch self {
        case .text(let name), .flag(let name), .list(let name), .json(let name), .time(let name),
            .ignored(let name):
            name
        case .attribute(let name, _): Self.attributePrefix + name
        case .personAttribute(let name, _): Self.personPrefix + name
        }
    }

    /// Nil for an unknown name.
    init?(_ name: String) {
        if let column = (Self.all + [Self.asOf]).first(where: { $0.name == name }) {
            self = column
            return
        }
        if name.hasPrefix(Self.attributePrefix),
            let (attribute, type) = Self.attribute(name.dropFirst(Self.attributePrefix.count))
        {
            self = .attribute(attribute, type)
        } else if name.hasPrefix(Self.personPrefix),
            let (attribute, type) = Self.attribute(name.dropFirst(Self.personPrefix.count))
        {
            self = .personAttribute(attribute, type)
        } else {
            return nil
        }
    }

    private static func attribute(_ name: Substring) -> (String, AttributeType)? {
        guard let colon = name.lastIndex(of: ":") else { return (String(name), .text) }
        // A misspelled type must not become part of the name.
        guard let type = AttributeType(rawValue: String(name[name.index(after: colon)...])) else { return nil }
        return (String(name[..<colon]), type)
    }

    /// The columns that the first record of a file names. Throws all problems of the header together.
    static func columns(of header: CSVParser.Record) throws(APIError) -> [DeviceColumn] {
        var problems: [Problem] = []
        func refuse(_ name: String, _ code: String, _ message: String) {
            guard problems.count < ByteReader.maximumProblems else { return }
            problems.append(
                Problem(path: "header.\(name.prefix(ByteReader.maximumPathLength))", code: code, message: message))
        }
        if let fault = header.fault { throw APIError(problems: [fault.problem(path: "header")]) }
        var columns: [DeviceColumn] = []
        var names: Set<String> = []
        for field in header.fields {
            let text = String(validating: field, as: UTF8.self)
            let name = text?.trimmingSpaces ?? "?"
            guard let column = DeviceColumn(name) else {
                if name.hasPrefix(attributePrefix) || name.hasPrefix(personPrefix) {
                    refuse(name, "unknown-column", "must have the type text, number, boolean or json after its colon")
                } else {
                    // Without a header, the first line has values: tokens among them.
                    let shown = name.count > JSON.longestQuote ? name.prefix(JSON.longestQuote) + "…" : name[...]
                    refuse(String(shown), "unknown-column", "is not a known column; separate columns with commas")
                }
                continue
            }
            if !names.insert(column.name).inserted { refuse(name, "duplicate-column", "must occur only once") }
            columns.append(column)
        }
        if !names.contains("installation") {
            refuse("installation", "missing", "is required, because it identifies the device of each line")
        }
        let hasOwn = columns.contains { if case .attribute = $0 { true } else { false } }
        if hasOwn, names.contains("attributes") {
            refuse("attributes", "not-allowed", "can't be combined with columns of single attributes (`attr.…`)")
        }
        let hasPersons = columns.contains { if case .personAttribute = $0 { true } else { false } }
        if hasPersons, names.contains("person") {
            refuse("person", "not-allowed", "can't be combined with columns of single attributes (`person.attr.…`)")
        }
        guard problems.isEmpty else { throw APIError(problems: problems) }
        return columns
    }
}

extension CSVParser.Fault {
    func problem(path: String = "") -> Problem {
        let (code, message) =
            switch self {
            case .tooLong:
                ("too-long", "is longer than \(CSVParser.maximumRecordSize) bytes; a closing quote may be missing")
            case .tooManyFields: ("too-many-fields", "has more than \(CSVParser.maximumFields) fields")
            case .textAfterQuote: ("text-after-quote", "has text between a closing quote and the next comma")
            case .openQuote: ("unclosed-quote", "has an opening quote without a closing quote")
            }
        return Problem(path: path, code: code, message: message)
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}
