import Postgres

extension PostgresPool {
    /// A transaction whose statements are planned once on each connection, for any parameters.
    ///
    /// For statements that find few rows in tables with many partitions: PostgreSQL would plan each of the first uses anew,
    /// which takes longer than the statement (5 ms with a year of partitions).
    @discardableResult
    func plannedOnce<Value>(_ body: (PostgresConnection) async throws -> Value) async throws -> Value {
        try await transaction(opening: ["SET LOCAL plan_cache_mode = force_generic_plan"]) { connection, _ in
            try await body(connection)
        }
    }
}
