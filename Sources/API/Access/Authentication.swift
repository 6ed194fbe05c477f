import Application
import Campaigns
import EventLoop
import HTTPServer
import HTTPTypes
import Logging
import Store

/// Finds the caller of a request: by its API key (RFC 6750 §2.1), or by the session in its cookie.
struct Authentication: Sendable {
    let keys: KnownAPIKeys
    let sessions: KnownSessions
    let site: Site
    let logger: Logger
    private let warned = Lock(TokenBuckets<Bool>(capacity: 1))

    init(keys: KnownAPIKeys, sessions: KnownSessions, site: Site, logger: Logger) {
        self.keys = keys
        self.sessions = sessions
        self.site = site
        self.logger = logger
    }

    func caller(of request: Request) async throws -> Caller {
        if let header = request.headers.value(.authorization) { return .key(try await key(header, of: request)) }
        guard let token = SessionCookie.token(of: request, isSecure: site.isSecure(request)) else {
            throw APIError.missingKey
        }
        guard let signedIn = try await sessions.find(token) else {
            throw APIError.sessionEnded
        }
        try site.crossSiteCheck.check(request, token: token.crossSiteToken)
        return .person(signedIn, token)
    }

    private func key(_ header: String, of request: Request) async throws -> APIKey {
        guard let text = Self.bearer(header) else {
            throw APIError.badAuthorization
        }
        let address = request.clientAddress.ip
        switch try await keys.find(text, from: address?.network) {
        case .found(let key):
            guard key.allowedAddresses.contains(address) else {
                throw APIError.addressNotAllowed
            }
            return key
        case .unknown:
            throw APIError.invalidKey
        case .wait(let delay):
            warn(about: request)
            throw APIError.tooManyAttempts(retryAfter: delay)
        }
    }

    /// At most once a minute.
    private static let warnings = TokenBucket.Rule(burst: 1, every: .seconds(60))

    private func warn(about request: Request) {
        let isDue = warned.withLock { warned in
            let now = MonotonicTime.now()
            guard warned.delay(true, Self.warnings, at: now) == .zero else { return false }
            warned.use(true, Self.warnings, at: now)
            return true
        }
        guard isDue else { return }
        logger.warning("API keys are being guessed", metadata: ["client": "\(request.clientAddress.host)"])
    }

    private static let scheme = Array("bearer ".utf8)

    /// The text after "Bearer ", whose case doesn't matter; nil without that prefix.
    private static func bearer(_ header: String) -> String? {
        let bytes = header.utf8
        guard bytes.count > scheme.count, zip(bytes, scheme).allSatisfy({ $0 | 0x20 == $1 }) else { return nil }
        return String(header[bytes.index(bytes.startIndex, offsetBy: scheme.count)...])
    }
}
