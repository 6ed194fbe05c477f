import COpenSSL

/// The contents of a certificate, read by OpenSSL instead of our code.
public final class CertificateFacts {
    public struct Unreadable: Error {}

    private let handle: OpaquePointer

    public init(pem: String) throws {
        guard let handle = Self.read(pem) else { throw Unreadable() }
        self.handle = handle
    }

    deinit { X509_free(handle) }

    public var commonName: String { Self.commonName(of: X509_get_subject_name(handle)) }
    public var issuerCommonName: String { Self.commonName(of: X509_get_issuer_name(handle)) }
    public var isAuthority: Bool { X509_check_ca(handle) == 1 }

    /// Two digits a byte.
    public var serial: String {
        let number = X509_get_serialNumber(handle)
        guard let start = ASN1_STRING_get0_data(number) else { return "" }
        return (0..<Int(ASN1_STRING_length(number))).map { index in
            let digits = String(start[index], radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// By its subject alternative names only, as browsers and Apple do it.
    public func matches(host: String) -> Bool {
        X509_check_host(handle, host, 0, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT), nil) == 1
    }

    public func matches(address: String) -> Bool {
        X509_check_ip_asc(handle, address, 0) == 1
    }

    /// The chain, the dates of now, and fitness as a TLS server, strictly after RFC 5280.
    public func isTrusted(by authorityPEM: String) -> Bool {
        guard let authority = Self.read(authorityPEM), let store = X509_STORE_new(), let context = X509_STORE_CTX_new()
        else { return false }
        defer {
            X509_STORE_CTX_free(context)
            X509_STORE_free(store)
            X509_free(authority)
            ERR_clear_error()
        }
        X509_STORE_add_cert(store, authority)
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_X509_STRICT))
        guard X509_STORE_CTX_init(context, store, handle, nil) == 1 else { return false }
        if !isAuthority { X509_STORE_CTX_set_default(context, "ssl_server") }
        return X509_verify_cert(context) == 1
    }

    public func belongs(toKey pem: String) -> Bool {
        let key = Self.withStream(pem) { PEM_read_bio_PrivateKey($0, nil, nil, nil) }
        defer { EVP_PKEY_free(key) }
        return key != nil && X509_check_private_key(handle, key) == 1
    }

    private static func read(_ pem: String) -> OpaquePointer? {
        withStream(pem) { PEM_read_bio_X509($0, nil, nil, nil) }
    }

    private static func withStream(_ text: String, _ read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(bio) }
        let bytes = Array(text.utf8)
        BIO_write(bio, bytes, Int32(bytes.count))
        return read(bio)
    }

    private static func commonName(of name: OpaquePointer?) -> String {
        // Four bytes a character at most, and the zero that ends it.
        var text = [CChar](repeating: 0, count: 257)
        let count = X509_NAME_get_text_by_NID(name, NID_commonName, &text, Int32(text.count))
        return String(decoding: text.prefix(max(0, Int(count))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
