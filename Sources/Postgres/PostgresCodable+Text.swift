public import FoundationEssentials

/// Sent as text. Reads every type whose binary form is its text: varchar, name, json, and the
/// schema's own types, where an enum is its label. A NUL byte is refused by the server.
extension String: PostgresEncodable, PostgresDecodable {
    public static var postgresType: PostgresType { .text }
    public func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }
    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> String {
        if value.type.oid >= PostgresType.firstUserDefined {
            guard let bytes = value.bytes else { throw .null }
            return String(decoding: bytes, as: UTF8.self)
        }
        return String(decoding: try value.bytes(of: .text, .varchar, .bpchar, .name, .json), as: UTF8.self)
    }
}

/// A JSON document as it is written, for json and jsonb columns; sent as jsonb.
public struct JSONText: Hashable, Sendable, PostgresEncodable, PostgresDecodable {
    public var bytes: [UInt8]

    /// UTF-8.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The first byte of binary jsonb.
    private static let version: UInt8 = 1

    public static var postgresType: PostgresType { .jsonb }

    public func encode(into bytes: inout [UInt8]) {
        bytes.append(Self.version)
        bytes.append(contentsOf: self.bytes)
    }

    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> JSONText {
        let bytes = try value.bytes(of: .jsonb, .json)
        guard value.type == .jsonb else { return JSONText(Array(bytes)) }
        guard bytes.first == version else { throw .malformed }
        return JSONText(Array(bytes.dropFirst()))
    }
}

extension UUID: PostgresEncodable, PostgresDecodable {
    public static var postgresType: PostgresType { .uuid }
    public func encode(into bytes: inout [UInt8]) { withUnsafeBytes(of: uuid) { bytes.append(contentsOf: $0) } }
    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> UUID {
        let bytes = try value.bytes(of: .uuid)
        guard bytes.count == MemoryLayout<uuid_t>.size else { throw .malformed }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}
