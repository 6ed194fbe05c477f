import CPostgres

/// Transaction isolation levels (PostgreSQL's manual, section 13.2).
public enum PostgresIsolation: String, Sendable {
    case readCommitted = "READ COMMITTED"
    case repeatableRead = "REPEATABLE READ"
    case serializable = "SERIALIZABLE"
}

extension PostgresConnection {
    /// Runs BEGIN, the body and COMMIT, or ROLLBACK if the body throws. No other task may use the connection meanwhile.
    /// If the connection is lost during COMMIT, the error is `connectionLost(duringCommit: true)`: it is unknown
    /// whether COMMIT took effect.
    @discardableResult
    public nonisolated func transaction<Value>(
        isolation: PostgresIsolation = .readCommitted, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await transaction(isolation: isolation, opening: []) { connection, _ in try await body(connection) }
    }

    /// Runs a transaction whose opening statements share a round trip with BEGIN; the body gets their results. They
    /// must only read and lock, because they run outside a transaction if BEGIN fails.
    @discardableResult
    public nonisolated func transaction<Value>(
        isolation: PostgresIsolation = .readCommitted, opening: [PostgresQuery],
        _ body: (PostgresConnection, [PostgresRows]) async throws -> Value
    ) async throws -> Value {
        let value: Value
        do {
            let answers = try await queries(["BEGIN ISOLATION LEVEL \(unescaped: isolation.rawValue)"] + opening)
            value = try await body(self, Array(answers.dropFirst()))
        } catch {
            await rollBack()
            throw error
        }
        try await commit()
        return value
    }

    private func commit() async throws(PostgresError) {
        switch await run("COMMIT", deadline: nil, isCancellable: false) {
        case .success(let rows):
            // COMMIT of a failed transaction succeeds and rolls back.
            guard rows.tag == "COMMIT" else {
                throw PostgresError(
                    .server, "rolled back because an earlier statement failed", sqlState: "25P02", sql: "COMMIT")
            }
        case .failure(var error):
            if case .connectionLost = error.kind { error.kind = .connectionLost(duringCommit: true) }
            throw error
        }
    }

    /// Rolls back without throwing: the body's error is reported. If ROLLBACK fails, the connection is closed.
    private func rollBack() async {
        guard connection != nil else { return }
        if case .failure(let error) = await run("ROLLBACK", deadline: nil, isCancellable: false) {
            end(.lost("ROLLBACK failed: \(error.message)"))
        }
    }
}
