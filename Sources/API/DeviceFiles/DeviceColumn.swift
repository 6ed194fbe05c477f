import HTTPServer
import JSON
import Notifications

/// What a column of a file of devices is, by its name in the header.
enum DeviceColumn: Hashable {
    case text(String)
    /// true or false.
    case flag(String)
    /// A JSON list, or words with semicolons between.
    case list(String)
    /// JSON.
    case json(String)
    case attribute(String, AttributeType)
    /// What an export says and an import does not take.
    case ignored(String)

    /// How an attribute's field is read: `attr.plan` is text, `attr.visits:number` a number.
    enum AttributeType: String {
        case text, number, boolean, json
    }

    /// All but attributes of their own, in the order of an export.
    static let all: [DeviceColumn] = [
        .text("installation"), .text("kind"), .text("activity"), .text("token"), .text("environment"),
        .text("authorization"), .text("user_id"), .text("locale"), .text("time_zone"), .text("os_version"),
        .text("app_version"), .text("model"), .json("settings"), .list("tags"), .list("opt_outs"), .json("attributes"),
        .flag("is_test"), .text("nickname"), .ignored("id"), .ignored("created_at"), .ignored("last_seen_at"),
    ]

    static let ignoredNames = Set(
        all.compactMap { column -> String? in
            if case .ignored(let name) = column { name } else { nil }
        })

    private static let attributePrefix = "attr."

    var name: String {
        switch self {
        case .text(let name), .flag(let name), .list(let name), .json(let name), .ignored(let name): name
        case .attribute(let name, _): Self.attributePrefix + name
        }
    }

    /// Nil for a name that is not known.
    init?(_ name: String) {
        if let column = Self.all.first(where: { $0.name == name }) {
            self = column
            return
        }
        guard name.hasPrefix(Self.attributePrefix) else { return nil }
        let attribute = name.dropFirst(Self.attributePrefix.count)
        guard let colon = attribute.lastIndex(of: ":") else {
            self = .attribute(String(attribute), .text)
            return
        }
        // A mistyped type must not become part of a name.
        guard let type = AttributeType(rawValue: String(attribute[attribute.index(after: colon)...])) else {
            return nil
        }
        self = .attribute(String(attribute[..<colon]), type)
    }

    /// The columns that a file's first record names. Refused: all that is wrong with it.
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
                let words =
                    name.hasPrefix(attributePrefix)
                    ? "must have a type that is text, number, boolean or json behind its colon"
                    : "is no column that is known here; commas stand between columns"
                refuse(name, "unknown-column", words)
                continue
            }
            if !names.insert(column.name).inserted { refuse(name, "repeated-column", "stands there twice") }
            columns.append(column)
        }
        if !names.contains("installation") {
            refuse("installation", "missing", "is required: it says which device a line is about")
        }
        let hasOwn = columns.contains { if case .attribute = $0 { true } else { false } }
        if hasOwn, names.contains("attributes") {
            refuse("attributes", "not-allowed", "goes without columns of single attributes, or they without it")
        }
        guard problems.isEmpty else { throw APIError(problems: problems) }
        return columns
    }
}

extension CSVParser.Fault {
    func problem(path: String = "") -> Problem {
        let (code, message) =
            switch self {
            case .tooLong: ("too-long", "is longer than \(CSVParser.maximumRecordSize) bytes; is a quote not closed")
            case .tooManyFields: ("too-many-fields", "has more than \(CSVParser.maximumFields) fields")
            case .textBehindQuote: ("text-behind-quote", "has text between a closing quote and the next comma")
            case .openQuote: ("open-quote", "opens a quote that is not closed up to the end of the file")
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
