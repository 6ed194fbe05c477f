import COpenSSL

/// A private certificate authority for tests, the demo and the simulator, so that their TLS connections are verified
/// like connections to Apple. All keys are EC P-256.
public struct CertificateAuthority: Sendable, Redacted {
    public let certificatePEM: String
    /// A secret: its owner can impersonate any host to clients that trust this authority.
    public var keyPEM: String { key.pem }
    private let key: SigningKey

    public static func make(
        commonName: String, validity: CertificateValidity = .days(3_650)
    ) throws(CryptoError) -> CertificateAuthority {
        let key = try SigningKey.generate()
        let certificate = try X509Certificate(commonName: commonName, key: key.publicKey, validity: validity)
        try certificate.sign(
            asIssuedBy: certificate, with: key,
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
            ])
        return try CertificateAuthority(certificatePEM: certificate.pem(), key: key)
    }

    /// Restores an authority from its stored certificate and key, which must match.
    public init(certificatePEM: String, keyPEM: String) throws(CryptoError) {
        let key = try SigningKey(pem: keyPEM)
        let certificate = try X509Certificate(pem: certificatePEM)
        guard X509_check_private_key(certificate.handle, key.key.handle) == 1 else {
            CryptoError.clearErrors()
            throw .notACertificate("the key does not match the certificate")
        }
        guard X509_check_ca(certificate.handle) > 0 else {
            CryptoError.clearErrors()
            throw .notACertificate("it is not a CA certificate")
        }
        try self.init(certificatePEM: certificate.pem(), key: key)
    }

    private init(certificatePEM: String, key: SigningKey) throws(CryptoError) {
        self.certificatePEM = certificatePEM
        self.key = key
    }

    /// Issues a certificate and a new key for a server or a client. DNS names may begin with `*.`; addresses are
    /// IPv4 or IPv6. Throws `outOfRange` for an invalid name or address.
    public func issue(
        commonName: String, dnsNames: [String] = [], ipAddresses: [String] = [],
        validity: CertificateValidity = .days(90)
    ) throws(CryptoError) -> (certificatePEM: String, keyPEM: String) {
        let leafKey = try SigningKey.generate()
        let certificate = try X509Certificate(commonName: commonName, key: leafKey.publicKey, validity: validity)
        let names = try SubjectAlternativeNames(dnsNames: dnsNames, ipAddresses: ipAddresses)
        var extensions = [
            (NID_basic_constraints, "critical,CA:FALSE"),
            (NID_key_usage, "critical,digitalSignature"),
            (NID_ext_key_usage, "serverAuth,clientAuth"),
            (NID_subject_key_identifier, "hash"),
            (NID_authority_key_identifier, "keyid:always"),
        ]
        if let value = names.value { extensions.append((NID_subject_alt_name, value)) }
        try certificate.sign(asIssuedBy: X509Certificate(pem: certificatePEM), with: key, extensions: extensions)
        return (try certificate.pem(), leafKey.pem)
    }
}

/// The validity period of a certificate, relative to the time of its creation.
public struct CertificateValidity: Sendable, Equatable {
    public var starts: Duration
    public var ends: Duration

    public init(starts: Duration, ends: Duration) {
        self.starts = starts
        self.ends = ends
    }

    /// Starts one hour ago, because clocks differ.
    public static func days(_ count: Int) -> CertificateValidity {
        CertificateValidity(starts: .seconds(-3_600), ends: .seconds(86_400 * count))
    }

    /// Ended an hour ago.
    public static let expired = CertificateValidity(starts: .seconds(-7_200), ends: .seconds(-3_600))
    /// Begins in an hour.
    public static let notYetValid = CertificateValidity(starts: .seconds(3_600), ends: .seconds(7_200))
}
