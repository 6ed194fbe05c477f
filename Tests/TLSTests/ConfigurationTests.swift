import TLS
import TestSupport
import Testing

struct ConfigurationTests {
    @Test func aKeyOfAnotherCertificateIsRefused() throws {
        let certificates = try Certificates()
        let (chain, _) = try certificates.issue()
        let (_, key) = try certificates.issue()
        let error = #expect(throws: TLSError.self) {
            try TLSContext.server(certificateChain: chain, privateKey: key)
        }
        #expect(
            error?.description
                == "invalid TLS configuration: the private key does not match the certificate")
    }

    @Test(arguments: ["", "garbage", "-----BEGIN SOMETHING-----\nAAAA\n-----END SOMETHING-----\n"])
    func textWithoutPEMIsRefused(text: String) throws {
        let (chain, key) = try Certificates().issue()
        #expect(throws: TLSError.configuration("the PEM text contains no certificate")) {
            try TLSContext.server(certificateChain: text, privateKey: key)
        }
        #expect(throws: TLSError.configuration("the PEM text contains no certificate")) {
            try TLSContext.client(trust: .pem(text))
        }
        #expect(throws: TLSError.configuration("the PEM text contains no unencrypted private key")) {
            try TLSContext.server(certificateChain: chain, privateKey: text)
        }
    }

    @Test func aDamagedCertificateBehindAGoodOneIsNamed() throws {
        let (chain, key) = try Certificates().issue()
        let damaged = chain + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        #expect(throws: TLSError.configuration("certificate 2 in the PEM text is damaged")) {
            try TLSContext.server(certificateChain: damaged, privateKey: key)
        }
        let cut = chain + String(chain.prefix(chain.count / 2))
        #expect(throws: TLSError.configuration("certificate 2 in the PEM text is damaged")) {
            try TLSContext.server(certificateChain: cut, privateKey: key)
        }
    }

    @Test func theTimeUntilACertificateExpiresIsKnown() throws {
        func seconds(_ validity: Certificates.Validity) throws -> Int? {
            let (chain, key) = try Certificates().issue(validity)
            return try TLSContext.server(certificateChain: chain, privateKey: key).secondsUntilExpiry
        }
        let (left, past) = try (#require(try seconds(.valid)), #require(try seconds(.expired)))
        #expect((86_300...86_400).contains(left) && (-3_700...(-3_600)).contains(past))
        #expect(try TLSContext.client(trust: .systemRoots).secondsUntilExpiry == nil)
    }

    @Test func aFileOfRootsThatDoesNotExistIsNamed() {
        #expect(throws: TLSError.configuration("no certificates can be read from /tmp/belfry-no-roots.pem")) {
            try TLSContext.client(trust: .file("/tmp/belfry-no-roots.pem"))
        }
    }

    /// A passphrase prompt on the terminal would block a server forever.
    @Test func anEncryptedKeyIsRefusedWithoutAskingForItsPassphrase() async throws {
        let (chain, key) = try Certificates().issue()
        let encrypted = try await OpenSSLCommand.run(
            ["pkcs8", "-topk8", "-passout", "pass:secret"], input: key)
        #expect(encrypted.contains("ENCRYPTED"))
        #expect(throws: TLSError.configuration("the PEM text contains no unencrypted private key")) {
            try TLSContext.server(certificateChain: chain, privateKey: encrypted)
        }
    }
}
