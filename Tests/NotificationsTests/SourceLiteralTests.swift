import Foundation
import JSON
import TestSupport
import Testing

@testable import Notifications

@Suite struct SourceLiteralTests {
    static let texts = [
        "plain", "", "say \"hi\"", "back\\slash", "\\(danger)", "\\\"", "line\nbreak\r\n\ttab", "100 %@ %d %%",
        "👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 é 回覆", "sep\u{2028}arat\u{2029}ors", "bidi\u{202E}edoc\u{2066}", "nul\0 bell\u{7}1 delete\u{7F} c1\u{85}2",
        "what??=trigraph????/", "\"; system(\"rm\"); \"", "*/ // <![CDATA[ ]]> & <b>", "\u{FEFF}mark",
        "\u{FFFE}\u{E000}\u{10FFFF}",
        "#\"raw\"#", "${shell} `tick`", "soft\u{AD}hyphen",
    ]

    static var all: [String] {
        var generator = SeededGenerator(seed: 7)
        return texts + (0..<300).map { _ in JSON.randomText(using: &generator) }
    }

    /// Reads a literal as the compilers do: what is between the quotes, its escapes undone.
    private func read(
        _ literal: String, after prefix: String, _ escape: (inout Substring.UnicodeScalarView) -> [UInt16]?
    )
        -> String?
    {
        // Scalar by scalar: a text may begin with an accent, which joins the quotation mark before it.
        let opening = (prefix + "\"").unicodeScalars
        var rest = Substring(literal).unicodeScalars
        guard rest.starts(with: opening), rest.popLast() == "\"" else { return nil }
        rest.removeFirst(opening.count)
        var units: [UInt16] = []
        while let scalar = rest.popFirst() {
            if scalar == "\"" || scalar == "\n" || scalar == "\r" { return nil }
            if scalar == "\\" {
                guard let escaped = escape(&rest) else { return nil }
                units += escaped
            } else {
                units += Array(String(scalar).utf16)
            }
        }
        return String(decoding: units, as: UTF16.self)
    }

    private func simple(_ scalar: Unicode.Scalar) -> [UInt16]? {
        switch scalar {
        case "\"", "\\", "?": Array(String(scalar).utf16)
        case "n": [0x0A]
        case "r": [0x0D]
        case "t": [0x09]
        default: nil
        }
    }

    private func take(_ count: Int, _ radix: Int, _ rest: inout Substring.UnicodeScalarView) -> UInt32? {
        let digits = String(Substring(rest.prefix(count)))
        rest.removeFirst(min(count, rest.count))
        return digits.utf8.count == count ? UInt32(digits, radix: radix) : nil
    }

    private func units(_ value: UInt32?) -> [UInt16]? {
        value.flatMap(Unicode.Scalar.init).map { Array(String($0).utf16) }
    }

    @Test(arguments: all)
    func swiftReadsWhatWasMeant(_ text: String) {
        let literal = SourceLiteral.swift(text)

        let back = read(literal, after: "") { rest in
            guard let first = rest.popFirst() else { return nil }
            guard first == "u" else { return first == "?" ? nil : simple(first) }
            guard rest.popFirst() == "{", let end = rest.firstIndex(of: "}") else { return nil }
            let digits = String(Substring(rest[..<end]))
            rest = rest[rest.index(after: end)...]
            return units(UInt32(digits, radix: 16))
        }

        #expect(back.map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test(arguments: all)
    func objectiveCReadsWhatWasMeant(_ text: String) {
        let literal = SourceLiteral.objectiveC(text)

        let back = read(literal, after: "@") { rest in
            guard let first = rest.first else { return nil }
            if ("0"..."7").contains(first) {
                var bytes: [UInt8] = []
                // Bytes of one character stand side by side.
                repeat {
                    guard let byte = take(3, 8, &rest) else { return nil }
                    bytes.append(UInt8(byte))
                    guard byte >= 0xC0 else { break }
                    guard rest.popFirst() == "\\", let next = take(3, 8, &rest) else { return nil }
                    bytes.append(UInt8(next))
                } while false
                return Array(String(decoding: bytes, as: UTF8.self).utf16)
            }
            rest.removeFirst()
            switch first {
            case "u": return take(4, 16, &rest).flatMap { $0 < 0xA0 ? nil : units($0) }
            case "U": return units(take(8, 16, &rest))
            default: return simple(first)
            }
        }

        #expect(back.map { Array($0.utf8) } == Array(text.utf8))
        #expect(!literal.contains("??"))
    }

    @Test(arguments: all)
    func stringsFileReadsWhatWasMeant(_ text: String) {
        let back = read(SourceLiteral.strings(text), after: "") { rest in
            guard let first = rest.popFirst() else { return nil }
            return first == "U" ? take(4, 16, &rest).map { [UInt16($0)] } : simple(first)
        }

        #expect(back.map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test(arguments: all)
    func nothingHides(_ text: String) {
        for literal in [SourceLiteral.swift(text), SourceLiteral.objectiveC(text), SourceLiteral.strings(text)] {
            let hidden = Array(literal.unicodeScalars).filter {
                switch $0.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: $0 != "\u{200D}"
                default: false
                }
            }
            #expect(hidden == [])
        }
    }

    @Test func literalsReadWell() {
        #expect(SourceLiteral.swift("\"a\" \\(b)\n\u{2028}👍 %") == #""\"a\" \\(b)\n\u{2028}👍 %""#)
        #expect(SourceLiteral.objectiveC("\"a\"\n\u{2028}👍 %@ ??= \u{7}1") == #"@"\"a\"\n\u2028👍 %@ ?\?= \0071""#)
        #expect(SourceLiteral.strings("\"a\"\n\u{2028}\u{E0001}") == #""\"a\"\n\U2028\UDB40\UDC01""#)
        #expect(SourceLiteral.xml("<a & b>\u{2028}\0\"") == "&lt;a &amp; b&gt;&#x2028;\u{FFFD}\"")
    }

    /// Foundation's parser drops a byte order mark even where it is written as a reference.
    @Test(arguments: all.filter { !$0.unicodeScalars.contains("\u{FEFF}") })
    func plistReadsWhatWasMeant(_ text: String) throws {
        let plist =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><string>\(SourceLiteral.xml(text))</string></plist>"

        let back = try PropertyListSerialization.propertyList(from: Data(plist.utf8), format: nil) as? String

        let sayable = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isSayable = scalar.value >= 0x20 && scalar.value < 0xFFFE || scalar.value > 0xFFFF
                    return isSayable || ["\t", "\n", "\r"].contains(scalar) ? scalar : "\u{FFFD}"
                }))
        #expect(back.map { Array($0.utf8) } == Array(sayable.utf8))
    }
}
