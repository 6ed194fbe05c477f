/// A statement and its parameters: `"SELECT name FROM apps WHERE id = \(id)"` sends `$1`, and the
/// value separately in binary. Values never become part of the text.
public struct PostgresQuery: ExpressibleByStringInterpolation, Sendable {
    /// PostgreSQL counts parameters in 16 bits.
    public static let maximumParameters = 65_535

    public private(set) var sql: String
    private(set) var types: [UInt32] = []
    /// -1 is NULL.
    private(set) var lengths: [Int32] = []
    /// All values, concatenated. The first byte is unused: an empty value must have an address, because libpq treats
    /// the null pointer as NULL.
    private(set) var bytes: [UInt8] = []
    /// The position of each `$n` in `sql`, in bytes of UTF-8.
    private var marks: [Int] = []

    /// Creates a query from text of this program, never of a user.
    public init(unescaped sql: String) {
        self.sql = sql
    }

    public init(stringLiteral sql: String) {
        self.sql = sql
    }

    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.query
    }

    public var parameterCount: Int { lengths.count }

    public static func + (left: PostgresQuery, right: PostgresQuery) -> PostgresQuery {
        var sum = left
        sum.append(right)
        return sum
    }

    public static func += (left: inout PostgresQuery, right: PostgresQuery) {
        left.append(right)
    }

    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var query = PostgresQuery(unescaped: "")

        public init(literalCapacity: Int, interpolationCount: Int) {
            query.sql.reserveCapacity(literalCapacity + 3 * interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) { query.sql += literal }

        public mutating func appendInterpolation(_ value: some PostgresEncodable) { query.bind(value) }

        /// Nil is NULL. A separate overload, so that the compiler does not warn about a debug description.
        public mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) { query.bind(value) }

        /// For names of tables and the like, which cannot be parameters.
        public mutating func appendInterpolation(unescaped sql: String) { query.sql += sql }

        /// A part of a statement with parameters of its own.
        public mutating func appendInterpolation(_ part: PostgresQuery) { query.append(part) }
    }

    private mutating func bind(_ value: some PostgresEncodable) {
        if bytes.isEmpty { bytes.append(0) }
        let start = bytes.count
        if value.isNull {
            lengths.append(-1)
        } else {
            value.encode(into: &bytes)
            lengths.append(Int32(bytes.count - start))
        }
        types.append(type(of: value).postgresType.oid)
        mark()
    }

    private mutating func mark() {
        marks.append(sql.utf8.count)
        sql += "$\(marks.count)"
    }

    private mutating func append(_ part: PostgresQuery) {
        let text = part.sql.utf8
        var start = text.startIndex
        for (index, offset) in part.marks.enumerated() {
            let dollar = text.index(text.startIndex, offsetBy: offset)
            sql += part.sql[start..<dollar]
            mark()
            start = text.index(dollar, offsetBy: "$\(index + 1)".utf8.count)
        }
        sql += part.sql[start...]
        types += part.types
        lengths += part.lengths
        bytes += bytes.isEmpty ? part.bytes : Array(part.bytes.dropFirst())
    }
}
