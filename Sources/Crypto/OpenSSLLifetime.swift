import COpenSSL

/// How long OpenSSL's memory lives.
public enum OpenSSLLifetime {
    /// Keeps OpenSSL from freeing its memory when the process exits. Other threads may still use it then, a loop that
    /// closes a connection for example, and the process would end with a segmentation fault although its work was done.
    ///
    /// Call it before anything else uses OpenSSL: only the first call of OPENSSL_init_crypto(3) decides.
    public static func untilTheProcessIsGone() {
        _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }
}
