public import Postgres

/// Device ids beyond `after` and up to `through`, as expressions of SQL.
public struct IDRange: Sendable {
    let after: PostgresQuery
    let through: PostgresQuery

    public init(after: PostgresQuery, through: PostgresQuery) {
        self.after = after
        self.through = through
    }

    public init(after: Int64, through: Int64) {
        self.init(after: "\(after)", through: "\(through)")
    }

    public static let all = IDRange(after: 0, through: .max)

    /// For a column that holds a device's id.
    func holds(_ column: PostgresQuery) -> PostgresQuery {
        "\(column) > \(after) AND \(column) <= \(through)"
    }
}
