import Testing

@testable import Crypto

@Suite struct Base64URLTests {
    /// RFC 4648 §10, without its padding, and the two characters that differ.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func publishedVectors(_ plain: String, _ encoded: String) throws {
        #expect(Base64URL.encode(plain.utf8) == encoded)
        #expect(try Base64URL.decode(encoded) == Array(plain.utf8))
        #expect(try Base64URL.decode(Array(encoded.utf8)) == Array(plain.utf8))
        let padded = encoded + String(repeating: "=", count: (4 - encoded.count % 4) % 4)
        #expect(try Base64URL.decode(padded, tolerating: .padding) == Array(plain.utf8))
    }

    @Test func allBytesSurviveTheRoundTrip() throws {
        for length in 0...260 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ length) }
            let text = Base64URL.encode(bytes)
            #expect(text.utf8.count == (length * 8 + 5) / 6)
            #expect(try Base64URL.decode(text) == bytes)
            #expect(
                try Base64URL.decode(Base64URL.encode(bytes, alphabet: .standard), tolerating: .standardAlphabet)
                    == bytes)
        }
    }

    @Test func toleranceIsAskedForByName() throws {
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        #expect(throws: CryptoError.notBase64(.character(offset: 0))) { try Base64URL.decode("+/8") }
        #expect(throws: CryptoError.notBase64(.padding)) { try Base64URL.decode("-_8=") }
        #expect(throws: CryptoError.notBase64(.padding)) {
            try Base64URL.decode("+/8=", tolerating: .standardAlphabet)
        }
        #expect(throws: CryptoError.notBase64(.character(offset: 0))) {
            try Base64URL.decode("+/8=", tolerating: .padding)
        }
        #expect(try Base64URL.decode("+/8=", tolerating: .lenient) == [0xFB, 0xFF])
        #expect(try Base64URL.decode("-_8", tolerating: .lenient) == [0xFB, 0xFF])
    }

    @Test(arguments: [
        ("A", CryptoError.EncodingFault.length(1)), ("AAAAA", .length(5)), ("Zh", .leftoverBits),
        ("Zm9", .leftoverBits),
        ("Zm 9v", .length(5)), ("Zm\n9vZ", .character(offset: 2)), ("é", .character(offset: 0)),
        ("Zg=", .padding), ("Zm9v====", .padding), ("=", .padding), ("Z=g=", .character(offset: 1)),
    ])
    func malformedTextsAreRefusedEvenLeniently(_ text: String, _ fault: CryptoError.EncodingFault) {
        #expect(throws: CryptoError.notBase64(fault)) { try Base64URL.decode(text, tolerating: .lenient) }
    }
}

@Suite struct HexTests {
    @Test func everyByteSurvivesTheRoundTrip() throws {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = Hex.encode(bytes)
        #expect(text.hasPrefix("000102030405060708090a0b0c0d0e0f10"))
        #expect(text.hasSuffix("f9fafbfcfdfeff"))
        #expect(try Hex.decode(text) == bytes)
        #expect(try Hex.decode(text.uppercased()) == bytes)
        #expect(try Hex.decode(Array(text.utf8)) == bytes)
        #expect(Hex.encode([]) == "")
        #expect(try Hex.decode("") == [])
    }

    @Test func encodingIntoABufferTouchesNothingBeyond() {
        var text = Array("......".utf8)
        [UInt8]([0x0A, 0xF9]).withUnsafeBytes { bytes in
            text.withUnsafeMutableBytes { Hex.encode(bytes, into: $0) }
        }
        #expect(text == Array("0af9..".utf8))
    }

    @Test func malformedTextsAreRefused() {
        #expect(throws: CryptoError.notHexadecimal(.length(3))) { try Hex.decode("abc") }
        for (offset, text) in ["g0", "0g", "000/", "000:", "000@", "000G", "000`"].enumerated() {
            #expect(throws: CryptoError.notHexadecimal(.character(offset: [0, 1, 3, 3, 3, 3, 3][offset]))) {
                try Hex.decode(text)
            }
        }
    }
}

@Suite struct RandomBytesTests {
    @Test func countsUpToTheLimitAreAccepted() throws {
        #expect(try RandomBytes.make(count: 0) == [])
        #expect(try RandomBytes.make(count: RandomBytes.maximumCount).count == RandomBytes.maximumCount)
        #expect(try RandomBytes.make(count: 32) != RandomBytes.make(count: 32))
        for count in [-1, RandomBytes.maximumCount + 1] {
            #expect(throws: CryptoError.self) { try RandomBytes.make(count: count) }
        }
    }

    @Test func secretsAreEqualOnlyWhenAllBytesAre() {
        #expect(constantTimeEquals([], []))
        #expect(constantTimeEquals([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEquals([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEquals([1, 2, 3], [0, 2, 3]))
        #expect(!constantTimeEquals([1, 2, 3], [1, 2]))
    }
}
