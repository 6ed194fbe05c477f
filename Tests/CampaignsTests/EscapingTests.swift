import JSON
import Notifications
import TestSupport
import Testing

@testable import Campaigns

/// The way in which texts get into JSON strings.
struct EscapingTests {
    /// The text between quotes, or nil when it does not fit.
    private func escaped(_ bytes: [UInt8], room: Int = 4_096) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0xee, count: room + 8)
        let count: Int? = buffer.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var output = JSONOutput(start, capacity: room)
            return bytes.withUnsafeBytes { output.appendEscaped($0) } ? output.count : nil
        }
        #expect(buffer.suffix(8).allSatisfy { $0 == 0xee })
        return count.map { Array(buffer[..<$0]) }
    }

    private func decoded(_ bytes: [UInt8]) throws -> String? {
        guard let text = escaped(bytes), case .string(let string) = try JSON(parsing: [0x22] + text + [0x22]) else {
            return nil
        }
        return string
    }

    @Test func everyScalarComesThrough() throws {
        var text = String.UnicodeScalarView()
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            text.append(scalar)
            guard text.count == 500 || value == 0x10FFFF else { continue }
            // Shifted, so that each scalar meets the borders of the eight bytes that are looked at together.
            for shift in 0..<(value < 0x1000 ? 8 : 1) {
                let expected = String(repeating: "a", count: shift) + String(text)
                #expect(try decoded(Array(expected.utf8)) == expected)
            }
            text = String.UnicodeScalarView()
        }
    }

    @Test(arguments: 0...0xFF as ClosedRange<UInt8>)
    func everyByteIsSafeAtEveryPosition(byte: UInt8) throws {
        for place in 0..<20 {
            var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 20)
            bytes[place] = byte
            #expect(try decoded(bytes) == String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test(arguments: 0..<8)
    func brokenUTF8IsReplacedAsSwiftReplacesIt(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let bytes: [UInt8] = [
            0x00, 0x22, 0x41, 0x5C, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED,
            0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF,
        ]
        for _ in 0..<4_000 {
            let text = (0..<Int.random(in: 0...16, using: &generator)).map { _ in
                bytes.randomElement(using: &generator)!
            }
            #expect(try decoded(text) == String(decoding: text, as: UTF8.self), "\(text)")
        }
    }

    @Test(arguments: ["plain text", "\"\"\"\"", "日本語🔔", "\u{1}\u{2}", "a\"b\\c\nd"])
    func textThatDoesNotFitIsNotWritten(text: String) throws {
        let bytes = Array(text.utf8)
        let whole = try #require(escaped(bytes))

        for room in 0..<whole.count { #expect(escaped(bytes, room: room) == nil) }
        #expect(escaped(bytes, room: whole.count) == whole)
    }

    @Test func escapesOfJSONAreUndone() throws {
        let texts = [
            #""""#: "", #""a""#: "a", #""\"\\\/\b\f\n\r\t""#: "\"\\/\u{8}\u{C}\n\r\t",
            #""\u00e9\u00E9\u65e5""#: "éé日", #""x\ud83d\udd14y""#: "x🔔y", #""\ud83d""#: "\u{FFFD}",
            #""\ud83dx""#: "\u{FFFD}x", #""\udd14\ud83d""#: "\u{FFFD}\u{FFFD}", #""\ud83d\u0041""#: "\u{FFFD}A",
            #""\u12""#: "\u{FFFD}", #""\"#: "", #""\u"#: "\u{FFFD}", #""abc"#: "abc", #"""#: "", #""\q""#: "q",
        ]
        for (json, text) in texts {
            let scratch = ScratchBuffer()
            let found = Array(json.utf8).withUnsafeBytes {
                String(decoding: JSONText.unescaped($0, scratch), as: UTF8.self)
            }
            #expect(found == text, "\(json)")
        }
    }
}
