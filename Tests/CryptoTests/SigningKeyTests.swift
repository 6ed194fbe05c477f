import Testing

@testable import Crypto

@Suite struct SigningKeyTests {
    static let encrypted = CryptoError.notAPrivateKey(
        KeyContent.encryptedKey.reason)
    static let damaged = CryptoError.notAPrivateKey(KeyContent.damaged.reason)
    let message = Array("a message".utf8)

    @Test func signaturesAreValidForTheirMessageOnly() throws {
        let key = try SigningKey.generate()

        let raw = try key.signature(for: message)
        let der = try key.derSignature(for: message)

        #expect(raw.count == 64)
        #expect(der.first == 0x30)
        for signature in [raw, der] {
            #expect(key.publicKey.isValid(signature: signature, for: message))
            #expect(!key.publicKey.isValid(signature: signature, for: message + [0]))
            #expect(try !SigningKey.generate().publicKey.isValid(signature: signature, for: message))
        }
    }

    @Test func rawSignaturesKeepLeadingZeros() throws {
        // One in 128 has R or S below 2²⁴⁸.
        let key = try SigningKey.generate()
        var withLeadingZero = 0
        for number in 0..<2_000 where withLeadingZero < 3 {
            let message = Array("\(number)".utf8)
            let raw = try key.signature(for: message)
            #expect(raw.count == 64)
            guard raw[0] == 0 || raw[32] == 0 else { continue }
            withLeadingZero += 1
            #expect(key.publicKey.isValid(signature: raw, for: message))
        }
        #expect(withLeadingZero > 0)
    }

    @Test func emptyMessagesAndSlicesAreSigned() throws {
        let key = try SigningKey.generate()
        #expect(try key.publicKey.isValid(signature: key.signature(for: []), for: []))
        #expect(try key.publicKey.isValid(signature: key.signature(for: message[2...]), for: Array(message[2...])))
    }

    @Test func pemRoundTripKeepsTheKey() throws {
        let key = try SigningKey.generate()
        let again = try SigningKey(pem: key.pem)

        #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(key.pem.hasSuffix("-----END PRIVATE KEY-----\n"))
        #expect(again.pem == key.pem)
        #expect(again.publicKey == key.publicKey)
        #expect(try VerifyingKey(pem: key.publicKey.pem) == key.publicKey)
    }

    @Test func opensslKeyFilesAreReadWithTheirPublicHalf() throws {
        let publicKey = try VerifyingKey(pem: KeyFixtures.publicP256)
        #expect(try SigningKey(pem: KeyFixtures.p256).publicKey == publicKey)
        #expect(try SigningKey(pem: KeyFixtures.sec1).publicKey == publicKey)
    }

    @Test(arguments: [
        KeyFile("CRLF", KeyFixtures.p256.replacing("\n", with: "\r\n") + "\r\n"),
        KeyFile("CR", KeyFixtures.p256.replacing("\n", with: "\r")),
        KeyFile("surrounded", " \t\n\n" + KeyFixtures.p256 + "\n \n"),
        KeyFile("indented", KeyFixtures.p256.replacing("\n", with: " \n    ")),
        KeyFile("byte order mark", "\u{FEFF}" + KeyFixtures.p256),
        KeyFile("text before", "Key ID: ABC123\n" + KeyFixtures.p256),
    ])
    func pastedKeysAreReadWhateverTheirWhiteSpace(_ file: KeyFile) throws {
        #expect(try SigningKey(pem: file.pem).pem == KeyFixtures.p256 + "\n")
    }

    @Test(arguments: [
        (KeyFile("empty", ""), CryptoError.notAPrivateKey("it is empty")),
        (KeyFile("blank", " \r\n\t"), .notAPrivateKey("it is empty")),
        (KeyFile("garbage", "garbage"), .notAPrivateKey("it contains no -----BEGIN PRIVATE KEY----- line")),
        (KeyFile("encrypted", KeyFixtures.encrypted), encrypted),
        (KeyFile("encrypted SEC1", KeyFixtures.encryptedSEC1), encrypted),
        (KeyFile("public", KeyFixtures.publicP256), .notAPrivateKey("the file contains a public key")),
        (KeyFile("public RSA", KeyFixtures.publicRSA), .notAPrivateKey("the file contains a public key")),
        (KeyFile("changed", KeyFixtures.p256.replacing("MIGH", with: "MIGG")), damaged),
        (KeyFile("cut", String(KeyFixtures.p256.dropLast(40))), .notAPrivateKey(KeyContent.cut.reason)),
        (KeyFile("RSA", KeyFixtures.rsa), .notP256(.rsa)),
        (KeyFile("P-384", KeyFixtures.p384), .notP256(.p384)),
        (KeyFile("secp256k1", KeyFixtures.secp256k1), .notP256(.curve("secp256k1"))),
        (KeyFile("Ed25519", KeyFixtures.ed25519), .notP256(.type("ED25519"))),
    ])
    func everyOtherFileIsRefusedByName(_ file: KeyFile, _ error: CryptoError) throws {
        #expect(throws: error) { try SigningKey(pem: file.pem) }
        #expect(CryptoError.isQueueEmpty)
    }

    @Test func certificatesAreRefusedByName() throws {
        let authority = try CertificateAuthority.make(commonName: "Test")
        #expect(throws: CryptoError.notAPrivateKey("the file contains a certificate")) {
            try SigningKey(pem: authority.certificatePEM)
        }
    }

    @Test func halvesOfDifferentKeysAreRefused() throws {
        // The last byte of the private number, EB, becomes E3.
        let damaged = KeyFixtures.p256.replacing(
            "17rhmvAX3W2p29Cx5MXUCpYeMeuhRANC", with: "17rhmvAX3W2p29Cx5MXUCpYeMeOhRANC")
        #expect(damaged != KeyFixtures.p256)
        #expect(throws: CryptoError.notAPrivateKey("its private and public halves do not match")) {
            try SigningKey(pem: damaged)
        }
        #expect(CryptoError.isQueueEmpty)
    }

    @Test func textsLongerThanTheLimitAreRejected() throws {
        let filler = PEM.maximumLength - KeyFixtures.p256.utf8.count
        let longest = String(repeating: "\n", count: filler) + KeyFixtures.p256
        #expect(try SigningKey(pem: longest).pem == KeyFixtures.p256 + "\n")
        #expect(throws: CryptoError.notAPrivateKey("it is longer than 16384 bytes")) {
            try SigningKey(pem: "\n" + longest)
        }
    }

    @Test func errorsHaveReadableDescriptions() {
        #expect(
            CryptoError.notP256(.rsa).description == "The file contains an RSA key; Apple's keys are EC P-256.")
        #expect(
            "\(CryptoError.notAPrivateKey("the file contains a public key"))"
                == "This is not a usable private key: the file contains a public key.")
    }

    @Test func secretsDoNotShowWhenPrinted() throws {
        let key = try SigningKey.generate()
        var dumped = ""
        dump(key, to: &dumped)
        dump([key], to: &dumped)
        #expect(!dumped.contains("PRIVATE"))
        #expect("\(key) \(String(reflecting: key))".contains("PRIVATE") == false)
        #expect("\(try AESGCM(key: [UInt8](repeating: 0, count: 32)))" == "AESGCM(redacted)")
    }

    @Test func manyThreadsSignWithOneKey() async throws {
        let key = try SigningKey.generate()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let message = Array("\(number)".utf8)
                    return try key.publicKey.isValid(signature: key.signature(for: message), for: message)
                }
            }
            for try await isValid in group { #expect(isValid) }
        }
    }
}
