import FoundationEssentials
import TestSupport
import Testing

@testable import Crypto

/// Keys as people paste and store them. No spelling may be read as another key: each row is the fixture or an error.
@Suite struct PastedKeyTests {
    private static let key = KeyFixtures.p256
    private static let lines = key.split(separator: "\n").map(String.init)
    private static let body = lines[1...3].joined()
    private static let whole = Base64URL.encode(Array((key + "\n").utf8), alphabet: .standard)
    private static let der = [UInt8](Data(base64Encoded: body) ?? Data())

    @Test(arguments: [
        KeyFile("written-out line ends", key.replacing("\n", with: "\\n")),
        KeyFile("written-out line ends in quotes", "\"\(key.replacing("\n", with: "\\n"))\\n\""),
        KeyFile("written-out CRLF", key.replacing("\n", with: "\\r\\n")),
        KeyFile("escaped twice", key.replacing("\n", with: "\\\\n")),
        KeyFile("JSON that escapes / and +", key.replacing("/", with: "\\/").replacing("+", with: "\\u002B")),
        KeyFile("single quotes", "'\(key)'"),
        KeyFile("typographic quotes", "“\(key)”"),
        KeyFile("backticks", "```\n\(key)\n```"),
        KeyFile("line ends that became spaces", key.replacing("\n", with: " ")),
        KeyFile("no line ends", key.replacing("\n", with: "")),
        KeyFile("no spaces at all", key.replacing("\n", with: "").replacing(" ", with: "")),
        KeyFile("doubled line ends", key.replacing("\n", with: "\n\n")),
        KeyFile("CR CR LF", key.replacing("\n", with: "\r\r\n")),
        KeyFile("line separators", key.replacing("\n", with: "\u{2028}")),
        KeyFile("no-break spaces", key.replacing("\n", with: "\u{A0}\n\u{A0}").replacing(" ", with: "\u{A0}")),
        KeyFile("zero-width characters", key.replacing("G", with: "G\u{200B}").replacing("\n", with: "\u{2060}\n")),
        KeyFile("soft hyphens", key.replacing("M", with: "M\u{AD}")),
        KeyFile("em dashes", key.replacing("-----", with: "——-")),
        KeyFile("en dashes", key.replacing("-----", with: "–––––")),
        KeyFile("one dash", key.replacing("-----", with: "—")),
        KeyFile("no dashes in the BEGIN line", key.replacing("-----BEGIN PRIVATE KEY-----", with: "BEGIN PRIVATE KEY")),
        KeyFile("body alone", body),
        KeyFile("body in lines", lines[1...3].joined(separator: "\n")),
        KeyFile("body with literal line ends", lines[1...3].joined(separator: "\\n")),
        KeyFile("no BEGIN line", lines[1...4].joined(separator: "\n")),
        KeyFile("no END line", lines[0...3].joined(separator: "\n")),
        KeyFile("base64 of the file", Base64URL.encode(Array(key.utf8), alphabet: .standard)),
        KeyFile("YAML", "key: |\n" + lines.map { "    " + $0 }.joined(separator: "\n")),
        KeyFile("e-mail", lines.map { "> " + $0 }.joined(separator: "\n")),
        KeyFile("JSON", "{\"p8\": \"\(key.replacing("\n", with: "\\n"))\", \"key_id\": \"ABC123DEFG\"}"),
        KeyFile("HTML", "<pre>\(key.replacing("\n", with: "<br>"))</pre>"),
        KeyFile("URL", key.replacing("+", with: "%2B").replacing("\n", with: "%0A").replacing(" ", with: "+")),
        KeyFile("shell", lines.joined(separator: "\\\n")),
        KeyFile("data URL", "data:application/octet-stream;base64," + whole + "=="),
        KeyFile("data URL of the binary form", "data:application/pkcs8;base64," + body.replacing("+", with: "%2B")),
        KeyFile("base64 in JSON", "{\"key_id\":\"ABC123DEFG\",\"p8\":\"\(whole)\",\"team_id\":\"TEAM123456\"}"),
        KeyFile("base64 in JSON, wrapped", "{\n  \"p8\": \"\(wrapped("\\n"))\\n\",\n  \"id\": \"ABC123DEFG\"\n}"),
        KeyFile("body in JSON", "{\"privateKey\":\"\(body)\",\"keyId\":\"ABC123DEFG\"}"),
        KeyFile("settings of a shell", "export TEAM=TEAM123456\nexport APNS_KEY=\(whole)\nexport OTHER=1"),
        KeyFile("a secret in YAML", "apiVersion: v1\ndata:\n  AuthKey.p8: |\n    \(wrapped("\n    "))\n  other: YQ=="),
        KeyFile("base64 of base64", Base64URL.encode(Array(whole.utf8), alphabet: .standard)),
        KeyFile("the same key twice", key + "\n" + key),
        KeyFile("after its certificate", "\(certificate)\n\(key)"),
        KeyFile("SEC1", KeyFixtures.sec1),
        KeyFile("SEC1 on one line", KeyFixtures.sec1.replacing("\n", with: " ")),
        KeyFile("SEC1 with the wrong label", KeyFixtures.sec1.replacing("EC PRIVATE", with: "PRIVATE")),
    ])
    func spellingsOfAKeyAreRepaired(_ file: KeyFile) throws {
        #expect(try SigningKey(pem: file.pem).pem == Self.key + "\n")
        #expect(CryptoError.isQueueEmpty)
    }

