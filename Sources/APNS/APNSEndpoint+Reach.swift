public import EventLoop
import HTTP2
import TLS

extension APNSEndpoint {
    /// Opens a connection and closes it, without a request: the host's name is found, one of its addresses answers, its
    /// certificate is trusted, and it speaks HTTP/2. Returns the time that this took.
    public func reach(_ options: APNSOptions, on loop: EventLoop) async throws(APNSError) -> Duration {
        let start = MonotonicTime.now()
        let tls: TLSContext
        do {
            tls = try .client(trust: trust, alpn: ["h2"])
        } catch {
            throw .tls(error)
        }
        // The token is for requests, of which there is none.
        let connection = APNSConnection(
            endpoint: self, token: ProviderToken(text: "", issuedAt: 0), reasons: ReasonTable(), options: options,
            loop: loop)
        try await connection.reach(tls: tls)
        return MonotonicTime.now() - start
    }
}

extension APNSConnection {
    fileprivate func reach(tls: TLSContext) async throws(APNSError) {
        try await connect(tls: tls).close()
    }
}
