import Postgres

extension PostgresPool {
    /// A transaction whose statements use generic plans, which each connection makes once.
    ///
    /// Use it for statements that return few rows of tables with many partitions. By default, PostgreSQL makes a custom plan
    /// for each of the first five executions. With a year of partitions, planning takes 5 ms and execution 0.7 ms.
    @discardableResult
    func withGenericPlans<Value>(_ body: (PostgresConnection) async throws -> Value) async throws -> Value {
        try await transaction(opening: ["SET LOCAL plan_cache_mode = force_generic_plan"]) { connection, _ in
            try await body(connection)
        }
    }
}
