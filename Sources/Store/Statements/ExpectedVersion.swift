import Postgres

/// The condition that a row is at the version that the client has read. True without a version.
func isAt(_ version: Int?, _ column: PostgresQuery = "version") -> PostgresQuery {
    guard let version else { return "true" }
    return "\(column) = \(version)"
}
