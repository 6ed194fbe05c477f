public import Postgres

extension PostgresError {
    /// Whether the database is unreachable or overloaded, so that the failure has nothing to do with the statement.
    public var isDatabaseUnavailable: Bool {
        switch kind {
        case .connectFailed, .connectionLost, .poolExhausted, .deadline, .cancelled: true
        case .server: isUnavailable
        case .decode, .misuse: false
        }
    }

    /// Whether the database is at fault, and not the statement: it is unavailable, has an internal error (class XX,
    /// such as a damaged index), or cancelled the statement. Work that waits for the statement goes on waiting, and a
    /// person has to examine the server.
    public var isFaultOfDatabase: Bool {
        isDatabaseUnavailable || kind == .server && (sqlState.hasPrefix("XX") || sqlState == "57014")
    }

    /// Whether the transaction conflicted with another one and may succeed when retried: a serialization failure, a
    /// deadlock, or a row that was inserted meanwhile (PostgreSQL's manual, section 13.5).
    var isConflict: Bool { ["40001", "40P01", "23505"].contains(sqlState) }

    /// True if `lock_timeout` ended the wait for a lock.
    public var isLockTimeout: Bool { sqlState == "55P03" }

    /// Whether the database may be there for other statements: somebody held a lock that this one needs for too long,
    /// or it needed more room than a full disk has.
    public var concernsOneStatement: Bool { isLockTimeout || sqlState == "53100" }
}

/// Retries a transaction that conflicted with another one.
func retryingConflicts<Value>(_ body: () async throws -> Value) async throws -> Value {
    for _ in 1..<maximumAttempts {
        do {
            return try await body()
        } catch let error as PostgresError where error.isConflict {
            continue
        }
    }
    return try await body()
}

/// Attempts per transaction.
private let maximumAttempts = 3
