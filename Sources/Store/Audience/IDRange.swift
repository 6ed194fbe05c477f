public import Postgres

/// Device ids greater than `after` and up to `through`, as SQL expressions.
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

    /// The condition that a column of device ids is in the range.
    func contains(_ column: PostgresQuery) -> PostgresQuery {
        "\(column) > \(after) AND \(column) <= \(through)"
    }
}
