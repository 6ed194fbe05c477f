import COpenSSL

/// The certificates and keys of a TLS server's files, of any type, repaired as `PEM` does it.
public enum PEMFile {
    /// Bytes. The bundle of all public authorities takes 220,000.
    static let maximumLength = 1 << 20

    /// The certificates in their order. A damaged one is refused, since it would be missing from the chain.
    public static func certificates(_ file: some Collection<UInt8>) throws(CryptoError) -> String {
        let pem = PEM(file, maximumLength: maximumLength)
        guard let found = pem.blocks(of: .certificate) else {
            throw .notACertificate(pem.problem(wanted: "CERTIFICATE"))
        }
        if let damage = pem.damage { throw .notACertificate(damage) }
        return found.map { PEM.text("CERTIFICATE", $0) }.joined()
    }

    /// The private key, as PKCS#8. The certificates may be in the same file.
    public static func privateKey(_ file: some Collection<UInt8>) throws(CryptoError) -> String {
        let pem = PEM(file, maximumLength: maximumLength)
        guard let handle = pem.blocks(of: .privateKey)?.first.flatMap(KeyContent.privateKey) else {
            throw .notAPrivateKey(pem.problem(wanted: "PRIVATE KEY"))
        }
        defer { EVP_PKEY_free(handle) }
        let stream = try MemoryStream()
        guard PEM_write_bio_PKCS8PrivateKey(stream.bio, handle, nil, nil, 0, nil, nil) == 1 else {
            throw .failed(to: "write a private key")
        }
        return stream.text()
    }
}
