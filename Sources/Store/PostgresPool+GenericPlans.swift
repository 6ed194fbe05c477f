import Postgres

extension PostgresPool {
    /// A transaction whose statements use generic plans, which each connection makes once.
    ///
    /// Use it for statements that return few rows of tables with many partitions. By default, PostgreSQL makes a custom plan
    /// for each of the first five executions. With a year of partitions, planning takes 5 ms and execution 0.7 ms.
    @discardableResult
    func withGenericPlans<Value>(
        isolation: PostgresIsolation = .readCommitted, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        let setting: PostgresQuery = "SET LOCAL plan_cache_mode = force_generic_plan"
        return try await transaction(isolation: isolation, opening: [setting]) { connection, _ in
            try await body(connection)
        }
    }
}
