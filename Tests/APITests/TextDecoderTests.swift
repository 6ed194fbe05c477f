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

    @Test func halvesOfCharactersAreNoCharacters() {
        let broken: [UInt8] = [0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0x62, 0, 0x0A, 0, 0x63, 0, 0x64]
        #expect(Self.decode([broken]) == [0x61, 0xFF, 0x62, 0x0A, 0x63, 0xFF])
    }

    @Test(arguments: TextEncoding.allCases)
    func anyBytesGiveTheSameTextHoweverTheyAreCut(_ encoding: TextEncoding) {
        var random = SeededGenerator(seed: 7)
        let interesting: [UInt8] = [0xEF, 0xBB, 0xBF, 0xFF, 0xFE, 0, 0, 0x61, 0x0A, 0xD8, 0xDC, 0x80]
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
