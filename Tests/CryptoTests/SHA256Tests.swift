import Crypto
import Testing

/// FIPS 180-4's examples, as NIST publishes them.
@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func publishedDigests(_ message: String, _ digest: String) {
        #expect(SHA256.hex(message.utf8) == digest)
        #expect(SHA256.hex(message.utf8.reversed().reversed() as [UInt8]) == digest)
    }

    @Test func splitMessagesHaveTheSameDigest() {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let digest = SHA256.hash(message)

        for split in 0...message.count {
            var hash = SHA256()
            hash.update(message[..<split])
            hash.update(message[split...])
            #expect(hash.digest() == digest)
        }
        var byByte = SHA256()
        for byte in message { byByte.update(CollectionOfOne(byte)) }
        #expect(byByte.digest() == digest)
    }

    @Test func digestLeavesTheStateOpenForMore() {
        var hash = SHA256()
        hash.update("ab".utf8)
        let fork = hash
        #expect(hash.digest() == SHA256.hash("ab".utf8))
        hash.update("c".utf8)
        #expect(hash.digest() == SHA256.hash("abc".utf8))
        #expect(fork.digest() == SHA256.hash("ab".utf8))
    }
}
