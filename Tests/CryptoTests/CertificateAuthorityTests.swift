import Crypto
import TestSupport
import Testing

@Suite struct CertificateAuthorityTests {
    @Test func issuedCertificatesVerifyForTheirNames() throws {
        let authority = try CertificateAuthority.make(commonName: "Belfry test authority")

        let issued = try authority.issue(
            commonName: "localhost", dnsNames: ["localhost", "*.push.example"], ipAddresses: ["127.0.0.1", "::1"])

        let leaf = try CertificateFacts(pem: issued.certificatePEM)
        #expect(leaf.isTrusted(by: authority.certificatePEM))
        #expect(leaf.commonName == "localhost")
        #expect(leaf.issuerCommonName == "Belfry test authority")
        #expect(leaf.matches(host: "localhost") && leaf.matches(host: "api.push.example"))
        #expect(!leaf.matches(host: "push.example"))
        #expect(leaf.matches(address: "127.0.0.1") && leaf.matches(address: "::1"))
        #expect(!leaf.matches(address: "127.0.0.2"))
        #expect(!leaf.isAuthority)
        #expect(leaf.belongs(toKey: issued.keyPEM))
        #expect(throws: Never.self) { try SigningKey(pem: issued.keyPEM) }
    }

    @Test func authoritiesAreAuthoritiesAndTrustOnlyTheirOwn() throws {
        let authority = try CertificateAuthority.make(commonName: "One")
        let other = try CertificateAuthority.make(commonName: "One")
        let issued = try authority.issue(commonName: "leaf")

        #expect(try CertificateFacts(pem: authority.certificatePEM).isAuthority)
        #expect(try CertificateFacts(pem: authority.certificatePEM).isTrusted(by: authority.certificatePEM))
        #expect(try !CertificateFacts(pem: issued.certificatePEM).isTrusted(by: other.certificatePEM))
    }

    @Test(arguments: [
        (CertificateValidity.days(1), true), (.expired, false), (.notYetValid, false),
        // Beyond 2049 the date is written another way.
        (.days(36_500), true),
    ])
    func validityCountsFromNow(_ validity: CertificateValidity, _ isTrusted: Bool) throws {
        let authority = try CertificateAuthority.make(commonName: "Test")
        let issued = try authority.issue(commonName: "leaf", dnsNames: ["leaf"], validity: validity)
        #expect(try CertificateFacts(pem: issued.certificatePEM).isTrusted(by: authority.certificatePEM) == isTrusted)
    }

    @Test func serialNumbersAreRandomAndOfSixteenBytes() throws {
        let authority = try CertificateAuthority.make(commonName: "Test")
        let serials = try (0..<8).map { _ in
            try CertificateFacts(pem: authority.issue(commonName: "leaf").certificatePEM).serial
        }
        #expect(Set(serials).count == serials.count)
        #expect(serials.allSatisfy { $0.count == 32 })
    }

    @Test func storedAuthoritiesIssueCertificates() throws {
        let authority = try CertificateAuthority.make(commonName: "Kept")
        let again = try CertificateAuthority(certificatePEM: authority.certificatePEM, keyPEM: authority.keyPEM)
        let issued = try again.issue(commonName: "leaf")
        #expect(try CertificateFacts(pem: issued.certificatePEM).isTrusted(by: authority.certificatePEM))
    }

    @Test func mismatchedPartsOfAnAuthorityAreRefused() throws {
        let authority = try CertificateAuthority.make(commonName: "Test")
        let other = try CertificateAuthority.make(commonName: "Test")
        let leaf = try authority.issue(commonName: "leaf")

        #expect(throws: CryptoError.notACertificate("the key does not match the certificate")) {
            try CertificateAuthority(certificatePEM: authority.certificatePEM, keyPEM: other.keyPEM)
        }
        #expect(throws: CryptoError.notACertificate("it is not a CA certificate")) {
            try CertificateAuthority(certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
        }
        #expect(throws: CryptoError.notACertificate("the file contains a private key")) {
            try CertificateAuthority(certificatePEM: authority.keyPEM, keyPEM: authority.keyPEM)
        }
    }

    @Test func invalidCertificateNamesAreRejected() throws {
        let authority = try CertificateAuthority.make(commonName: "Test")
        for name in ["", "a,IP:1.2.3.4", "a b", "a:b", String(repeating: "a", count: 254)] {
            #expect(throws: CryptoError.outOfRange("\"\(name)\" is not a DNS name.")) {
                try authority.issue(commonName: "leaf", dnsNames: [name])
            }
        }
        for address in ["", "localhost", "1.2.3.4,DNS:a"] {
            #expect(throws: CryptoError.outOfRange("\"\(address)\" is not an IP address.")) {
                try authority.issue(commonName: "leaf", ipAddresses: [address])
            }
        }
        #expect(throws: CryptoError.outOfRange("A certificate can't contain \"IP:1.2.3\".")) {
            try authority.issue(commonName: "leaf", ipAddresses: ["1.2.3"])
        }
    }

    @Test func commonNamesAndNamesHaveLimits() throws {
        let authority = try CertificateAuthority.make(commonName: String(repeating: "é", count: 64))
        for name in ["", String(repeating: "é", count: 65)] {
            #expect(throws: CryptoError.outOfRange("A common name must have 1 to 64 characters.")) {
                try authority.issue(commonName: name)
            }
        }
        let names = (1...100).map { "host\($0)" }
        #expect(throws: Never.self) { try authority.issue(commonName: "leaf", dnsNames: names) }
        #expect(throws: CryptoError.outOfRange("A certificate can have at most 100 names.")) {
            try authority.issue(commonName: "leaf", dnsNames: names, ipAddresses: ["::1"])
        }
    }
}
