public import JSON
import Notifications

/// A path to a value in a device's attributes: `city`, `address.city`, `["a.b"].c`. It leads through objects only,
/// not into lists.
public struct AttributePath: Hashable, Sendable, CustomStringConvertible {
    /// Never empty.
    public let names: [String]

    /// Bytes of one name.
    public static let maximumNameLength = 200

    /// A name that contains a dot, a bracket or a quote is written as a JSON string in brackets.
    public init(_ text: String) throws(InvalidValue) {
        let names = try Self.read(Array(text.utf8))
        guard names.count <= Field.maximumDepth else {
            throw InvalidValue("too-deep", "must have at most \(Field.maximumDepth) names, not \(names.count)")
        }
        guard names.allSatisfy({ $0.utf8.count <= Self.maximumNameLength }) else {
            throw InvalidValue("too-long", "must have names of at most \(Self.maximumNameLength) bytes")
        }
        guard !names.contains(where: { $0.utf8.contains(0) }) else {
            throw InvalidValue("null-character", "must not contain the character U+0000, which cannot be stored")
        }
        self.names = names.map(\.composed)
    }

    /// `names` is not empty.
    public init(names: [String]) {
        self.names = names
    }

    public var description: String {
        names.reduce("") { ProblemPath.member($1, of: $0) }
    }

    private static func read(_ bytes: [UInt8]) throws(InvalidValue) -> [String] {
        var names: [String] = []
        var index = 0
        repeat {
            if index < bytes.count, bytes[index] == UInt8(ascii: "[") {
                names.append(try quoted(bytes, &index))
            } else {
                if !names.isEmpty {
                    guard bytes[index] == UInt8(ascii: ".") else { throw malformed }
                    index += 1
                }
                let end = bytes[index...].firstIndex { ".[]\"\\".utf8.contains($0) || $0 < 0x20 } ?? bytes.count
                guard end > index else { throw malformed }
                names.append(String(decoding: bytes[index..<end], as: UTF8.self))
                index = end
            }
        } while index < bytes.count
        return names
    }

    /// The JSON string in the brackets that open at `index`; moves `index` past the closing bracket.
    private static func quoted(_ bytes: [UInt8], _ index: inout Int) throws(InvalidValue) -> String {
        let start = index + 1
        guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { throw malformed }
        var end = start + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end + 1 < bytes.count, bytes[end + 1] == UInt8(ascii: "]"),
            case .string(let name)? = try? JSON(parsing: Array(bytes[start...end]))
        else { throw malformed }
        index = end + 2
        return name
    }

    private static var malformed: InvalidValue {
        InvalidValue(
            "not-an-attribute", "must be an attribute's name, like \"plan\", or a path to it, like \"address.city\"")
    }
}
