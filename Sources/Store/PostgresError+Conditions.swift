public import Postgres

extension PostgresError {
    /// Whether the database is away or too busy: the failure says nothing about what was asked.
    public var meansAbsence: Bool {
        switch kind {
        case .connectFailed, .connectionLost, .poolExhausted, .deadline, .cancelled: true
        case .server: isUnavailable
        case .decode, .misuse: false
        }
    }

    /// Whether another transaction was in the way, and the same one may succeed now: a serialization failure, a
    /// deadlock, a row that someone inserted meanwhile (PostgreSQL's manual, section 13.5).
    var isConflict: Bool { ["40001", "40P01", "23505"].contains(sqlState) }
}

/// Runs a transaction again when another one was in its way.
func repeatingConflicts<Value>(_ body: () async throws -> Value) async throws -> Value {
    for _ in 1..<maximumAttempts {
        do {
            return try await body()
        } catch let error as PostgresError where error.isConflict {
            continue
        }
    }
    return try await body()
}

/// Times that one transaction is tried.
private let maximumAttempts = 3
