/// A value that can be a statement's parameter or a field of a COPY row, in PostgreSQL's binary format.
public protocol PostgresEncodable: Sendable {
    static var postgresType: PostgresType { get }
    /// Whether the value is NULL; `encode` is then not called.
    var isNull: Bool { get }
    /// Appends the value without its length.
    func encode(into bytes: inout [UInt8])
}

extension PostgresEncodable {
    public var isNull: Bool { false }
}

/// An id or an enum with a raw value is sent as that value.
extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
    public static var postgresType: PostgresType { RawValue.postgresType }
    public func encode(into bytes: inout [UInt8]) { rawValue.encode(into: &bytes) }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    public static var postgresType: PostgresType { Wrapped.postgresType }
    public var isNull: Bool { self?.isNull ?? true }
    public func encode(into bytes: inout [UInt8]) { self?.encode(into: &bytes) }
}

extension [UInt8] {
    /// Appends an integer as PostgreSQL sends it: the highest byte first.
    mutating func append(integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends a field: its length in bytes (-1 for NULL) and the value.
    mutating func append(field value: some PostgresEncodable) {
        guard !value.isNull else { return append(integer: Int32(-1)) }
        let start = count
        append(integer: Int32(0))
        value.encode(into: &self)
        let length = Int32(count - start - 4).bigEndian
        withUnsafeMutableBytes { $0.storeBytes(of: length, toByteOffset: start, as: Int32.self) }
    }
}
