import Crypto

/// A simulator's signing key and certificate authority, stored in a folder so that they stay the same across runs.
/// Created if they are missing.
struct SimulatorKeys {
    let directory: String
    let keyID: String

    func signingKey() throws -> SigningKey {
        let path = "\(directory)/AuthKey_\(keyID).p8"
        if TextFile.exists(path) { return try SigningKey(pem: try TextFile.read(path)) }
        let key = try SigningKey.generate()
        try TextFile.write(key.pem, to: path, isSecret: true)
        return key
    }

    func authority() throws -> CertificateAuthority {
        let (certificate, key) = ("\(directory)/ca.pem", "\(directory)/ca.key")
        if TextFile.exists(certificate), TextFile.exists(key) {
            return try CertificateAuthority(
                certificatePEM: try TextFile.read(certificate), keyPEM: try TextFile.read(key))
        }
        let authority = try CertificateAuthority.make(commonName: "Belfry's simulated APNs")
        try TextFile.write(authority.keyPEM, to: key, isSecret: true)
        try TextFile.write(authority.certificatePEM, to: certificate)
        return authority
    }
}
