import Crypto

/// An authority for one test, and the certificates that it issues.
public struct Certificates: Sendable {
    public enum Validity: Sendable { case valid, expired, notYetValid, days(Int) }

    private let authority: CertificateAuthority

    public init(commonName: String = "Belfry test authority") throws {
        authority = try CertificateAuthority.make(commonName: commonName)
    }

    /// The CA certificate that a client must trust.
    public var rootPEM: String { authority.certificatePEM }
    public var rootKeyPEM: String { authority.keyPEM }

    /// For a server on this machine, unless told otherwise.
    public func issue(
        dnsNames: [String] = ["localhost"], ipAddresses: [String] = ["127.0.0.1", "::1"], _ validity: Validity = .valid
    ) throws -> (certificatePEM: String, keyPEM: String) {
        let validity: CertificateValidity =
            switch validity {
            case .valid: .days(1)
            case .expired: .expired
            case .notYetValid: .notYetValid
            case .days(let count): .days(count)
            }
        return try authority.issue(
            commonName: dnsNames.first ?? ipAddresses.first ?? "nobody", dnsNames: dnsNames,
            ipAddresses: ipAddresses, validity: validity)
    }
}
