import Postgres

/// How often PostgreSQL plans a statement with parameters. By default it makes a plan for each of the first five
/// executions.
enum PlanMode: String {
    /// Once per connection, for all parameters: for a large statement that always takes the same way. Planning it takes
    /// longer than its execution.
    case generic = "force_generic_plan"
    /// For each execution, with its parameters: where they decide which index is best, and for a small statement on a
    /// table with partitions. PostgreSQL locks only the partitions that the parameters can mean. With a generic plan it
    /// locks all, and there is one more each week.
    case custom = "force_custom_plan"

    /// For the transaction that it runs in.
    var setting: PostgresQuery { "SET LOCAL plan_cache_mode = \(unescaped: rawValue)" }
}

extension PostgresConnection {
    /// Runs a statement in the transaction that the connection is in.
    func query(_ statement: PostgresQuery, plan: PlanMode) async throws(PostgresError) -> PostgresRows {
        try await queries([plan.setting, statement])[1]
    }
}

extension PostgresPool {
    /// Runs a statement in a transaction of its own.
    func query(_ statement: PostgresQuery, plan: PlanMode) async throws -> PostgresRows {
        try await transaction(opening: [plan.setting, statement]) { _, answers in answers[1] }
    }
}
