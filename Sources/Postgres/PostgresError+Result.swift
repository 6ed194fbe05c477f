import CPostgres

extension PostgresError {
    /// Creates the error of a result. FATAL and PANIC end the connection, and so does a refused write: the server has
    /// become a standby.
    init(result: OpaquePointer, sql: String?) {
        func field(_ code: Unicode.Scalar) -> String? {
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        // The codes are libpq's PG_DIAG_ macros; V is the severity in English.
        let severity = field("V") ?? ""
        let state = field("C")
        let isLost = severity == "FATAL" || severity == "PANIC" || state == Self.readOnly
        kind = state == nil || isLost ? .connectionLost(duringCommit: false) : .server
        self.severity = severity
        sqlState = state ?? Self.connectionFailure
        message = field("M") ?? Self.line(String(cString: PQresultErrorMessage(result)))
        detail = field("D")
        hint = field("H")
        constraint = field("n")
        table = field("t")
        column = field("c")
        self.sql = sql
    }

    /// SQLSTATE of a connection that broke.
    static let connectionFailure = "08006"
    /// SQLSTATE of a connection that could not be made.
    static let cannotConnect = "08001"
    /// SQLSTATE of a write on a standby, or in a read-only transaction.
    static let readOnly = "25006"
    /// SQLSTATE of a statement that was cancelled.
    static let queryCancelled = "57014"

    static func lost(_ message: String, sqlState: String = connectionFailure) -> PostgresError {
        PostgresError(.connectionLost(duringCommit: false), message, sqlState: sqlState)
    }

    /// libpq's messages end in a newline and may have several lines.
    static func line(_ message: String) -> String {
        message.split(whereSeparator: \.isNewline).joined(separator: "; ")
    }

    func withSQL(_ sql: String?) -> PostgresError {
        var error = self
        error.sql = sql
        return error
    }
}
