import HTTPServer
import JSON
import Notifications

/// What the columns of a CSV file are, by its first line, or the members of a JSON file's objects, by their names.
struct DeviceHeader: Sendable {
    enum Meaning: Hashable, Sendable {
        case column(DeviceColumn)
        /// Its values are not imported: a person said so, or it is a column of another vendor that Belfry has no use for.
        case leftOut
        /// The header has no name for it, as after a separator at the end of the line. Its fields must be empty.
        case unnamed
        case unknown
    }

    struct Column: Equatable, Sendable {
        /// As the file has it.
        let name: String
        var meaning: Meaning
        /// The probable meaning of an unknown name.
        var suggestion: String?
    }

    private(set) var columns: [Column] = []
    private(set) var vendor: VendorExport?
    /// All that is wrong with the header. Nothing is imported if there is anything.
    private(set) var problems: [Problem] = []
    /// What a person says about members of JSON objects.
    private var given: [String: Meaning]?
    /// The columns of members, by their names.
    private var positions: [String: Int] = [:]

    /// Whether an import knows a column of this name, of Belfry or of another vendor.
    static func isKnown(_ name: String) -> Bool {
        let name = FileText.trim(name)
        return DeviceColumn(name) != nil || VendorExport.all.contains { $0.column(name) != nil }
    }

    init(_ record: CSVParser.Record, _ options: DeviceFileOptions) {
        if let fault = record.fault {
            problems = [fault.problem(path: "header")]
            return
        }
        let names = record.fields.map { FileText.trim(String(validating: $0, as: UTF8.self) ?? "?") }
        if let given = options.columns {
            columns = names.map { Column(name: $0, meaning: .leftOut) }
            guard given.count == names.count else {
                refuse(
                    "columns", "wrong-field-count", "names \(given.count) columns, but the file has \(names.count)",
                    isParameter: true)
                return
            }
            for (index, name) in given.enumerated() {
                columns[index].meaning = meaning(of: FileText.trim(name), otherwise: .leftOut)
            }
        } else {
            vendor = VendorExport.recognise(names)
            for name in names { columns.append(column(name)) }
        }
        if let refusal = vendor?.refusal {
            refuse("file", "no-tokens", refusal, isParameter: true)
        } else {
            checkCombination(options)
        }
    }

    private mutating func column(_ name: String) -> Column {
        if let vendor {
            // Somebody may have added columns of Belfry's: opt-outs, an environment.
            let known = vendor.column(name) ?? DeviceColumn(name)
            return Column(name: name, meaning: known.map { .column($0) } ?? .leftOut)
        }
        let meaning = meaning(of: name, otherwise: .unnamed)
        return Column(
            name: name, meaning: meaning, suggestion: meaning == .unknown ? DeviceColumn.suggestion(for: name) : nil)
    }

    private mutating func meaning(of name: String, otherwise empty: Meaning) -> Meaning {
        if name.isEmpty { return empty }
        if let column = DeviceColumn(name) { return .column(column) }
        refuseUnknown(name)
        return .unknown
    }

    private mutating func refuseUnknown(_ name: String) {
        // Without a header, the first line has values: tokens among them.
        let shown = name.count > JSON.longestQuote ? name.prefix(JSON.longestQuote) + "…" : name[...]
        refuse(String(shown), "unknown-column", Self.unknownMessage(name))
    }

    static func unknownMessage(_ name: String) -> Message {
        if [DeviceColumn.attributePrefix, DeviceColumn.personPrefix].contains(where: {
            DeviceColumn.rest(of: name, after: $0) != nil
        }) {
            return "must have a name, and the type text, number, boolean or json after its colon"
        }
        if DeviceColumn.fold(name).hasPrefix("fcm") || DeviceColumn.fold(name) == "registrationtoken" {
            return "is a token of Firebase, which APNs does not know; import the tokens that iOS gave to the app"
        }
        if let suggestion = DeviceColumn.suggestion(for: name) {
            return "is not a known column\(Spelling.suggestion(suggestion))"
        }
        return "is not a known column; name it like attr.plan, or leave it out with the parameter columns"
    }

    private mutating func refuse(_ name: String, _ code: String, _ message: Message, isParameter: Bool = false) {
        guard problems.count < ByteReader.maximumProblems else { return }
        let path = String(name.prefix(ByteReader.maximumPathLength))
        problems.append(Problem(path: isParameter ? path : "header.\(path)", code: code, message: message))
    }

