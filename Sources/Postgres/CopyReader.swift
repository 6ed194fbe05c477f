import DequeModule

/// Reads the rows of a `copyOut`. Valid only inside its body.
public final class CopyReader {
    private let connection: PostgresConnection
    private let isBinary: Bool
    private var rows: Deque<[UInt8]> = []
    private var hasEnded = false
    private var hasHeader = false

    init(connection: PostgresConnection, isBinary: Bool) {
        self.connection = connection
        self.isBinary = isBinary
    }

    /// The next row of `COPY … TO STDOUT (FORMAT binary)`; nil at the end.
    public func next() async throws(PostgresError) -> CopiedRow? {
        precondition(isBinary, "rows can only be read from a binary COPY")
        while let bytes = try await nextBytes() {
            var row = bytes
            if !hasHeader {
                hasHeader = true
                guard row.starts(with: CopyHeader.bytes.prefix(11)) else {
                    throw PostgresError(.decode, "the COPY data does not start with the binary header")
                }
                row.removeFirst(CopyHeader.bytes.count)
            }
            if row.isEmpty || row == CopyHeader.trailer { continue }
            return try CopiedRow(row)
        }
        return nil
    }

    /// The bytes of the next row, in any format; nil at the end.
    public func nextBytes() async throws(PostgresError) -> [UInt8]? {
        while rows.isEmpty, !hasEnded {
            let more = try await connection.takeCopyData()
            hasEnded = more.isEmpty
            rows.append(contentsOf: more)
        }
        return rows.popFirst()
    }
}

/// One row of a binary COPY. COPY does not report types, so the requested type must be the column's.
public struct CopiedRow: Sendable {
    private let bytes: [UInt8]
    /// The byte range of each field's value; nil is NULL.
    private let fields: [Range<Int>?]

    init(_ bytes: [UInt8]) throws(PostgresError) {
        let malformed = PostgresError(.decode, "a COPY row is truncated")
        var fields: [Range<Int>?] = []
        var offset = 2
        guard let count = bytes.withUnsafeBytes({ $0.integer(Int16.self, at: 0) }) else { throw malformed }
        for _ in 0..<max(count, 0) {
            guard let length = bytes.withUnsafeBytes({ $0.integer(Int32.self, at: offset) }) else { throw malformed }
            offset += 4
            guard length >= 0 else {
                fields.append(nil)
                continue
            }
            guard offset + Int(length) <= bytes.count else { throw malformed }
            fields.append(offset..<offset + Int(length))
            offset += Int(length)
        }
        self.bytes = bytes
        self.fields = fields
    }

    public var count: Int { fields.count }

    public subscript<Value: PostgresDecodable>(column: Int, as type: Value.Type = Value.self) -> Value {
        get throws(PostgresError) {
            precondition(column >= 0 && column < count, "column \(column) of \(count)")
            let field = fields[column]
            let result = bytes.withUnsafeBytes { raw -> Result<Value, PostgresError> in
                let value = PostgresValue(
                    bytes: field.map { UnsafeRawBufferPointer(rebasing: raw[$0]) }, type: .unknown)
                do throws(PostgresDecodeFailure) {
                    return .success(try Value.decode(value))
                } catch {
                    return .failure(
                        PostgresError(.decode, "column \(column) of a COPY row is not \(Value.self) (\(error))"))
                }
            }
            return try result.get()
        }
    }
}
