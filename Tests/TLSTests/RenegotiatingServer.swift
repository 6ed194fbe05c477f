import COpenSSL
import EventLoop

/// A server of TLS 1.2 made of OpenSSL's calls alone. It asks for another handshake in the middle of
/// a connection (RFC 5246 §7.4.1.1), as our own ends never do: only then must a read write first, and a
/// write read.
actor RenegotiatingServer {
    struct Failed: Error {
        let step: String
    }

    private let loop: EventLoop
    private let socket: Socket
    private let context: OpaquePointer
    private let ssl: OpaquePointer
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Takes the socket over when it does not throw.
    init(_ socket: Socket, on loop: EventLoop, chain: String, key: String) throws {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw Failed(step: "context") }
        defer { SSL_CTX_free(context) }
        let (certificate, key) = (
            Self.read(chain) { PEM_read_bio_X509($0, nil, nil, nil) },
            Self.read(key) { PEM_read_bio_PrivateKey($0, nil, nil, nil) }
        )
        defer {
            X509_free(certificate)
            EVP_PKEY_free(key)
        }
        guard SSL_CTX_use_certificate(context, certificate) == 1, SSL_CTX_use_PrivateKey(context, key) == 1,
            SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1,
            let ssl = SSL_new(context)
        else { throw Failed(step: "configuration") }
        SSL_set_fd(ssl, socket.descriptor)
        SSL_set_accept_state(ssl)
        SSL_CTX_up_ref(context)
        (self.socket, self.loop, self.context, self.ssl) = (socket, loop, context, ssl)
    }

    private static func read(_ pem: String, _ read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(bio) }
        let bytes = Array(pem.utf8)
        BIO_write(bio, bytes, Int32(bytes.count))
        return read(bio)
    }

    func handshake() async throws { try await complete("handshake") { SSL_do_handshake($0) } }

    /// The request has left when this returns; the handshake itself follows in `answer` and `receive`.
    func askForHandshake() async throws {
        guard SSL_renegotiate(ssl) == 1 else { throw Failed(step: "renegotiate") }
        try await handshake()
    }

    /// Answers what has come of the handshake so far, and waits for nothing.
    func answer() throws {
        var byte: UInt8 = 0
        var got = 0
        ERR_clear_error()
        let status = SSL_peek_ex(ssl, &byte, 1, &got)
        guard SSL_get_error(ssl, status) == SSL_ERROR_WANT_READ else { throw Failed(step: "answer") }
    }

    /// The number of handshakes after the first one.
    var renegotiations: Int { SSL_ctrl(ssl, SSL_CTRL_GET_TOTAL_RENEGOTIATIONS, 0, nil) }

    func receive(_ count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let wanted = count - bytes.count
            var buffer = [UInt8](repeating: 0, count: wanted)
            var got = 0
            try await complete("read") { SSL_read_ex($0, &buffer, wanted, &got) }
            bytes += buffer.prefix(got)
        }
        return bytes
    }

    func send(_ bytes: [UInt8]) async throws {
        var sent = 0
        try await complete("write") { SSL_write_ex($0, bytes, bytes.count, &sent) }
    }

    private func complete(_ step: String, _ operation: (OpaquePointer) -> Int32) async throws {
        while true {
            ERR_clear_error()
            let status = operation(ssl)
            if status == 1 { return }
            let interest: Interest
            switch SSL_get_error(ssl, status) {
            case SSL_ERROR_WANT_READ: interest = .read
            case SSL_ERROR_WANT_WRITE: interest = .write
            default: throw Failed(step: step)
            }
            try await loop.waitUntilReady(
                socket.descriptor, for: interest, timeout: .seconds(30), operation: step)
        }
    }

    /// To be called once, at the end.
    func close() {
        SSL_free(ssl)
        SSL_CTX_free(context)
        socket.close()
    }
}
