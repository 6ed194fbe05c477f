import COpenSSL
import EventLoop
import Glibc

/// One TLS connection on a non-blocking descriptor. It belongs to the actor that owns the socket.
final class TLSSession {
    /// The result of one step. A blocked step tells what the socket must be ready for: in TLS a read may have to write,
    /// and a write may have to read.
    enum Step {
        case done(Int)
        case blocked(Interest)
        case end
    }

    private let context: TLSContext
    private let ssl: OpaquePointer
    private let host: String

    /// `host` is the name or address that a client verifies the server's certificate against.
    init(context: TLSContext, descriptor: Int32, host: String) throws(TLSError) {
        guard let ssl = SSL_new(context.pointer) else {
            throw .failed(OpenSSLErrors.take() ?? "OpenSSL could not allocate a connection")
        }
        self.context = context
        self.ssl = ssl
        self.host = host
        SSL_set_fd(ssl, descriptor)
        if context.isServer {
            SSL_set_accept_state(ssl)
        } else {
            SSL_set_connect_state(ssl)
            let isAddress = SocketAddress(ip: host, port: 0) != nil
            let status =
                isAddress
                ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host)
                : SSL_set1_host(ssl, host) & belfry_ssl_server_name(ssl, host)
            guard status == 1 else { throw .configuration("\(host) is not a valid host name") }
        }
    }

    deinit { SSL_free(ssl) }

    func handshake() throws(TLSError) -> Step {
        prepare()
        let status = SSL_do_handshake(ssl)
        if status == 1 { return .done(0) }
        return try step(after: status, isHandshake: true)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> Step {
        prepare()
        var count = 0
        let status = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
        return status == 1 ? .done(count) : try step(after: status)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(TLSError) -> Step {
        prepare()
        var count = 0
        let status = SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &count)
        return status == 1 ? .done(count) : try step(after: status)
    }

    /// Sends close_notify if the socket accepts it immediately. Does not wait for the peer's close_notify.
    func sendCloseNotify() {
        ERR_clear_error()
        _ = SSL_shutdown(ssl)
        ERR_clear_error()
    }

    /// The protocol that ALPN selected; nil if the peer did not use ALPN.
    var agreedProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// "TLSv1.3" and the like.
    var version: String { String(cString: SSL_get_version(ssl)) }

    /// Clears the thread's error queue, which `SSL_get_error` reads, and errno, which `step` reads, so that errors of
    /// earlier calls are not reported.
    private func prepare() {
        ERR_clear_error()
        errno = 0
    }

    private func step(after status: Int32, isHandshake: Bool = false) throws(TLSError) -> Step {
        let code = errno
        switch SSL_get_error(ssl, status) {
        case SSL_ERROR_WANT_READ: return .blocked(.read)
        case SSL_ERROR_WANT_WRITE: return .blocked(.write)
        case SSL_ERROR_ZERO_RETURN:
            if isHandshake { throw .closedDuringHandshake }
            return .end
        case SSL_ERROR_SYSCALL:
            guard code == 0 else { throw .system(SystemError(operation: "TLS on the socket", code: code)) }
            if isHandshake { throw .closedDuringHandshake }
            return .end
        default:
            let verification = SSL_get_verify_result(ssl)
            let reason = OpenSSLErrors.take() ?? "no reason given"
            if isHandshake && !context.isServer && verification != Int(X509_V_OK) {
                throw .certificate(host: host, reason: OpenSSLErrors.explain(verification: verification))
            }
            throw .failed(reason)
        }
    }
}
