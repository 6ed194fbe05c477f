import COpenSSL

/// An X.509 certificate (RFC 5280) that is being read or created; freed at the end of its scope.
struct X509Certificate: ~Copyable {
    /// RFC 5280 appendix A, ub-common-name, in characters.
    static let maximumCommonNameLength = 64
    /// Bytes of the random serial number; RFC 5280 §4.1.2.2 allows 20 octets.
    static let serialBits: Int32 = 127

    let handle: OpaquePointer

    init(pem: String) throws(CryptoError) {
        let pem = PEM(pem.utf8)
        guard let handle = pem.blocks(of: .certificate)?.first.flatMap(KeyContent.certificate) else {
            throw .notACertificate(pem.problem(wanted: "CERTIFICATE"))
        }
        self.handle = handle
    }

    init(commonName: String, key: VerifyingKey, validity: CertificateValidity) throws(CryptoError) {
        guard 1...Self.maximumCommonNameLength ~= commonName.unicodeScalars.count else {
            throw .outOfRange("A common name must have 1 to \(Self.maximumCommonNameLength) characters.")
        }
        guard let handle = X509_new() else { throw .failed(to: "reserve memory") }
        let name = Array(commonName.utf8)
        let version = 2  // the value 2 means version 3
        guard X509_set_version(handle, version) == 1,
            Self.setSerial(of: handle),
            X509_gmtime_adj(X509_getm_notBefore(handle), Int(validity.starts.components.seconds)) != nil,
            X509_gmtime_adj(X509_getm_notAfter(handle), Int(validity.ends.components.seconds)) != nil,
            X509_NAME_add_entry_by_txt(
                X509_get_subject_name(handle), "CN", MBSTRING_UTF8, name, Int32(name.count), -1, 0) == 1,
            X509_set_pubkey(handle, key.key.handle) == 1
        else {
            X509_free(handle)
            throw .failed(to: "make a certificate")
        }
        self.handle = handle
    }

    deinit { X509_free(handle) }

    /// Extensions in OpenSSL's notation, in order: an authority key identifier needs the issuer's subject key.
    func sign(
        asIssuedBy issuer: borrowing X509Certificate, with key: SigningKey, extensions: [(Int32, String)]
    ) throws(CryptoError) {
        guard X509_set_issuer_name(handle, X509_get_subject_name(issuer.handle)) == 1 else {
            throw .failed(to: "make a certificate")
        }
        for (nid, value) in extensions {
            guard belfry_x509_add_extension(handle, issuer.handle, nid, value) == 1 else {
                CryptoError.clearErrors()
                throw .outOfRange("A certificate can't contain \"\(value)\".")
            }
        }
        guard X509_sign(handle, key.key.handle, EVP_sha256()) > 0 else { throw .failed(to: "sign a certificate") }
    }

    func pem() throws(CryptoError) -> String {
        let stream = try MemoryStream()
        guard PEM_write_bio_X509(stream.bio, handle) == 1 else { throw .failed(to: "write a certificate") }
        return stream.text()
    }

    private static func setSerial(of handle: OpaquePointer) -> Bool {
        guard let number = BN_new() else { return false }
        defer { BN_free(number) }
        return BN_rand(number, serialBits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1
            && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(handle)) != nil
    }
}
