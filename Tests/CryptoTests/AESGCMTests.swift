import Testing

@testable import Crypto

@Suite struct AESGCMTests {
    /// Test cases 13 to 16 of McGrew and Viega's "The Galois/Counter Mode of Operation".
    struct Vector: Sendable {
        var key = String(repeating: "0", count: 64)
        var nonce = String(repeating: "0", count: 24)
        var plaintext = ""
        var context = ""
        var ciphertext = ""
        var tag = ""
    }

    static let key15 = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
    static let plaintext15 =
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"
    static let ciphertext15 =
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
        + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad"

    static let vectors = [
        Vector(tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            plaintext: String(repeating: "0", count: 32), ciphertext: "cea7403d4d606b6e074ec5d3baf39d18",
            tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            key: key15, nonce: "cafebabefacedbaddecaf888", plaintext: plaintext15, ciphertext: ciphertext15,
            tag: "b094dac5d93471bdec1a502270e3cc6c"),
        Vector(
            key: key15, nonce: "cafebabefacedbaddecaf888", plaintext: String(plaintext15.dropLast(8)),
            context: "feedfacedeadbeeffeedfacedeadbeefabaddad2", ciphertext: String(ciphertext15.dropLast(8)),
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    @Test(arguments: vectors)
    func publishedVectors(_ vector: Vector) throws {
        let cipher = try AESGCM(key: Hex.decode(vector.key))
        let plaintext = try Hex.decode(vector.plaintext)
        let context = try Hex.decode(vector.context)

        let sealed = try cipher.seal(plaintext, authenticating: context, nonce: Hex.decode(vector.nonce))

        #expect(Hex.encode(sealed) == vector.nonce + vector.ciphertext + vector.tag)
        #expect(try cipher.open(sealed, authenticating: context) == plaintext)
    }

    @Test func sealingTwiceGivesDifferentBytes() throws {
        let cipher = try AESGCM(key: RandomBytes.make(count: 32))
        let first = try cipher.seal([1, 2, 3])
        let second = try cipher.seal([1, 2, 3])
        #expect(first != second)
        #expect(first.count == 12 + 3 + 16)
        #expect(try cipher.open(first) == cipher.open(second))
    }

    @Test func everyChangeIsNoticed() throws {
        let cipher = try AESGCM(key: RandomBytes.make(count: 32))
        let other = try AESGCM(key: RandomBytes.make(count: 32))
        let sealed = try cipher.seal([1, 2, 3], authenticating: [9])

        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: CryptoError.authenticationFailed) { try cipher.open(changed, authenticating: [9]) }
        }
        for length in 0..<sealed.count {
            #expect(throws: CryptoError.authenticationFailed) {
                try cipher.open(Array(sealed.prefix(length)), authenticating: [9])
            }
        }
        #expect(throws: CryptoError.authenticationFailed) { try cipher.open(sealed, authenticating: []) }
        #expect(throws: CryptoError.authenticationFailed) { try other.open(sealed, authenticating: [9]) }
        #expect(CryptoError.isQueueEmpty)
    }

    @Test(arguments: [0, 16, 31, 33])
    func keysOfAnotherLengthAreRefused(_ length: Int) {
        #expect(throws: CryptoError.outOfRange("A sealing key must have 32 bytes, not \(length).")) {
            try AESGCM(key: [UInt8](repeating: 0, count: length))
        }
    }

    @Test func plaintextsAreSealedUpToTheLimit() throws {
        let cipher = try AESGCM(key: RandomBytes.make(count: 32))
        let longest = [UInt8](repeating: 5, count: AESGCM.maximumLength)
        #expect(try cipher.open(cipher.seal(longest)) == longest)
        #expect(throws: CryptoError.outOfRange("At most 1048576 bytes can be sealed in one call, not 1048577.")) {
            try cipher.seal(longest + [5])
        }
    }
}
