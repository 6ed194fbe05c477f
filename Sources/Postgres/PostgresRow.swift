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

    /// The same by the column's name, for rows with many columns.
    public subscript<Value: PostgresDecodable>(name: String, as type: Value.Type = Value.self) -> Value {
        get throws(PostgresError) { try self[try column(name), as: type] }
    }

    /// Writes the elements of a `bigint[]` without NULLs to the start of `elements` and returns their number. Throws
    /// when they do not fit.
    public func copyInt64Array(
        _ name: String, into elements: UnsafeMutableBufferPointer<Int64>
    ) throws(PostgresError) -> Int {
        try rows.copyInt64Array(row: index, column: try column(name), into: elements)
    }

    private func column(_ name: String) throws(PostgresError) -> Int {
        guard let column = rows.column(name) else {
            throw PostgresError(.decode, "the result has no column \"\(name)\"", sql: rows.sql)
        }
        return column
    }
}
