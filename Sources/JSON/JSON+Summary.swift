extension JSON {
    /// The value as error messages describe it: `the number 7`, `a list`.
    public var summary: Message {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let number): "the number \(number.text.prefix(Self.longestQuote))"
        case .string(let text) where text.count > Self.longestQuote: "the text \"\(text.prefix(Self.longestQuote))…\""
        case .string(let text): "the text \"\(text)\""
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// Characters of a value that a message repeats: enough to recognize it, and less than half of a device token or an
    /// API key, which may be in the wrong member.
    public static let longestQuote = 24
}

extension [String] {
    /// The elements, one of which is wanted: "start, update or end".
    public var alternatives: Message { .alternatives(self) }

    /// The elements one after the other: "start, update, end".
    public var list: Message { .list(self) }
}
