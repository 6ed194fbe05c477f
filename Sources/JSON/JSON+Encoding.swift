extension JSON {
    /// The value as UTF-8, without whitespace.
    public func encoded() -> [UInt8] {
        var output: [UInt8] = []
        write(into: &output)
        return output
    }

    /// The value formatted for people: one member or element per line, indented by two spaces; short lists on one line.
    public func lines(indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .array(let elements) where encoded().count > Self.shortList:
            return Self.block(elements.map { $0.lines(indent: inner) }, between: "[", "]", indent)
        case .object(let members) where !members.isEmpty:
            let lines = members.map { "\(JSON.string($0.key).lines()): \($0.value.lines(indent: inner))" }
            return Self.block(lines, between: "{", "}", indent)
        default: return String(decoding: encoded(), as: UTF8.self)
        }
    }

    /// The longest list on one line, in bytes.
    private static let shortList = 60

    private static func block(_ lines: [String], between opening: String, _ closing: String, _ indent: String) -> String
    {
        "\(opening)\n" + lines.map { "\(indent)  \($0)" }.joined(separator: ",\n") + "\n\(indent)\(closing)"
    }

    /// Appends the value to `output`.
    public func write(into output: inout [UInt8]) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .number(let number): output += number.text.utf8
        case .string(let text): Self.quote(text, into: &output)
        case .array(let elements):
            Self.write(elements, between: "[", "]", into: &output) { $0.write(into: &$1) }
        case .object(let members):
            Self.write(members, between: "{", "}", into: &output) { member, output in
                Self.quote(member.key, into: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(into: &output)
            }
        }
    }

    private static func write<Part>(
        _ parts: [Part], between opening: Unicode.Scalar, _ closing: Unicode.Scalar, into output: inout [UInt8],
        _ writePart: (Part, inout [UInt8]) -> Void
    ) {
        output.append(UInt8(ascii: opening))
        for (index, part) in parts.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            writePart(part, &output)
        }
        output.append(UInt8(ascii: closing))
    }

    private static func quote(_ text: String, into output: inout [UInt8]) {
        var text = text
        output.append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            let source = UnsafeRawBufferPointer(utf8)
            let start = output.count
            output += repeatElement(0, count: JSONString.escapedCount(source))
            output.withUnsafeMutableBytes { buffer in
                _ = JSONString.escape(source, into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
