import Foundation
import JSON
import TestSupport
import Testing

@Suite struct JSONStringTests {
    /// A simple version of `JSONString.escape`.
    private func reference(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{8}": result += "\\b"
            case "\u{C}": result += "\\f"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..."\u{1F}": result += "\\u" + String(format: "%04x", scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private func escape(_ text: String, room: Int) -> [UInt8]? {
        var output = [UInt8](repeating: 0xEE, count: room)
        let written = Array(text.utf8).withUnsafeBytes { source in
            output.withUnsafeMutableBytes { JSONString.escape(source, into: $0) }
        }
        return written.map { Array(output.prefix($0)) }
    }

    /// All of ASCII, and the ends of every length of UTF-8, of the surrogates' gap and of the separators.
    static let scalars: [Unicode.Scalar] =
        (Array(0...0x9F) + [
            0x7FF, 0x800, 0x2027, 0x2028, 0x2029, 0x202A, 0xD7FF, 0xE000, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000,
            0x1F600, 0x10FFFF,
        ]).compactMap { Unicode.Scalar(UInt32($0)) }

    @Test func everyTrickyCharacterIsWrittenTheSameByAllAndComesBack() throws {
        for scalar in Self.scalars {
            let text = "a\(scalar)\(scalar)b"
            let expected = Array(reference(text).utf8)

            #expect(escape(text, room: 64) == expected)
            #expect(Array(text.utf8).withUnsafeBytes(JSONString.escapedCount) == expected.count)
            #expect(JSON.string(text).encoded() == [0x22] + expected + [0x22])
            #expect(try JSON(parsing: [0x22] + expected + [0x22]) == .string(text))
            let foundation = try JSONSerialization.jsonObject(
                with: Data([0x22] + expected + [0x22]), options: .fragmentsAllowed)
            #expect((foundation as? String).map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test(arguments: 0..<4)
    func randomTextsAreWrittenTheSameByAll(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let text = JSON.randomText(using: &generator)
            let expected = Array(reference(text).utf8)

            #expect(escape(text, room: text.utf8.count * JSONString.maximumExpansion) == expected)
        }
    }

    @Test(arguments: ["abc", "a\"b", "\u{1}", "é\n", ""])
    func roomIsEnoughToTheByteAndNotOneLess(_ text: String) {
        let size = reference(text).utf8.count

        #expect(escape(text, room: size)?.count == size)
        if size > 0 { #expect(escape(text, room: size - 1) == nil) }
    }

    @Test func slashAndDeleteStayAsTheyAre() {
        #expect(JSON.string("https://a/\u{7F}").encoded() == Array("\"https://a/\u{7F}\"".utf8))
    }
}