    @Test func filesInOtherEncodingsAreRepaired() throws {
        let units = Array(("\u{FEFF}" + Self.key).utf16)
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for bytes in [little, big, Array(little.dropFirst(2)), Array(big.dropFirst(2)), Self.der] {
            #expect(try SigningKey(file: bytes).pem == Self.key + "\n")
            // As the pages send what is not text.
            let text = Base64URL.encode(bytes, alphabet: .standard)
            #expect(try SigningKey(pem: text).pem == Self.key + "\n")
        }
    }

    @Test(arguments: [
        (KeyFile("p12", KeyFixtures.pkcs12), "the file is a .p12 file, a certificate with its key under a password"),
        (KeyFile("certificate", certificate), "the file contains a certificate"),
        (
            KeyFile("certificate on one line", certificate.replacing("\n", with: "\\n")),
            "the file contains a certificate"
        ),
        (KeyFile("certificate request", KeyFixtures.certificateRequest), "the file contains a certificate request"),
        (KeyFile("public key", KeyFixtures.publicP256.replacing("\n", with: " ")), "the file contains a public key"),
        (
            KeyFile("public key, labelled as private", KeyFixtures.publicP256.replacing("PUBLIC", with: "PRIVATE")),
            "the file contains a public key"
        ),
        (KeyFile("encrypted", KeyFixtures.encrypted.replacing("\n", with: "\\n")), KeyContent.encryptedKey.reason),
        (KeyFile("encrypted SEC1", KeyFixtures.encryptedSEC1), KeyContent.encryptedKey.reason),
        (KeyFile("SSH key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ you@host"), "the file contains an SSH key"),
        (
            KeyFile("OpenSSH", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----"),
            "the file contains an SSH key"
        ),
        (KeyFile("provider token", "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJURUFNIn0.c2ln"), KeyContent.webToken.reason),
        (KeyFile("web page", "\u{FEFF}<!DOCTYPE html><html><body>Sign in</body></html>"), KeyContent.webPage.reason),
        (KeyFile("JSON", "{\"error\": \"not found\"}"), KeyContent.json.reason),
        (KeyFile("cut", lines[0...2].joined(separator: "\n")), KeyContent.cut.reason),
        (KeyFile("half a body", String(body.prefix(100))), KeyContent.cut.reason),
        (KeyFile("changed", key.replacing("MIGH", with: "MIGG")), KeyContent.damaged.reason),
        (KeyFile("two keys", "\(key)\n\(other)"), "the file contains several private keys; leave only one in it"),
        (KeyFile("a key ID", "ABC123DEFG"), "it contains no -----BEGIN PRIVATE KEY----- line"),
        (KeyFile("invisible", "\u{FEFF}\u{200B} \n"), "it is empty"),
    ])
    func otherThingsAreNamed(_ file: KeyFile, _ reason: String) throws {
        #expect(throws: CryptoError.notAPrivateKey(reason)) { try SigningKey(pem: file.pem) }
        #expect(CryptoError.isQueueEmpty)
    }

    /// base64 as `base64` writes it, with lines of 76 characters.
    private static func wrapped(_ lineEnd: String) -> String {
        stride(from: 0, to: whole.count, by: 76).map { String(whole.dropFirst($0).prefix(76)) }
            .joined(separator: lineEnd)
    }

    @Test func binaryFilesThatWereOpenedAsTextAreNamed() {
        let p12 = Data(base64Encoded: KeyFixtures.pkcs12.replacing("\n", with: "")) ?? Data()
        for text in [String(decoding: Self.der, as: UTF8.self), String(decoding: p12, as: UTF8.self)] {
            for spelling in [text, text.replacing("\0", with: "")] {
                #expect(throws: CryptoError.notAPrivateKey(KeyContent.binaryText.reason)) {
                    try SigningKey(pem: spelling)
                }
            }
        }
    }

