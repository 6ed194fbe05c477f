/// A PostgreSQL type, identified by its object id in `pg_type`.
public struct PostgresType: Hashable, Sendable, CustomStringConvertible {
    public let oid: UInt32

    public init(oid: UInt32) {
        self.oid = oid
    }

    /// The type of COPY fields: COPY does not report types.
    public static let unknown = PostgresType(oid: 0)
    public static let bool = PostgresType(oid: 16)
    public static let bytea = PostgresType(oid: 17)
    public static let name = PostgresType(oid: 19)
    public static let int8 = PostgresType(oid: 20)
    public static let int2 = PostgresType(oid: 21)
    public static let int4 = PostgresType(oid: 23)
    public static let text = PostgresType(oid: 25)
    public static let json = PostgresType(oid: 114)
    public static let float4 = PostgresType(oid: 700)
    public static let float8 = PostgresType(oid: 701)
    public static let bpchar = PostgresType(oid: 1042)
    public static let varchar = PostgresType(oid: 1043)
    public static let timestamp = PostgresType(oid: 1114)
    public static let timestamptz = PostgresType(oid: 1184)
    public static let numeric = PostgresType(oid: 1700)
    public static let void = PostgresType(oid: 2278)
    public static let uuid = PostgresType(oid: 2950)
    public static let jsonb = PostgresType(oid: 3802)

    public static let boolArray = PostgresType(oid: 1000)
    public static let byteaArray = PostgresType(oid: 1001)
    public static let nameArray = PostgresType(oid: 1003)
    public static let int2Array = PostgresType(oid: 1005)
    public static let int4Array = PostgresType(oid: 1007)
    public static let textArray = PostgresType(oid: 1009)
    public static let int8Array = PostgresType(oid: 1016)
    public static let varcharArray = PostgresType(oid: 1015)
    public static let float8Array = PostgresType(oid: 1022)
    public static let timestamptzArray = PostgresType(oid: 1185)
    public static let jsonArray = PostgresType(oid: 199)
    public static let uuidArray = PostgresType(oid: 2951)
    public static let jsonbArray = PostgresType(oid: 3807)

    /// Types of extensions and of the schema itself (enums among them) are numbered from here on.
    static let firstUserDefined: UInt32 = 16_384

    private static let names: [PostgresType: String] = [
        .unknown: "unknown", .bool: "bool", .bytea: "bytea", .name: "name", .int8: "int8", .int2: "int2",
        .int4: "int4", .text: "text", .json: "json", .float4: "float4", .float8: "float8", .bpchar: "bpchar",
        .varchar: "varchar", .timestamp: "timestamp", .timestamptz: "timestamptz", .numeric: "numeric",
        .void: "void", .uuid: "uuid", .jsonb: "jsonb", .boolArray: "bool[]", .byteaArray: "bytea[]",
        .nameArray: "name[]", .int2Array: "int2[]", .int4Array: "int4[]", .textArray: "text[]",
        .int8Array: "int8[]", .varcharArray: "varchar[]", .float8Array: "float8[]",
        .timestamptzArray: "timestamptz[]", .jsonArray: "json[]", .uuidArray: "uuid[]", .jsonbArray: "jsonb[]",
    ]

    public var description: String { Self.names[self] ?? "type \(oid)" }
}
