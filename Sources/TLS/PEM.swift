import COpenSSL

/// Reads PEM text (RFC 7468) into OpenSSL's objects, which the caller frees.
enum PEM {
    static func certificates(_ text: String) throws(TLSError) -> [OpaquePointer] {
        var certificates: [OpaquePointer] = []
        let source = makeSource(text)
        defer { BIO_free(source) }
        ERR_clear_error()
        while let certificate = PEM_read_bio_X509(source, nil, noPassphrase, nil) { certificates.append(certificate) }
        // "No start line" means the end of the text. Any other reason means a damaged certificate, which would be
        // missing from the chain.
        let reason = ERR_GET_REASON(ERR_peek_last_error())
        ERR_clear_error()
        guard reason == PEM_R_NO_START_LINE else {
            for certificate in certificates { X509_free(certificate) }
            throw .configuration("certificate \(certificates.count + 1) in the PEM text is damaged")
        }
        guard !certificates.isEmpty else { throw .configuration("the PEM text contains no certificate") }
        return certificates
    }

    static func privateKey(_ text: String) throws(TLSError) -> OpaquePointer {
        let source = makeSource(text)
        defer { BIO_free(source) }
        guard let key = PEM_read_bio_PrivateKey(source, nil, noPassphrase, nil) else {
            ERR_clear_error()
            throw .configuration("the PEM text contains no unencrypted private key")
        }
        return key
    }

    /// Copies the text into an OpenSSL memory BIO.
    private static func makeSource(_ text: String) -> OpaquePointer? {
        let source = BIO_new(BIO_s_mem())
        var text = text
        text.withUTF8 { bytes in
            _ = BIO_write(source, bytes.baseAddress, Int32(bytes.count))
        }
        return source
    }
}

/// Rejects encrypted keys. Without it OpenSSL asks for the passphrase on the terminal, and a server would block.
private func noPassphrase(
    _ text: UnsafeMutablePointer<CChar>?, _ size: Int32, _ isWriting: Int32, _ argument: UnsafeMutableRawPointer?
) -> Int32 { -1 }