    @Test func binaryFilesAreNamed() throws {
        #expect(throws: CryptoError.notAPrivateKey(KeyContent.pkcs12.reason)) {
            try SigningKey(file: Data(base64Encoded: KeyFixtures.pkcs12.replacing("\n", with: "")) ?? Data())
        }
        #expect(throws: CryptoError.notAPrivateKey(KeyContent.archive.reason)) {
            try SigningKey(file: Array("PK\u{3}\u{4}".utf8) + [0, 0xFF])
        }
        #expect(throws: CryptoError.notP256(.rsa)) {
            try SigningKey(pem: KeyFixtures.rsa.replacing("\n", with: " "))
        }
        #expect(CryptoError.isQueueEmpty)
    }

    @Test func filesOfAServerAreRepairedToo() throws {
        let authority = try CertificateAuthority.make(commonName: "Test")
        let leaf = try authority.issue(commonName: "localhost")
        let chain = leaf.certificatePEM + authority.certificatePEM

        #expect(try PEMFile.certificates(chain.utf8) == chain)
        #expect(try PEMFile.certificates(chain.replacing("\n", with: "\\n").utf8) == chain)
        #expect(try PEMFile.certificates((leaf.keyPEM + chain).replacing("-----", with: "—").utf8) == chain)
        #expect(try PEMFile.privateKey((chain + leaf.keyPEM).replacing("\n", with: " ").utf8) == leaf.keyPEM)
        #expect(try PEMFile.privateKey(KeyFixtures.rsa.utf8) == KeyFixtures.rsa + "\n")
        #expect(throws: CryptoError.notACertificate("the file contains a private key")) {
            try PEMFile.certificates(leaf.keyPEM.utf8)
        }
        #expect(throws: CryptoError.notAPrivateKey("the file contains a certificate")) {
            try PEMFile.privateKey(chain.utf8)
        }
        #expect(throws: CryptoError.notACertificate(KeyContent.damaged.reason)) {
            try PEMFile.certificates((chain + leaf.certificatePEM.replacing("MII", with: "MIH")).utf8)
        }
    }

    @Test(arguments: ["\u{FEFF}%", "\"%\"", "'%'\n", "“%”", "%\\n", "0x%", "\u{200B}%\u{A0}", "%\\n%", "%,%"])
    func spellingsOfASealingKeyAreRepaired(_ spelling: String) throws {
        let hex = String(repeating: "0F", count: 32)
        let ring = try SealingKeyRing(text: spelling.replacing("%", with: hex))
        #expect(ring.all.map(\.id) == [try SealingKeyRing(text: hex).current.id])
    }

    /// Whatever happens to a key on its way, it is never read as another one. (A byte can change the form of the public
    /// point without changing the point, so the signature tells, and not the text.)
    @Test func damagedKeysAreTheKeyOrAnError() throws {
        let original = try SigningKey(pem: Self.key).publicKey
        var generator = SeededGenerator(seed: 1)
        let interesting = Array("\\n%&<>;\"'-=+/ AZ09#x\u{0}".utf8) + [0x30, 0x80, 0xC3, 0xFE, 0xFF]
        for number in 0..<600 {
            var bytes = number % 3 == 0 ? Self.der : Array(Self.key.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                let byte = interesting.randomElement(using: &generator) ?? 0
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = byte
                default: bytes.insert(byte, at: place)
                }
            }
            guard let read = try? SigningKey(file: bytes) else { continue }
            #expect(original.isValid(signature: try read.signature(for: "a".utf8), for: "a".utf8))
        }
        #expect(CryptoError.isQueueEmpty)
    }

    private static let other = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgziIg/2YbVt7vL9mE
        pRFM2MNay5rsYyozQufGqQDmUJehRANCAARjepRJPDyL5u4BbtKlABOx7IgdJ3CJ
        iAPX3ezw0hRdaOHVVazwUkWaZvCmpXN/UVf/+IaBkoJIA/JGCWQ2GrYl
        -----END PRIVATE KEY-----
        """
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBczCCARmgAwIBAgIUJBv7966lZRgOu73VDhrZuO+x4SwwCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEUHVzaDAeFw0yNjExMjcwMDM4MTBaFw0zNjExMjQwMDM4MTBa
        MA8xDTALBgNVBAMMBFB1c2gwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQdXuHV
        mH11U1an4tRFCqlCJ6/tZ0MHV/DdXWkaXGRKqjyFPLoIN9SxAxuDBynAcepAqbuX
        UbDlnKUDp3yFfcdho1MwUTAdBgNVHQ4EFgQU6kR4yTkT/LNy0JIsAATmnPUdUK0w
        HwYDVR0jBBgwFoAU6kR4yTkT/LNy0JIsAATmnPUdUK0wDwYDVR0TAQH/BAUwAwEB
        /zAKBggqhkjOPQQDAgNIADBFAiBs0RrGPQ1/w7Dat0eWmr0+QmkDy0kNPGeWUCDd
        ujNccAIhAJC9ewgCCHGXRqYAPI5Q7GWHpPMv4KnS/Pp1Tkry14ja
        -----END CERTIFICATE-----
        """
}
