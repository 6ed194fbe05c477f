/// An error of the PostgreSQL server or of the connection to it.
public struct PostgresError: Error, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        case connectFailed
        /// With `duringCommit` it is unknown whether the transaction was committed.
        case connectionLost(duringCommit: Bool)
        case deadline
        case cancelled
        /// The server reported an error; `sqlState` is its code.
        case server
        case poolExhausted
        case decode
        /// The call itself is wrong: settings that cannot be read, too many parameters, COPY in `query`.
        case misuse
    }

    public var kind: Kind
    /// Five characters (PostgreSQL's manual, appendix A); empty if the statement did not reach a server.
    public var sqlState = ""
    public var severity = ""
    public var message: String
    /// Contains values of rows ("Key (token)=(…) already exists"), so `description` leaves it out.
    public var detail: String?
    public var hint: String?
    public var constraint: String?
    public var table: String?
    public var column: String?
    /// The statement's text; never the values of its parameters.
    public var sql: String?

    public init(_ kind: Kind, _ message: String, sqlState: String = "", sql: String? = nil) {
        self.kind = kind
        self.message = message
        self.sqlState = sqlState
        self.sql = sql
    }

    /// Whether the statement may have taken effect although it failed.
    public var isAmbiguous: Bool {
        switch kind {
        case .connectionLost, .deadline, .cancelled: true
        case .connectFailed, .server, .poolExhausted, .decode, .misuse: false
        }
    }

    public func isUniqueViolation(constraint: String? = nil) -> Bool {
        sqlState == "23505" && (constraint == nil || constraint == self.constraint)
    }

    /// Whether the database is unavailable; the same call may succeed later.
    public var isUnavailable: Bool {
        Self.unavailableClasses.contains(String(sqlState.prefix(2))) || Self.unavailable.contains(sqlState)
            || isOfReplacedProgram
    }

    /// Whether a session can't load a library of the server: its package was replaced while it runs, until it is
    /// restarted. Only a missing file has a code of its own (58P01).
    public var isOfReplacedProgram: Bool {
        kind == .server && Self.replacedProgramFaults.contains { message.hasPrefix($0) }
    }

    /// Whether servers answered, and none of them accepts writes: they are standbys.
    public var isOnlyReadable: Bool { kind == .connectFailed && message.contains("session is read-only") }

    /// Lost connections; out of resources such as connections, memory or disk; errors of the server's system and files.
    private static let unavailableClasses: Set<String> = ["08", "53", "58"]
    /// Shutting down, crashed, starting up, dropped, idle for too long; or somebody held a lock for too long.
    private static let unavailable: Set<String> = ["57P01", "57P02", "57P03", "57P04", "57P05", "55P03"]
    private static let replacedProgramFaults = [
        "could not load library", "incompatible library", "could not find function", "could not access file",
    ]

    /// Characters of a statement in a description.
    private static let shownSQL = 300

    public var description: String {
        var text = "PostgreSQL: \(redactedMessage)"
        if !sqlState.isEmpty { text += " (\(sqlState))" }
        if kind == .connectionLost(duringCommit: true) { text += "; it is unknown whether COMMIT took effect" }
        if let constraint { text += "; constraint \(constraint)" }
        if let hint { text += "; \(hint)" }
        if let sql { text += "; in: \(Self.onOneLine(sql))" }
        return text
    }

    /// On one line, as logs need it.
    private static func onOneLine(_ sql: String) -> String {
        let line = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > shownSQL ? "\(line.prefix(shownSQL))…" : line
    }

    /// Messages about bad data (class 22) quote the value at their end, which may be a token.
    private var redactedMessage: Substring {
        guard sqlState.hasPrefix("22"), let quote = message.firstIndex(of: "\"") else { return message[...] }
        return message[..<quote] + "…"
    }
}
