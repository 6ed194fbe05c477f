import Foundation

/// A value of a payload. `userInfo` holds `Any`, which is neither `Sendable` nor `Equatable`; this is both.
public enum JSONValue: Sendable, Equatable {
    /// Also a value that JSON does not have.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number that fits into 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// An object; the order of its members is lost.
    case object([String: JSONValue])

    /// Levels of nesting that are read. Deeper values become `null`, so that no payload exhausts a thread's stack.
    public static let maximumDepth = 64

    /// Reads any value, and never fails: a value that JSON doesn't have becomes `null`.
    public init(any value: Any) { self.init(any: value, depth: 0) }

    private init(any value: Any, depth: Int) {
        guard depth < Self.maximumDepth else {
            self = .null
            return
        }
        switch value {
        case let value as JSONValue: self = value
        case let value as String: self = .string(value)
        case let value as [AnyHashable: Any]: self = .object(Self.members(value, depth: depth))
        case let value as [Any]: self = .array(value.map { JSONValue(any: $0, depth: depth + 1) })
        // A Bool is an NSNumber too, and 1 is a Bool by bridging: only the stored type tells them apart.
        case let value as NSNumber: self = Self.number(value)
        default: self = .null
        }
    }

    private static func members(_ value: [AnyHashable: Any], depth: Int) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for (key, value) in value {
            guard let key = key.base as? String else { continue }
            members[key] = JSONValue(any: value, depth: depth + 1)
        }
        return members
    }

    private static func number(_ value: NSNumber) -> JSONValue {
        switch UInt8(bitPattern: value.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): return .bool(value.boolValue)
        default:
            let double = value.doubleValue
            // Integers above 2^53 are not exact as Double, so the integer is compared, not converted.
            if NSNumber(value: value.int64Value) == value { return .integer(value.int64Value) }
            return double.isFinite ? .number(double) : .null
        }
    }
}

extension JSONValue {
    /// The text; nil for any other type.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The whole number; nil for any other type, a string of digits included.
    public var integer: Int? { if case .integer(let value) = self { Int(exactly: value) } else { nil } }

    /// The number; nil for any other type.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The value as Foundation has it, for a `userInfo`.
    public var foundation: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): value
        case .number(let value): value
        case .string(let value): value
        case .array(let values): values.map(\.foundation)
        case .object(let members): members.mapValues(\.foundation)
        }
    }

    /// True or false; nil for any other type.
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The elements of a list; nil for any other type.
    var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The member of an object; nil if there is none, and for any other type.
    subscript(_ member: String) -> JSONValue? { object?[member] }

    /// The members; nil for any other type.
    public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
}
