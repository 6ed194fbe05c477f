import COpenSSL

/// OpenSSL has an error queue for each thread, and TLS on the same thread reads it. Code whose OpenSSL call failed must
/// therefore empty the queue with one of these two functions.
extension CryptoError {
    /// Empties the queue and returns its first error. `operation` completes the sentence "OpenSSL could not …".
    static func failed(to operation: String) -> CryptoError {
        let code = ERR_get_error()
        ERR_clear_error()
        let reason = ERR_reason_error_string(code).map { String(cString: $0) }
        return .openSSL(operation: operation, detail: reason ?? "no reason given (code \(code))")
    }

    /// Empties the queue after an expected failure.
    static func clearErrors() {
        ERR_clear_error()
    }

    /// For the tests, which check that this module leaves no errors on the queue.
    static var isQueueEmpty: Bool { ERR_peek_error() == 0 }
}
