/// Something that the server hands out. It is stored and compared as it came: only reading is written down, and what a
/// later version of the kit understands is still in the file.
///
/// It saves code, too: each type with `Codable` of the compiler's adds 2 to 5 KB to every app.
protocol ServerValue: Codable, Equatable, Sendable {
    /// As the server sent it.
    var json: JSONValue { get }

    /// Nil if a member is missing or has the wrong type that the value can't do without.
    init?(_ json: JSONValue)
}

extension ServerValue {
    public init(from decoder: any Decoder) throws {
        let json = try JSONValue(from: decoder)
        guard let value = Self(json) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "This is no \(Self.self)."))
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    public static func == (left: Self, right: Self) -> Bool { left.json == right.json }
}
