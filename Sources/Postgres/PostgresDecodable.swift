/// A value that can be read from a column in PostgreSQL's binary format.
public protocol PostgresDecodable {
    static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> Self
}

/// The reason why a column's value can't be decoded. The row's error adds row and column.
public enum PostgresDecodeFailure: Error, Hashable, Sendable {
    case null
    /// The column has another type.
    case type
    /// The bytes are not a value of the type, or it is out of range.
    case malformed
}

/// One field of a row, borrowed from the result: valid only during the call that hands it out.
public struct PostgresValue {
    /// Nil is NULL.
    public let bytes: UnsafeRawBufferPointer?
    public let type: PostgresType

    public init(bytes: UnsafeRawBufferPointer?, type: PostgresType) {
        self.bytes = bytes
        self.type = type
    }

    /// The bytes, if the column is of one of these types. COPY does not report types, so every type matches.
    public func bytes(of types: PostgresType...) throws(PostgresDecodeFailure) -> UnsafeRawBufferPointer {
        guard types.contains(type) || type == .unknown else { throw .type }
        guard let bytes else { throw .null }
        return bytes
    }
}

extension UnsafeRawBufferPointer {
    /// Nil when the bytes end before.
    func integer<Integer: FixedWidthInteger>(_: Integer.Type, at offset: Int) -> Integer? {
        guard offset >= 0, offset + MemoryLayout<Integer>.size <= count else { return nil }
        return Integer(bigEndian: loadUnaligned(fromByteOffset: offset, as: Integer.self))
    }

    /// The bytes as an integer and nothing after it.
    func wholeInteger<Integer: FixedWidthInteger>(_: Integer.Type) throws(PostgresDecodeFailure) -> Integer {
        guard count == MemoryLayout<Integer>.size, let value = integer(Integer.self, at: 0) else { throw .malformed }
        return value
    }
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> Self {
        guard let decoded = Self(rawValue: try RawValue.decode(value)) else { throw .malformed }
        return decoded
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> Wrapped? {
        value.bytes == nil ? nil : try Wrapped.decode(value)
    }
}
