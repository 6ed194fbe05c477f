public import FoundationEssentials

/// A type of array elements. `UInt8` is an exception: PostgreSQL has no such type, and an array of it is a bytea.
public protocol PostgresArrayElement: Sendable {
    static var arrayType: PostgresType { get }
    static func encode(_ elements: [Self], into bytes: inout [UInt8])
    static func decodeArray(_ value: PostgresValue) throws(PostgresDecodeFailure) -> [Self]
}

extension Array: PostgresEncodable where Element: PostgresArrayElement {
    public static var postgresType: PostgresType { Element.arrayType }
    public func encode(into bytes: inout [UInt8]) { Element.encode(self, into: &bytes) }
}

extension Array: PostgresDecodable where Element: PostgresArrayElement {
    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> [Element] {
        try Element.decodeArray(value)
    }
}

extension UInt8: PostgresArrayElement {
    public static var arrayType: PostgresType { .bytea }
    public static func encode(_ elements: [UInt8], into bytes: inout [UInt8]) { bytes.append(contentsOf: elements) }
    public static func decodeArray(_ value: PostgresValue) throws(PostgresDecodeFailure) -> [UInt8] {
        Array(try value.bytes(of: .bytea))
    }
}

extension PostgresArrayElement where Self: PostgresEncodable & PostgresDecodable {
    // Registrations come in columns of these: without a version of their own each element costs a dozen witness calls.
    @_specialize(where Self == String)
    @_specialize(where Self == String?)
    @_specialize(where Self == [UInt8])
    @_specialize(where Self == [UInt8]?)
    @_specialize(where Self == Int16?)
    @_specialize(where Self == JSONText?)
    public static func encode(_ elements: [Self], into bytes: inout [UInt8]) {
        bytes.appendArrayHeader(
            count: elements.count, type: postgresType, hasNulls: elements.contains { $0.isNull })
        for element in elements { bytes.append(field: element) }
    }

    public static func decodeArray(_ value: PostgresValue) throws(PostgresDecodeFailure) -> [Self] {
        guard value.type == arrayType || value.type == .unknown || accepts(value.type) else { throw .type }
        guard let bytes = value.bytes else { throw .null }
        let header = try PostgresArrayHeader(bytes)
        var elements: [Self] = []
        // An element takes at least the bytes of its length, so a wrong count can't reserve much memory.
        elements.reserveCapacity(min(header.count, bytes.count / 4))
        var offset = PostgresArrayHeader.length
        for _ in 0..<header.count {
            guard let length = bytes.integer(Int32.self, at: offset) else { throw .malformed }
            offset += 4
            guard length >= 0 else {
                elements.append(try decode(PostgresValue(bytes: nil, type: header.elementType)))
                continue
            }
            guard offset + Int(length) <= bytes.count else { throw .malformed }
            let field = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(length)])
            elements.append(try decode(PostgresValue(bytes: field, type: header.elementType)))
            offset += Int(length)
        }
        return elements
    }

    /// Arrays of the schema's own types, and of text's other names.
    private static func accepts(_ type: PostgresType) -> Bool {
        guard arrayType == .textArray else { return arrayType == .jsonbArray && type == .jsonArray }
        return type == .varcharArray || type == .nameArray || type.oid >= PostgresType.firstUserDefined
    }
}

extension Bool: PostgresArrayElement { public static var arrayType: PostgresType { .boolArray } }
extension Int16: PostgresArrayElement {
    public static var arrayType: PostgresType { .int2Array }
    public static func encode(_ elements: [Int16], into bytes: inout [UInt8]) {
        bytes.append(integers: elements, type: .int2)
    }
}
extension Int32: PostgresArrayElement {
    public static var arrayType: PostgresType { .int4Array }
    public static func encode(_ elements: [Int32], into bytes: inout [UInt8]) {
        bytes.append(integers: elements, type: .int4)
    }
}
extension Int64: PostgresArrayElement {
    public static var arrayType: PostgresType { .int8Array }
    public static func encode(_ elements: [Int64], into bytes: inout [UInt8]) {
        bytes.append(integers: elements, type: .int8)
    }
}
extension Int: PostgresArrayElement { public static var arrayType: PostgresType { .int8Array } }
extension Double: PostgresArrayElement { public static var arrayType: PostgresType { .float8Array } }
extension String: PostgresArrayElement { public static var arrayType: PostgresType { .textArray } }
extension Timestamp: PostgresArrayElement { public static var arrayType: PostgresType { .timestamptzArray } }
extension JSONText: PostgresArrayElement { public static var arrayType: PostgresType { .jsonbArray } }
extension UUID: PostgresArrayElement { public static var arrayType: PostgresType { .uuidArray } }
extension Array: PostgresArrayElement where Element == UInt8 {
    public static var arrayType: PostgresType { .byteaArray }
}
extension Optional: PostgresArrayElement
where Wrapped: PostgresArrayElement & PostgresEncodable & PostgresDecodable {
    public static var arrayType: PostgresType { Wrapped.arrayType }
}
