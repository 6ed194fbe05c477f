import Postgres

extension PostgresPool {
    /// Runs a transaction of maintenance unless another process is at the same work; then the result is 0 rows.
    func alone(
        _ name: String, _ work: @Sendable (PostgresConnection) async throws -> Int
    ) async throws -> Int {
        let lock: PostgresQuery = "SELECT pg_try_advisory_xact_lock(hashtextextended(\("belfry \(name)"), 0))"
        return try await transaction(opening: [lock]) { connection, answers in
            guard try answers[0][0][0, as: Bool.self] else { return 0 }
            return try await work(connection)
        }
    }
}
