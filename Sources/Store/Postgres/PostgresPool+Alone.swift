import Postgres

extension PostgresPool {
    /// Runs a transaction of maintenance unless another process is at the same work; then the result is 0 rows.
    func alone(
        _ lock: RowLock, _ work: @Sendable (PostgresConnection) async throws -> Int
    ) async throws -> Int {
        try await transaction(opening: [lock.attempt]) { connection, answers in
            guard !answers[0].isEmpty else { return 0 }
            return try await work(connection)
        }
    }
}
