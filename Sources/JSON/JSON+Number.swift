extension JSON {
    /// A number as it was written: `11153971268435968`, `0.5`, `1e3` and `1.0` are all preserved.
    /// Two numbers are equal if their texts are.
    public struct Number: Sendable, Hashable {
        /// Follows the grammar of RFC 8259 §6.
        public let text: String

        /// `text` must follow the grammar, which the parser has checked.
        init(validated text: String) {
            self.text = text
        }

        /// An exact decimal such as PostgreSQL's `numeric` writes; nil for any other text.
        public init?(decimal text: String) {
            guard case .number(let number)? = try? JSON(parsing: text) else { return nil }
            self = number
        }

        public init(_ value: Int) {
            text = String(value)
        }

        /// Nil for infinities and NaN, which JSON can't represent.
        public init?(_ value: Double) {
            guard value.isFinite else { return nil }
            text = value.description
        }

        /// The value if it is whole and fits, however it is written: 2 for `2.0`, 1000 for `1e3`, 0 for `-0`.
        public var int: Int? {
            Int(text) ?? Int(canonical.text)
        }

        /// The nearest double; nil if the number is too large for one.
        public var double: Double? {
            guard let value = Double(text), value.isFinite else { return nil }
            return value
        }
    }
}

extension JSON.Number: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    public init(integerLiteral value: Int) {
        self.init(value)
    }

    public init(floatLiteral value: Double) {
        precondition(value.isFinite, "a literal that a Double cannot hold")
        text = value.description
    }
}
