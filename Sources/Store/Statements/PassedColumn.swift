import Postgres

/// A column of rows that a statement passes to PostgreSQL, as one array: its name there, and its value in each row.
struct PassedColumn<Row> {
    let name: String
    private let array: @Sendable ([Row]) -> PostgresQuery

    init<Value: PostgresArrayElement>(_ name: String, _ value: @escaping @Sendable (Row) -> Value) {
        self.name = name
        array = { rows in "\(rows.map(value))" }
    }

    /// The rows as a table, for FROM: `unnest($1, $2) AS g (app_id, id)`.
    static func table(_ columns: [PassedColumn], of rows: [Row], as alias: String = "g") -> PostgresQuery {
        var arrays: PostgresQuery = "unnest("
        for (index, column) in columns.enumerated() {
            if index > 0 { arrays += ", " }
            arrays += column.array(rows)
        }
        let names = columns.map(\.name).joined(separator: ", ")
        return arrays + PostgresQuery(unescaped: ") AS \(alias) (\(names))")
    }
}
