import COpenSSL

/// Reads PEM text (RFC 7468) into OpenSSL's objects, which the caller frees.
enum PEM {
    static func certificates(_ text: String) throws(TLSError) -> [OpaquePointer] {
        var certificates: [OpaquePointer] = []
        let source = makeSource(text)
        defer { BIO_free(source) }
        while let certificate = PEM_read_bio_X509(source, nil, nil, nil) { certificates.append(certificate) }
        // The end of the text leaves "no start line" behind, which is no error here.
        ERR_clear_error()
        guard !certificates.isEmpty else { throw .configuration("there is no certificate in the PEM text") }
        return certificates
    }

    static func privateKey(_ text: String) throws(TLSError) -> OpaquePointer {
        let source = makeSource(text)
        defer { BIO_free(source) }
        guard let key = PEM_read_bio_PrivateKey(source, nil, nil, nil) else {
            ERR_clear_error()
            throw .configuration("there is no private key in the PEM text")
        }
        return key
    }

    /// A copy of the text as OpenSSL's source of bytes.
    private static func makeSource(_ text: String) -> OpaquePointer? {
        let source = BIO_new(BIO_s_mem())
        var text = text
        text.withUTF8 { bytes in
            _ = BIO_write(source, bytes.baseAddress, Int32(bytes.count))
        }
        return source
    }
}
