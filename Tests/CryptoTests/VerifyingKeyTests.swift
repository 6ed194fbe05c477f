import Testing

@testable import Crypto

@Suite struct VerifyingKeyTests {
    /// RFC 6979 A.2.5, P-256 with SHA-256.
    @Test(arguments: [
        (
            "sample", "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
            "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
        ),
        (
            "test", "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
            "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"
        ),
    ])
    func signaturesOfRFC6979AreValid(_ message: String, _ r: String, _ s: String) throws {
        let key = try VerifyingKey.make(
            x: Hex.decode("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"),
            y: Hex.decode("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"))
        let raw = try Hex.decode(r + s)
        let der = try #require(ECDSASignature.der(fromRaw: raw))

        #expect(key.isValid(signature: raw, for: message.utf8))
        #expect(key.isValid(signature: der, for: message.utf8))
        #expect(try ECDSASignature.raw(fromDER: der) == raw)
        #expect(!key.isValid(signature: raw, for: "Sample".utf8))
    }

    @Test func tokenOfRFC7515IsValid() throws {
        let key = try VerifyingKey.make(
            x: Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"),
            y: Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
        let signed =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let signature = try Base64URL.decode(
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")

        #expect(key.isValid(signature: signature, for: signed.utf8))
        #expect(!key.isValid(signature: signature, for: signed.dropLast().utf8))
    }

    @Test func malformedSignaturesAreInvalidAndLeaveNoErrorBehind() throws {
        let key = try SigningKey.generate()
        let raw = try key.signature(for: [1])
        let der = try key.derSignature(for: [1])
        let malformed = [
            [], [0x30], Array(raw.dropLast()), raw + [0], Array(der.dropLast()), der + [0],
            [UInt8](repeating: 0, count: 64), [UInt8](repeating: 0xFF, count: 64),
            Array(raw.suffix(32) + raw.prefix(32)),
        ]
        for signature in malformed {
            #expect(!key.publicKey.isValid(signature: signature, for: [1]))
            #expect(CryptoError.isQueueEmpty)
        }
    }

    @Test(arguments: [
        (KeyFile("empty", ""), CryptoError.notAPublicKey("it is empty")),
        (KeyFile("private", KeyFixtures.p256), .notAPublicKey("the file contains a private key")),
        (KeyFile("RSA", KeyFixtures.publicRSA), .notP256(.rsa)),
        (KeyFile("P-384", KeyFixtures.publicP384), .notP256(.p384)),
    ])
    func everyOtherFileIsRefusedByName(_ file: KeyFile, _ error: CryptoError) {
        #expect(throws: error) { try VerifyingKey(pem: file.pem) }
        #expect(CryptoError.isQueueEmpty)
    }
}

extension VerifyingKey {
    /// From the two coordinates, as vectors give them: SubjectPublicKeyInfo by hand (RFC 5480).
    static func make(x: [UInt8], y: [UInt8]) throws -> VerifyingKey {
        let head = try Hex.decode("3059301306072a8648ce3d020106082a8648ce3d030107034200" + "04")
        let body = Base64URL.encode(head + x + y, alphabet: .standard)
        let padding = String(repeating: "=", count: (4 - body.count % 4) % 4)
        return try VerifyingKey(pem: "-----BEGIN PUBLIC KEY-----\n\(body)\(padding)\n-----END PUBLIC KEY-----\n")
    }
}
