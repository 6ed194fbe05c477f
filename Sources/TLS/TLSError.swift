internal import COpenSSL
public import EventLoop

/// The reason why a TLS connection failed. Descriptions tell the operator what to check.
public enum TLSError: Error, Equatable, CustomStringConvertible {
    /// The peer's certificate was rejected.
    case certificate(host: String, reason: String)
    /// The handshake or the record layer failed.
    case failed(String)
    /// The TLS configuration (certificates, keys, names) is invalid.
    case configuration(String)
    /// The peer closed the connection during the handshake.
    case closedDuringHandshake
    case system(SystemError)
    case timedOut

    public var description: String {
        switch self {
        case .certificate(let host, let reason): "the certificate of \(host) was refused: \(reason)"
        case .failed(let reason): "TLS failed: \(reason)"
        case .configuration(let reason): "invalid TLS configuration: \(reason)"
        case .closedDuringHandshake: "the peer closed the connection during the TLS handshake"
        case .system(let error): error.description
        case .timedOut: "the TLS handshake timed out"
        }
    }
}

enum OpenSSLErrors {
    /// Empties the thread's error queue and returns its first reason.
    static func take() -> String? {
        let code = ERR_get_error()
        guard code != 0 else { return nil }
        ERR_clear_error()
        if let reason = ERR_reason_error_string(code) { return String(cString: reason) }
        var text = [CChar](repeating: 0, count: 256)
        ERR_error_string_n(code, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Describes the result of OpenSSL's certificate verification, and what to do where known.
    static func explain(verification: Int) -> String {
        switch Int32(truncatingIfNeeded: verification) {
        case X509_V_ERR_CERT_HAS_EXPIRED: "it has expired"
        case X509_V_ERR_CERT_NOT_YET_VALID: "it is not valid yet; check the clocks of both machines"
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            "it is self-signed and not among the trusted roots"
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            "its issuer is not among the trusted roots; on Debian, install ca-certificates"
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: "it was issued for another host"
        default: String(cString: X509_verify_cert_error_string(verification))
        }
    }
}
