/// For values embedded in the bodies of an API. A coder preserves neither the order of members nor the text of numbers:
/// decoded members are sorted by key, `1.0` may become `1`, `1e3` becomes `1000`, and a number that fits neither a
/// 64-bit integer nor a double is rounded to a double. Where that matters, parse the bytes with `init(parsing:)`.
extension JSON: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // A decoder does not report the type of the next value, so each type is tried; the error is the last one's.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .number(Number(validated: String(value)))
        } else if let value = try? container.decode(UInt64.self) {
            self = .number(Number(validated: String(value)))
        } else if let number = (try? container.decode(Double.self)).flatMap({ Number($0) }) {
            self = .number(number)
        } else if let elements = try? container.decode([JSON].self) {
            self = .array(elements)
        } else {
            let members = try container.decode([String: JSON].self)
            self = .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members):
            // As a dictionary, so that a coder's key strategy does not rename keys that people wrote.
            let pairs = members.map { ($0.key, $0.value) }
            try container.encode(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
        case .number(let number):
            if let value = Int64(number.text) {
                try container.encode(value)
            } else if let value = UInt64(number.text) {
                try container.encode(value)
            } else if let value = number.double {
                try container.encode(value)
            } else {
                throw EncodingError.invalidValue(
                    number.text,
                    EncodingError.Context(
                        codingPath: encoder.codingPath, debugDescription: "the number is too large to be encoded"))
            }
        }
    }
}
