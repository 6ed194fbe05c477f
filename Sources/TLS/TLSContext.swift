import COpenSSL

/// The configuration that TLS connections share: certificates, trusted roots, protocol names (ALPN). TLS 1.2 and
/// newer only.
///
/// `@unchecked Sendable`: OpenSSL counts references to an `SSL_CTX` itself, and it is not changed
/// after `init`.
public final class TLSContext: @unchecked Sendable {
    /// The root certificates that a client trusts.
    public enum Trust: Sendable {
        /// The system's roots (on Debian the package ca-certificates), which are read once per process.
        case systemRoots
        /// Only these certificates, as PEM text.
        case pem(String)
        case file(String)
    }

    /// The number of bytes that OpenSSL reads from the socket per system call.
    static let readBufferSize = 64 * 1024

    /// Of TLS 1.2, only suites with forward secrecy and authenticated encryption (RFC 7525 §4.2); all of TLS 1.3 are
    /// so.
    private static let suites = "ECDHE+AESGCM:ECDHE+CHACHA20"

    let pointer: OpaquePointer
    let isServer: Bool
    /// ALPN's wire format: each name follows its length. Read by OpenSSL while a handshake runs.
    private let protocols: UnsafeMutableBufferPointer<UInt8>

    public static func client(trust: Trust = .systemRoots, alpn: [String] = []) throws(TLSError) -> TLSContext {
        let context = try TLSContext(isServer: false, alpn: alpn)
        SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
        switch trust {
        case .systemRoots: SSL_CTX_set1_cert_store(context.pointer, try SystemRoots.store().pointer)
        case .file(let path):
            guard SSL_CTX_load_verify_locations(context.pointer, path, nil) == 1 else {
                throw .configuration("no certificates can be read from \(path)")
            }
        case .pem(let text):
            for certificate in try PEM.certificates(text) {
                defer { X509_free(certificate) }
                guard belfry_ssl_trust(context.pointer, certificate) == 1 else {
                    throw .configuration(OpenSSLErrors.take() ?? "a root certificate was refused")
                }
            }
        }
        return context
    }

    /// `certificateChain` is PEM text, the server's own certificate first. If there are protocol
    /// names, a client that offers none of them is rejected. With `releasesIdleBuffers`, an idle connection keeps no
    /// read buffer, which is 64 KiB: for servers with many clients.
    public static func server(
        certificateChain: String, privateKey: String, alpn: [String] = [], releasesIdleBuffers: Bool = false
    ) throws(TLSError) -> TLSContext {
        let context = try TLSContext(isServer: true, alpn: alpn)
        if releasesIdleBuffers { belfry_ssl_mode(context.pointer, Int(SSL_MODE_RELEASE_BUFFERS)) }
        let chain = try PEM.certificates(certificateChain)
        for (index, certificate) in chain.enumerated() {
            let status =
                index == 0
                ? SSL_CTX_use_certificate(context.pointer, certificate)
                : belfry_ssl_extra_certificate(context.pointer, certificate)
            // The context owns an extra certificate, and has its own reference to the first.
            if index == 0 || status != 1 { X509_free(certificate) }
            guard status == 1 else {
                throw .configuration(OpenSSLErrors.take() ?? "a certificate was refused")
            }
        }
        let key = try PEM.privateKey(privateKey)
        defer { EVP_PKEY_free(key) }
        guard SSL_CTX_use_PrivateKey(context.pointer, key) == 1, SSL_CTX_check_private_key(context.pointer) == 1 else {
            ERR_clear_error()
            throw .configuration("the private key does not match the certificate")
        }
        return context
    }

    /// The seconds until the server's own certificate expires, negative afterwards; nil for a client.
    public var secondsUntilExpiry: Int? {
        guard let certificate = SSL_CTX_get0_certificate(pointer) else { return nil }
        var (days, seconds): (Int32, Int32) = (0, 0)
        guard ASN1_TIME_diff(&days, &seconds, nil, X509_get0_notAfter(certificate)) == 1 else { return nil }
        return Int(days) * 86_400 + Int(seconds)
    }

    private init(isServer: Bool, alpn: [String]) throws(TLSError) {
        // RFC 7301 §3.1: a name has a length of one byte, and is not empty.
        guard alpn.allSatisfy({ 1...255 ~= $0.utf8.count }) else {
            throw .configuration("the protocol names \(alpn) are invalid")
        }
        ERR_clear_error()
        guard let pointer = SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()) else {
            throw .configuration(OpenSSLErrors.take() ?? "OpenSSL could not allocate a context")
        }
        self.pointer = pointer
        self.isServer = isServer
        let wire = alpn.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        protocols = .allocate(capacity: wire.count)
        _ = protocols.initialize(from: wire)
        _ = belfry_ssl_min_version(pointer, TLS1_2_VERSION)
        guard SSL_CTX_set_cipher_list(pointer, Self.suites) == 1 else {
            throw .configuration(OpenSSLErrors.take() ?? "OpenSSL has no suitable cipher suites")
        }
        belfry_ssl_mode(pointer, Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
        // HTTP/1.1 and HTTP/2 mark the end of messages themselves, so a missing close_notify hides no truncation.
        SSL_CTX_set_options(pointer, belfry_ssl_ignore_eof())
        // HTTP/2 forbids renegotiation (RFC 9113, section 9.2.1).
        if alpn.contains("h2") { SSL_CTX_set_options(pointer, belfry_ssl_no_renegotiation()) }
        // Reads several records per system call.
        belfry_ssl_read_ahead(pointer, 1)
        SSL_CTX_set_default_read_buffer_len(pointer, Self.readBufferSize)
        guard !wire.isEmpty else { return }
        if isServer {
            SSL_CTX_set_alpn_select_cb(pointer, chooseProtocol, protocolsArgument)
        } else {
            // Unlike in the rest of OpenSSL, 0 means success.
            guard SSL_CTX_set_alpn_protos(pointer, protocols.baseAddress, UInt32(protocols.count)) == 0 else {
                throw .configuration("the protocol names \(alpn) are invalid")
            }
        }
    }

    private var protocolsArgument: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    fileprivate var offered: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(protocols) }

    deinit {
        SSL_CTX_free(pointer)
        protocols.deallocate()
    }
}

/// Selects the ALPN protocol on the server: the first of our names that the client offers.
/// The context outlives its connections, since each `TLSSession` holds it.
private func chooseProtocol(
    _ ssl: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<UInt8>?, _ theirs: UnsafePointer<UInt8>?, _ theirLength: UInt32,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let argument, let chosen else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let ours = Unmanaged<TLSContext>.fromOpaque(argument).takeUnretainedValue().offered
    return chosen.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 1) { chosen in
        let status = SSL_select_next_proto(
            chosen, length, ours.baseAddress, UInt32(ours.count), theirs, theirLength)
        return status == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL
    }
}