    private mutating func checkCombination(_ options: DeviceFileOptions) {
        var first: [String: String] = [:]
        for column in columns {
            guard case .column(let meaning) = column.meaning else { continue }
            if case .ignored = meaning { continue }
            if let other = first[meaning.name] {
                let names: Message =
                    other == column.name
                    ? "must occur only once" : "is \(meaning.name), and so is \(other); remove one of them"
                refuse(column.name, "duplicate-column", names)
            }
            first[meaning.name] = column.name
        }
        let known = deviceColumns
        let names = Set(known.map(\.name))
        if !names.contains("installation"), !names.contains("token") {
            refuse("installation", "missing", "or token is required, because it identifies the device of each line")
        }
        if names.contains("token"), !names.contains("environment"), options.environment == nil, vendor == nil {
            refuse(
                "environment", "missing",
                "is required, because each token belongs to one: add the column, or import the file with environment=production"
            )
        }
        let combined: [(whole: String, single: (DeviceColumn) -> Bool, pattern: String)] = [
            ("attributes", { if case .attribute = $0 { true } else { false } }, "attr.…"),
            ("person", { if case .personAttribute = $0 { true } else { false } }, "person.attr.…"),
        ]
        for (whole, isSingle, pattern) in combined where names.contains(whole) && known.contains(where: isSingle) {
            refuse(whole, "not-allowed", "can't be combined with columns of single attributes (`\(pattern)`)")
        }
    }

    // MARK: Members of JSON objects

    /// `members` are those of the first objects. An unknown one is a problem of its line.
    init(members: [String], _ options: DeviceFileOptions) {
        if let columns = options.columns {
            given = [:]
            for pair in columns { add(given: pair) }
        } else {
            vendor = VendorExport.recognise(members)
        }
        if let refusal = vendor?.refusal { refuse("file", "no-tokens", refusal, isParameter: true) }
        for name in members { _ = meaning(ofMember: name) }
    }

    /// `pair` is like push_token=token.
    private mutating func add(given pair: String) {
        guard let sign = pair.firstIndex(of: "=") else {
            return refuse(
                "columns", "invalid-columns",
                "must be pairs of members and columns for a JSON file, like push_token=token,plan=attr.plan",
                isParameter: true)
        }
        let column = FileText.trim(String(pair[pair.index(after: sign)...]))
        let own = Self.member(column).map { Meaning.column($0) }
        let meaning = own ?? meaning(of: column, otherwise: .leftOut)
        given?[String(pair[..<sign])] = meaning
    }

    /// Whether members with names of a registration may mean something else.
    var hasOtherMeanings: Bool { vendor != nil || given != nil }

    mutating func meaning(ofMember name: String) -> Meaning {
        if let position = positions[name] { return columns[position].meaning }
        let known = vendor?.column(name) ?? Self.member(name) ?? DeviceColumn(FileText.trim(name))
        let meaning = given?[name] ?? known.map { .column($0) } ?? (vendor == nil ? .unknown : .leftOut)
        if columns.count < CSVParser.maximumFields {
            positions[name] = columns.count
            columns.append(
                Column(
                    name: name, meaning: meaning,
                    suggestion: meaning == .unknown ? DeviceColumn.suggestion(for: name) : nil))
        }
        return meaning
    }

    /// A member of a registration, also one that no column has, such as add_tags.
    private static func member(_ name: String) -> DeviceColumn? {
        RegistrationBody.hasMember(name) ? DeviceColumn(name) ?? .json(name) : nil
    }

    private var deviceColumns: [DeviceColumn] {
        columns.compactMap { if case .column(let column) = $0.meaning { column } else { nil } }
    }

    /// Whether the file has columns of single attributes.
    var hasSingleAttributes: Bool {
        deviceColumns.contains { if case .attribute = $0 { true } else { false } }
    }

    var hasToken: Bool { deviceColumns.contains(.text("token")) }
    var hasEnvironment: Bool { deviceColumns.contains(.text("environment")) }

    /// The names of the columns whose values are not imported.
    var leftOut: [String] {
        columns.filter { column in
            switch column.meaning {
            case .leftOut, .column(.ignored): !column.name.isEmpty
            case .column, .unnamed, .unknown: false
            }
        }.map(\.name)
    }
}

extension CSVParser.Fault {
    func problem(path: String = "") -> Problem {
        let (code, message): (String, Message) =
            switch self {
            case .tooLong:
                ("too-long", "is longer than \(CSVParser.maximumRecordSize) bytes; a closing quote may be missing")
            case .tooManyFields: ("too-many-fields", "has more than \(CSVParser.maximumFields) fields")
            case .textAfterQuote:
                (
                    "text-after-quote",
                    "has text between a closing quote and the next separator; double a quote inside quotes"
                )
            case .openQuote: ("unclosed-quote", "has an opening quote without a closing quote")
            }
        return Problem(path: path, code: code, message: message)
    }
}
