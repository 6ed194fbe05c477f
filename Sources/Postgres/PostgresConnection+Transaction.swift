import CPostgres

/// PostgreSQL's manual, section 13.2.
public enum PostgresIsolation: String, Sendable {
    case readCommitted = "READ COMMITTED"
    case repeatableRead = "REPEATABLE READ"
    case serializable = "SERIALIZABLE"
}

extension PostgresConnection {
    /// BEGIN, the body, COMMIT; ROLLBACK when the body throws. Nobody else may use the connection
    /// meanwhile. When the connection dies in COMMIT, the error is `connectionLost(duringCommit: true)`:
    /// nobody knows whether it took effect.
    @discardableResult
    public nonisolated func transaction<Value>(
        isolation: PostgresIsolation = .readCommitted, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await transaction(isolation: isolation, opening: []) { connection, _ in try await body(connection) }
    }

    /// The same; BEGIN and the opening statements go in one round trip, and the body gets their answers. They only
    /// read and lock: should BEGIN alone be refused, they would run without it.
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
            // COMMIT of a transaction in which a statement failed succeeds, and rolls back.
            guard rows.tag == "COMMIT" else {
                throw PostgresError(
                    .server, "rolled back, for a statement before had failed", sqlState: "25P02", sql: "COMMIT")
            }
        case .failure(var error):
            if case .connectionLost = error.kind { error.kind = .connectionLost(duringCommit: true) }
            throw error
        }
    }

    /// The body's error is the one to tell. Without an answer to ROLLBACK the connection is of no use.
    private func rollBack() async {
        guard connection != nil else { return }
        if case .failure(let error) = await run("ROLLBACK", deadline: nil, isCancellable: false) {
            end(.lost("ROLLBACK failed: \(error.message)"))
        }
    }
}
