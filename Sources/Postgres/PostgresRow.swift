/// One row of a result, with access by column name or number.
public struct PostgresRow: Sendable {
    public let rows: PostgresRows
    public let index: Int

    /// `try row[0, as: Int64.self]`, or without `as:` where the type is known. Columns count from 0.
    public subscript<Value: PostgresDecodable>(column: Int, as type: Value.Type = Value.self) -> Value {
        get throws(PostgresError) {
            try rows.read(row: index, column: column, as: "\(Value.self)") {
                (value) throws(PostgresDecodeFailure) in try Value.decode(value)
            }
        }
    }

    public func decode<Value: PostgresDecodable>(
        _ type: Value.Type = Value.self, _ name: String
    ) throws(PostgresError) -> Value {
        guard let column = rows.column(name) else {
            throw PostgresError(.decode, "the result has no column \"\(name)\"", sql: rows.sql)
        }
        return try self[column, as: type]
    }
}
