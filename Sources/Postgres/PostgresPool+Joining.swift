extension PostgresPool {
    /// A transaction that a task's statements join, and the pool that they must go to.
    struct Joined: Sendable {
        let pool: PostgresPool
        let connection: PostgresConnection
    }

    /// The transaction that the current task has opened with `joiningTransaction`.
    @TaskLocal static var joined: Joined?

    /// Runs `body` in one transaction: all statements that it sends through this pool are part of it, including nested
    /// transactions, which become savepoints. It commits when `body` returns, and rolls back when it throws.
    ///
    /// A statement that fails is undone alone, so `body` may handle its error. `body` must not send statements from
    /// several tasks at the same time. Inside another one, it is a part of that, undone alone when `body` throws.
    public nonisolated func joiningTransaction<Value>(_ body: () async throws -> Value) async throws -> Value {
        if let joinedConnection {
            return try await joinedConnection.joinedTransaction(opening: []) { _, _ in try await body() }
        }
        return try await withConnection { connection in
            try await connection.transaction { connection in
                try await Self.$joined.withValue(Joined(pool: self, connection: connection), operation: body)
            }
        }
    }

    /// The connection of the transaction that the current task has opened on this pool.
    nonisolated var joinedConnection: PostgresConnection? {
        guard let joined = Self.joined, joined.pool === self else { return nil }
        return joined.connection
    }
}

extension PostgresConnection {
    private static let savepoint: PostgresQuery = "SAVEPOINT joined"
    private static let release: PostgresQuery = "RELEASE joined"

    /// Runs a statement inside the open transaction. If it fails, the transaction goes on without it.
    ///
    /// It takes one round trip, or three with a deadline, which is for the statement alone: a savepoint that was stopped,
    /// or not sent any more, would leave nothing to go back to, and the transaction would be lost.
    nonisolated func joinedQuery(
        _ query: PostgresQuery, deadline: Duration?
    ) async throws(PostgresError) -> PostgresRows {
        if deadline != nil { _ = try await queries([Self.savepoint]) }
        do throws(PostgresError) {
            guard deadline != nil else { return try await queries([Self.savepoint, query, Self.release])[1] }
            let rows = try await queries([query], deadline: deadline)[0]
            _ = try await queries([Self.release])
            return rows
        } catch {
            await undo()
            throw error
        }
    }

    /// Runs `body` inside the open transaction. If it fails, the transaction goes on without it.
    nonisolated func joinedTransaction<Value>(
        opening: [PostgresQuery], _ body: (PostgresConnection, [PostgresRows]) async throws -> Value
    ) async throws -> Value {
        do {
            let answers = try await queries([Self.savepoint] + opening)
            let value = try await body(self, Array(answers.dropFirst()))
            _ = try await queries([Self.release])
            return value
        } catch {
            await undo()
            throw error
        }
    }

    /// The reported error is that of the statement. If this fails, too, COMMIT reports it.
    private nonisolated func undo() async {
        _ = try? await queries(["ROLLBACK TO joined", Self.release])
    }
}
