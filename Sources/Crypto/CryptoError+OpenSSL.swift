import COpenSSL

/// OpenSSL keeps a queue of errors for each thread, and TLS on the same thread reads it: whoever
/// lets a call fail empties the queue, by one of these two.
extension CryptoError {
    /// Takes the cause of the last failure off the queue. The operation completes "could not …".
    static func failed(to operation: String) -> CryptoError {
        let code = ERR_get_error()
        ERR_clear_error()
        let reason = ERR_reason_error_string(code).map { String(cString: $0) }
        return .openSSL(operation: operation, detail: reason ?? "no reason given (code \(code))")
    }

    /// After a failure that was an expected answer.
    static func forget() {
        ERR_clear_error()
    }

    /// For the test that this target leaves nothing behind for TLS to stumble over.
    static var isQueueEmpty: Bool { ERR_peek_error() == 0 }
}
