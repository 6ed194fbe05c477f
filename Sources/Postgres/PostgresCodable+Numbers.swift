extension Bool: PostgresEncodable, PostgresDecodable {
    public static var postgresType: PostgresType { .bool }
    public func encode(into bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> Bool {
        try value.bytes(of: .bool).wholeInteger(UInt8.self) != 0
    }
}

extension Int16: PostgresEncodable, PostgresDecodable {
    public static var postgresType: PostgresType { .int2 }
    public func encode(into bytes: inout [UInt8]) { bytes.append(integer: self) }
    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> Int16 {
        try value.bytes(of: .int2).wholeInteger(Int16.self)
    }
}

/// Reads int2 too.
extension Int32: PostgresEncodable, PostgresDecodable {
    public static var postgresType: PostgresType { .int4 }
    public func encode(into bytes: inout [UInt8]) { bytes.append(integer: self) }
    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> Int32 {
        if value.type == .int2 { return Int32(try Int16.decode(value)) }
        return try value.bytes(of: .int4).wholeInteger(Int32.self)
    }
}

/// Reads int2 and int4 too.
extension Int64: PostgresEncodable, PostgresDecodable {
    public static var postgresType: PostgresType { .int8 }
    public func encode(into bytes: inout [UInt8]) { bytes.append(integer: self) }
    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> Int64 {
        if value.type == .int2 || value.type == .int4 { return Int64(try Int32.decode(value)) }
        return try value.bytes(of: .int8).wholeInteger(Int64.self)
    }
}

/// The same as `Int64`.
extension Int: PostgresEncodable, PostgresDecodable {
    public static var postgresType: PostgresType { .int8 }
    public func encode(into bytes: inout [UInt8]) { bytes.append(integer: Int64(self)) }
    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> Int {
        Int(try Int64.decode(value))
    }
}

/// Reads float4 too.
extension Double: PostgresEncodable, PostgresDecodable {
    public static var postgresType: PostgresType { .float8 }
    public func encode(into bytes: inout [UInt8]) { bytes.append(integer: bitPattern) }
    public static func decode(_ value: PostgresValue) throws(PostgresDecodeFailure) -> Double {
        if value.type == .float4 {
            return Double(Float(bitPattern: try value.bytes(of: .float4).wholeInteger(UInt32.self)))
        }
        return Double(bitPattern: try value.bytes(of: .float8).wholeInteger(UInt64.self))
    }
}
