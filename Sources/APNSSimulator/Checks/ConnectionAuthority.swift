import EventLoop
import FoundationEssentials

/// Checks the provider tokens of one connection. The first valid token fixes the team and the key's family; each
/// key may change its token once in 20 minutes.
struct ConnectionAuthority {
    enum Decision {
        case allowed(ProviderKey, PushWarnings)
        case refused(APNSRejection)
    }

    private struct Use {
        let key: ProviderKey
        let text: [UInt8]
        let issuedAt: Date
        let since: Date
        let flags: PushWarnings
    }

    private let environment: SimulatorConfiguration.Environment
    private let rules: ProviderTokenRules
    private let keys: [String: ProviderKey]
    private let acceptsUnknownKeys: Bool
    private var first: ProviderKey?
    private var uses: [String: Use] = [:]
    /// The token of the last request, checked first because most requests repeat it.
    private var latest: Use?
    /// The number of different tokens accepted so far.
    private(set) var tokenCount = 0

    init(_ configuration: SimulatorConfiguration) {
        environment = configuration.environment
        rules = configuration.providerTokens
        acceptsUnknownKeys = configuration.acceptsUnknownKeys
        keys = Dictionary(configuration.keys.map { ($0.keyID, $0) }, uniquingKeysWith: { $1 })
    }

    /// `environmentReason` is the spelling of the reason for a key of the other environment.
    mutating func check(
        _ authorization: ArraySlice<UInt8>?, at now: Date, environmentReason: String
    ) -> Decision {
        guard let authorization, let text = ProviderToken.bearer(authorization) else {
            return .refused(.missingProviderToken)
        }
        if let latest, latest.text.elementsEqual(text) { return decision(on: latest, at: now) }

        guard let token = ProviderToken(text), let key = key(of: token) else {
            return .refused(.invalidProviderToken)
        }
        guard key.environments.contains(environment) else {
            return .refused(APNSRejection(status: 403, reason: environmentReason))
        }
        if let first {
            guard first.teamID == key.teamID else { return .refused(.invalidProviderToken) }
            guard first.isRelated(to: key) else { return .refused(.unrelatedKey) }
        }
        var flags = token.flags
        if token.issuedAt > now { flags.insert(.issuedInFuture) }
        let use = Use(key: key, text: Array(text), issuedAt: token.issuedAt, since: now, flags: flags)
        if case .refused(let rejection) = decision(on: use, at: now) { return .refused(rejection) }
        return adopt(use, at: now)
    }

    /// The key that signed the token; nil if no key may have.
    private func key(of token: ProviderToken) -> ProviderKey? {
        guard let known = keys[token.keyID], let publicKey = known.publicKey else {
            return acceptsUnknownKeys && token.isWellFormed ? ProviderKey(unknown: token, besides: keys.values) : nil
        }
        return known.teamID == token.teamID && token.isSigned(by: publicKey) ? known : nil
    }

    private mutating func adopt(_ use: Use, at now: Date) -> Decision {
        if let earlier = uses[use.key.keyID], earlier.text != use.text {
            guard now.timeIntervalSince(earlier.since) >= rules.updateInterval.seconds else {
                return .refused(.tooManyProviderTokenUpdates)
            }
        }
        if uses[use.key.keyID]?.text != use.text {
            uses[use.key.keyID] = use
            tokenCount += 1
        }
        first = first ?? use.key
        latest = use
        return .allowed(use.key, use.flags)
    }

    private func decision(on use: Use, at now: Date) -> Decision {
        let age = now.timeIntervalSince(use.issuedAt)
        if age > rules.lifetime.seconds { return .refused(.expiredProviderToken) }
        if age < -rules.clockTolerance.seconds { return .refused(.invalidProviderToken) }
        return .allowed(use.key, use.flags)
    }
}
