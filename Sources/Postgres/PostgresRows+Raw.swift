extension PostgresRows {
    /// A value's bytes in PostgreSQL's binary format, without a copy; nil is NULL. Valid as long as the rows exist.
    public func lend(row: Int, column: Int) -> UnsafeRawBufferPointer? {
        precondition(row >= 0 && row < count, "row \(row) of \(count)")
        return value(row: row, column: column).bytes
    }

    /// Calls `body` with a value's bytes, which are valid during the call only.
    public func withBytes<Result, Failure: Error>(
        row: Int, column: Int, _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withExtendedLifetime(self) { () throws(Failure) -> Result in try body(lend(row: row, column: column)) }
    }

    /// The number of elements of a one-dimensional array; nil is NULL.
    public func arrayCount(row: Int, column: Int) throws(PostgresError) -> Int? {
        try read(row: row, column: column, as: "an array") { (value) throws(PostgresDecodeFailure) in
            guard let bytes = value.bytes else { return nil }
            return try PostgresArrayHeader(bytes).count
        }
    }

    /// Writes the elements of a `bigint[]` without NULLs to the start of `elements` and returns
    /// their number. Throws when they do not fit.
    public func copyInt64Array(
        row: Int, column: Int, into elements: UnsafeMutableBufferPointer<Int64>
    ) throws(PostgresError) -> Int {
        try read(row: row, column: column, as: "bigint[]") { (value) throws(PostgresDecodeFailure) in
            let bytes = try value.bytes(of: .int8Array)
            let header = try PostgresArrayHeader(bytes)
            // Without NULLs each element is its length, 8, and the eight bytes.
            let stride = 12
            guard header.elementType == .int8, header.count <= elements.count,
                header.count == 0 || bytes.count == PostgresArrayHeader.length + header.count * stride
            else { throw .malformed }
            for index in 0..<header.count {
                let offset = PostgresArrayHeader.length &+ index &* stride &+ 4
                elements[index] = Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self))
            }
            return header.count
        }
    }

    func read<Value>(
        row: Int, column: Int, as type: @autoclosure () -> String,
        _ body: (PostgresValue) throws(PostgresDecodeFailure) -> Value
    ) throws(PostgresError) -> Value {
        precondition(row >= 0 && row < count, "row \(row) of \(count)")
        let value = value(row: row, column: column)
        do throws(PostgresDecodeFailure) {
            return try withExtendedLifetime(self) { () throws(PostgresDecodeFailure) -> Value in try body(value) }
        } catch {
            let found =
                switch error {
                case .null: "is NULL"
                case .type: "is \(value.type)"
                case .malformed: "(\(value.type)) contains an invalid or out-of-range value"
                }
            var failure = PostgresError(
                .decode, "column \"\(name(ofColumn: column))\" of row \(row) \(found); requested \(type())", sql: sql)
            failure.column = name(ofColumn: column)
            throw failure
        }
    }
}
