/// A file of inputs, one per line. A backslash begins an escape: `\n`, `\r`, `\t`, `\\`, and `\x` with two hexadecimal
/// digits for any other byte that is not printable ASCII. Empty lines and lines that begin with `#` are skipped, so an
/// input that begins with a `#` has it as `\x23`, and the empty input can't be stored.
public enum CorpusFile {
    public struct InvalidLine: Error, CustomStringConvertible {
        public let number: Int
        public var description: String { "line \(number) has an invalid escape or a byte that must be escaped" }
    }

    public static func read(_ text: String) throws(InvalidLine) -> [[UInt8]] {
        var inputs: [[UInt8]] = []
        for (index, line) in text.utf8.split(separator: newline, omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty && line.first != hash {
            guard let input = unescaped(line) else { throw InvalidLine(number: index + 1) }
            inputs.append(input)
        }
        return inputs
    }

    /// Short inputs first, so that the file changes little when inputs are added.
    public static func written(_ inputs: some Sequence<[UInt8]>) -> String {
        inputs.filter { !$0.isEmpty }.map(escaped)
            .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
            .map { $0 + "\n" }.joined()
    }

    private static let newline = UInt8(ascii: "\n")
    private static let hash = UInt8(ascii: "#")
    private static let backslash = UInt8(ascii: "\\")
    private static let named: [(letter: UInt8, byte: UInt8)] = [
        (UInt8(ascii: "n"), newline), (UInt8(ascii: "r"), 0x0D), (UInt8(ascii: "t"), 0x09), (backslash, backslash),
    ]

    private static func escaped(_ input: [UInt8]) -> String {
        var line: [UInt8] = []
        for (index, byte) in input.enumerated() {
            if let name = named.first(where: { $0.byte == byte }) {
                line += [backslash, name.letter]
            } else if 0x20...0x7E ~= byte && !(index == 0 && byte == hash) {
                line.append(byte)
            } else {
                let digits = String(byte, radix: 16)
                line += Array("\\x\(digits.count == 1 ? "0" : "")\(digits)".utf8)
            }
        }
        return String(decoding: line, as: UTF8.self)
    }

    private static func unescaped(_ line: Substring.UTF8View) -> [UInt8]? {
        var input: [UInt8] = []
        var rest = line[...]
        while let byte = rest.popFirst() {
            guard byte == backslash else {
                guard 0x20...0x7E ~= byte else { return nil }
                input.append(byte)
                continue
            }
            guard let letter = rest.popFirst() else { return nil }
            if let name = named.first(where: { $0.letter == letter }) {
                input.append(name.byte)
            } else {
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard letter == UInt8(ascii: "x"), digits.utf8.count == 2, let byte = UInt8(digits, radix: 16) else {
                    return nil
                }
                input.append(byte)
                rest = rest.dropFirst(2)
            }
        }
        return input
    }
}
