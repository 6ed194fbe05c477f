import Crypto
import TestSupport
import Testing

@testable import API

struct TextDecoderTests {
    private static func decode(_ pieces: [[UInt8]], _ encoding: TextEncoding? = nil) -> [UInt8] {
        var decoder = TextDecoder(encoding)
        return pieces.flatMap { decoder.decode($0) } + decoder.finish()
    }

    private static func text(_ bytes: [UInt8], _ encoding: TextEncoding? = nil) -> String? {
        String(validating: decode([bytes], encoding), as: UTF8.self)
    }

    private static func utf16(_ text: String, isBig: Bool) -> [UInt8] {
        text.utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    private static let sample = "installation;Straße\r\n\u{1F600}\u{4E2D}\n"

    @Test func encodingIsRecognisedWithAndWithoutAMark() {
        for mark in ["", "\u{FEFF}"] {
            #expect(Self.text(Array((mark + Self.sample).utf8)) == Self.sample)
            #expect(Self.text(Self.utf16(mark + Self.sample, isBig: false)) == Self.sample)
            #expect(Self.text(Self.utf16(mark + Self.sample, isBig: true)) == Self.sample)
        }
        #expect(Self.text([]) == "" && Self.text([0xEF, 0xBB, 0xBF]) == "" && Self.text(Array("ab".utf8)) == "ab")
        // The mark is only one at the beginning.
        #expect(Self.text(Array("a\u{FEFF}b,c".utf8)) == "a\u{FEFF}b,c")
    }

    @Test func windows1252IsReadWhenItIsNamed() {
        let bytes = Array("M".utf8) + [0xFC] + Array("nchen ".utf8) + [0x80]
        #expect(Self.text(bytes) == nil)
        #expect(Self.text(bytes, .windows1252) == "München €")
    }

    @Test(arguments: [
        (TextEncoding.gb18030, "D5C5CEB0A3AC81308130", "张伟，\u{80}"), (.shiftJIS, "8E5293635C955CB1", "山田\\表ｱ"),
        (.big5, "B169B0B6", "張偉"), (.eucKR, "B1E8C3B6BCF6", "김철수"), (.windows1251, "C0EDEDE0", "Анна"),
        (.windows1250, "A3F3649F", "Łódź"), (.windows1254, "DE69FE6C69", "Şişli"),
    ])
    func encodingsOfOtherScriptsAreReadWhenTheyAreNamed(_ encoding: TextEncoding, _ hex: String, _ text: String) throws
    {
        let bytes = try Hex.decode(hex)
        #expect(Self.text(bytes, encoding) == text)
        // Half a character at the end is none, and spoils nothing before it.
        #expect(Self.decode([bytes + [0x81]], encoding).starts(with: text.utf8))
    }

    @Test func invalidBytesOfATableSpoilOnlyThemselves() {
        #expect(
            Self.decode([Array("a".utf8) + [0xFF] + Array("b\n".utf8) + [0xD5, 0xC5]], .gb18030) == Array("a".utf8) + [
                0xFF
            ] + Array("b\n张".utf8))
        let many = [UInt8](repeating: 0xFF, count: 1 << 20)
        // A difference of such lists would take long to print.
        let isSame = Self.decode([many], .gb18030) == many
        #expect(isSame)
    }

    @Test func likeliestEncodingComesFirst() throws {
        let german = Array("Ort;M".utf8) + [0xFC] + Array("nchen;Stra".utf8) + [0xDF] + Array("e\n".utf8)
        #expect(TextEncoding.possible(for: german).first == .windows1252)
        #expect(TextEncoding.possible(for: Array("name\n".utf8) + (try Hex.decode("D5C5CEB0"))).first == .gb18030)
        let japanese = Array("name\n".utf8) + (try Hex.decode("8E52936382DC83418F5C"))
        #expect(TextEncoding.possible(for: japanese).contains(.shiftJIS))
        #expect(TextEncoding.possible(for: [0xFF, 0xFF]) == [.windows1252])
    }

    @Test func halvesOfCharactersAreNoCharacters() {
        let broken: [UInt8] = [0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0x62, 0, 0x0A, 0, 0x63, 0, 0x64]
        #expect(Self.decode([broken]) == [0x61, 0xFF, 0x62, 0x0A, 0x63, 0xFF])
    }

    @Test(arguments: TextEncoding.allCases)
    func anyBytesGiveTheSameTextHoweverTheyAreCut(_ encoding: TextEncoding) {
        var random = SeededGenerator(seed: 7)
        let interesting: [UInt8] = [
            0xEF, 0xBB, 0xBF, 0xFF, 0xFE, 0, 0, 0x61, 0x0A, 0xD8, 0xDC, 0x80, 0x84, 0x31, 0x95, 0x33,
        ]
        for round in 0..<300 {
            let bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                interesting.randomElement(using: &random) ?? 0
            }
            let given = round % 2 == 0 ? encoding : nil
            let cuts = Cuts.all(bytes, &random).map { Self.decode($0, given) }
            #expect(cuts[0] == cuts[1] && cuts[0] == cuts[2])
        }
    }
}
