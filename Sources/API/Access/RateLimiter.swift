import Campaigns
import EventLoop
import HTTPServer
import HTTPTypes
import Store

/// Counts requests by key and by network, and refuses those beyond the limits.
/// Docs/decisions/access.md explains why the limits are per process.
final class RateLimiter: Sendable {
    /// Requests are counted over this time, so that short peaks pass. In seconds.
    static let window = 10
    /// Keys, and networks, that are remembered.
    static let capacity = 10_000

    private let key: TokenBucket.Rule?
    private let address: TokenBucket.Rule?
    private let keys = Lock(TokenBuckets<APIKey.ID>(capacity: capacity))
    private let networks = Lock(TokenBuckets<IPAddress?>(capacity: capacity))

    init(_ limits: RateLimits) {
        key = Self.rule(limits.perKey)
        address = Self.rule(limits.perAddress)
    }

    private static func rule(_ perSecond: Int) -> TokenBucket.Rule? {
        perSecond > 0 ? TokenBucket.Rule(burst: perSecond * window, every: .seconds(1) / perSecond) : nil
    }

    /// Counts the request for its network. To be called before anything else is done for it.
    func admit(_ request: Request) throws(APIError) {
        guard let address else { return }
        let quota = networks.withLock { Self.use(&$0, request.clientAddress.ip?.network, address) }
        guard quota.wait == .zero else { throw quota.refusal("address") }
    }

    /// Counts the request for its key, and returns what is left; nil if the caller has no limit.
    func admit(_ caller: Caller) throws(APIError) -> Quota? {
        guard let key, case .key(let used) = caller, used.kind == .secret else { return nil }
        let quota = keys.withLock { Self.use(&$0, used.id, key) }
        guard quota.wait == .zero else { throw quota.refusal("key") }
        return quota
    }

    private static func use<Key>(
        _ buckets: inout TokenBuckets<Key>, _ key: Key, _ rule: TokenBucket.Rule
    ) -> Quota {
        let now = MonotonicTime.now()
        let wait = buckets.delay(key, rule, at: now)
        if wait == .zero { buckets.use(key, rule, at: now) }
        return Quota(rule: rule, remaining: buckets.remaining(key, rule, at: now), wait: wait)
    }

    /// The rest of a limit.
    struct Quota {
        let rule: TokenBucket.Rule
        let remaining: Int
        /// The time until the next request is possible; zero if this one was.
        let wait: Duration

        /// The fields of draft-ietf-httpapi-ratelimit-headers §3 and §4, with the policy's name.
        func fields(_ name: String) -> [(name: HTTPField.Name?, value: String)] {
            let reset = (rule.interval * (rule.burst - remaining)).seconds.rounded(.up)
            return [
                (.rateLimitPolicy, "\"\(name)\";q=\(rule.burst);w=\(RateLimiter.window)"),
                (.rateLimit, "\"\(name)\";r=\(remaining);t=\(Int(reset))"),
            ]
        }

        fileprivate func refusal(_ name: String) -> APIError {
            var refusal = APIError.rateLimited(name, retryAfter: wait)
            for (field, value) in fields(name) { if let field { refusal.headers[field] = value } }
            return refusal
        }
    }
}

extension HTTPField.Name {
    static let rateLimit = HTTPField.Name("RateLimit")
    static let rateLimitPolicy = HTTPField.Name("RateLimit-Policy")
}

extension Response {
    /// Says how many requests are left.
    mutating func add(_ quota: RateLimiter.Quota?) {
        for case (let field?, let value) in quota?.fields("key") ?? [] { headers[field] = value }
    }
}
