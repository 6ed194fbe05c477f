import Postgres

/// Columns that a statement writes, each with the expression of its value, so that lists of them that must agree are
/// made from one.
struct WrittenColumns {
    typealias Column = (name: String, value: PostgresQuery)

    private let columns: [Column]

    init(_ columns: [Column]) {
        self.columns = columns
    }

    /// For INSERT: `token, locale`.
    var names: PostgresQuery { joined { PostgresQuery(unescaped: $0.name) } }

    /// For SELECT: `g.token AS token, upper(g.locale) AS locale`.
    var values: PostgresQuery { joined { "\($0.value) AS \(unescaped: $0.name)" } }

    /// For SET: `name = $1, topic = $2`.
    var assignments: PostgresQuery { joined { "\(unescaped: $0.name) = \($0.value)" } }

    /// As a row, to be compared: `(d.token, d.locale)`.
    func row(of table: String) -> PostgresQuery {
        "(\(joined { PostgresQuery(unescaped: "\(table).\($0.name)") }))"
    }

    /// For SET: `token = c.token, locale = c.locale`.
    func assigned(from table: String) -> PostgresQuery {
        joined { PostgresQuery(unescaped: "\($0.name) = \(table).\($0.name)") }
    }

    private func joined(_ part: (Column) -> PostgresQuery) -> PostgresQuery {
        var list: PostgresQuery = ""
        for (index, column) in columns.enumerated() {
            if index > 0 { list += ", " }
            list += part(column)
        }
        return list
    }
}
