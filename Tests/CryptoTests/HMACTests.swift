import Crypto
import Testing

/// RFC 4231's test cases.
@Suite struct HMACTests {
    struct Vector: Sendable {
        let key: [UInt8]
        let message: [UInt8]
        let tag: String
    }

    static let vectors = [
        Vector(
            key: [UInt8](repeating: 0x0B, count: 20), message: Array("Hi There".utf8),
            tag: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Vector(
            key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
            tag: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Vector(
            key: [UInt8](repeating: 0xAA, count: 20), message: [UInt8](repeating: 0xDD, count: 50),
            tag: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Vector(
            key: Array(1...25), message: [UInt8](repeating: 0xCD, count: 50),
            tag: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Vector(
            key: [UInt8](repeating: 0x0C, count: 20), message: Array("Test With Truncation".utf8),
            tag: "a3b6167473100ee06e0c796c2955552b"),
        Vector(
            key: [UInt8](repeating: 0xAA, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            tag: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Vector(
            key: [UInt8](repeating: 0xAA, count: 131),
            message: Array(
                """
                This is a test using a larger than block-size key and a larger than block-size data. The key needs \
                to be hashed before being used by the HMAC algorithm.
                """.utf8),
            tag: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]

    @Test(arguments: vectors)
    func publishedTags(_ vector: Vector) throws {
        let expected = try Hex.decode(vector.tag)
        let key = HMACKey(vector.key)

        #expect(HMACSHA256.authenticate(vector.message, key: vector.key).starts(with: expected))
        // Twice, as a key is used again and again.
        for _ in 0..<2 {
            var tag = [UInt8](repeating: 0, count: expected.count)
            vector.message.withUnsafeBytes { message in
                tag.withUnsafeMutableBytes { key.tag(of: message, into: $0) }
            }
            #expect(tag == expected)
        }
    }

    @Test(arguments: [63, 64, 65])
    func keysAroundTheBlockLengthAreHashedOnlyBeyondIt(_ length: Int) {
        let key = [UInt8](repeating: 7, count: length)
        let padded = HMACSHA256.authenticate([1], key: key + [0])
        #expect((HMACSHA256.authenticate([1], key: key) == padded) == (length < 64))
        let hashed = HMACSHA256.authenticate([1], key: SHA256.hash(key))
        #expect((HMACSHA256.authenticate([1], key: key) == hashed) == (length > 64))
    }

    @Test(arguments: [1, 5, 31, 32])
    func shortTagsAreTheFirstBytes(_ length: Int) {
        let key = HMACKey("key".utf8)
        var tag = [UInt8](repeating: 0, count: length)
        [UInt8](repeating: 3, count: 16).withUnsafeBytes { message in
            tag.withUnsafeMutableBytes { key.tag(of: message, into: $0) }
        }
        #expect(tag == Array(key.tag(of: [UInt8](repeating: 3, count: 16)).prefix(length)))
    }
}
