import CPostgres
import Glibc

/// The result of a statement: its rows, or the number of affected rows.
///
/// `@unchecked Sendable`: a PGresult is only read after libpq has handed it over.
public final class PostgresRows: Sequence, @unchecked Sendable {
    let result: OpaquePointer
    let sql: String
    public let count: Int
    public let columnCount: Int

    init(result: OpaquePointer, sql: String) {
        self.result = result
        self.sql = sql
        count = Int(PQntuples(result))
        columnCount = Int(PQnfields(result))
    }

    deinit { PQclear(result) }

    /// The number of rows that INSERT, UPDATE, DELETE, MERGE or COPY wrote or SELECT returned; 0 for other statements.
    public var affected: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// The command tag, such as "COMMIT" or "INSERT 0 1".
    var tag: String { String(cString: PQcmdStatus(result)) }

    public var isEmpty: Bool { count == 0 }
    public var first: PostgresRow? { isEmpty ? nil : self[0] }

    public subscript(row: Int) -> PostgresRow {
        precondition(row >= 0 && row < count, "row \(row) of \(count)")
        return PostgresRow(rows: self, index: row)
    }

    public struct Iterator: IteratorProtocol {
        let rows: PostgresRows
        var row = 0

        public mutating func next() -> PostgresRow? {
            guard row < rows.count else { return nil }
            defer { row += 1 }
            return rows[row]
        }
    }

    public func makeIterator() -> Iterator { Iterator(rows: self) }
    public var underestimatedCount: Int { count }

    /// Returns the index of a column; nil if the result has no such column.
    public func column(_ name: String) -> Int? {
        (0..<columnCount).first { column in
            name.withCString { strcmp($0, PQfname(result, Int32(column))) == 0 }
        }
    }

    public func name(ofColumn column: Int) -> String {
        PQfname(result, Int32(column)).map { String(cString: $0) } ?? "\(column)"
    }

    func value(row: Int, column: Int) -> PostgresValue {
        precondition(column >= 0 && column < columnCount, "column \(column) of \(columnCount)")
        let row = Int32(row)
        let column = Int32(column)
        let type = PostgresType(oid: PQftype(result, column))
        guard PQgetisnull(result, row, column) == 0 else { return PostgresValue(bytes: nil, type: type) }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        return PostgresValue(bytes: bytes, type: type)
    }
}
