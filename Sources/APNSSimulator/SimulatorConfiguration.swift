public import Crypto

/// What one simulated APNs listener knows and how it behaves. Faults are apart: they change while
/// it runs.
public struct SimulatorConfiguration: Sendable {
    public enum Environment: String, Sendable, CaseIterable { case sandbox, production }

    public enum Mode: Sendable {
        /// Checks every request as Apple does, and records it.
        case validating
        /// Answers 200 to everything and counts: the other end of a benchmark.
        case quick
    }

    public var host = "127.0.0.1"
    /// 0 takes a free port.
    public var port: UInt16 = 0
    public var environment = Environment.production
    public var mode = Mode.validating
    /// Who may push. A listener without keys refuses everybody.
    public var keys: [ProviderKey] = []
    public var streams = StreamLimits()
    public var providerTokens = ProviderTokenRules()
    /// Whether a device token that was never registered counts as a phone's. If not it is bad.
    public var acceptsUnknownTokens = true
    /// Of the generator that decides faults and makes ids.
    public var seed: UInt64 = 1
    /// Who signs the listener's certificate; a new authority when there is none.
    public var authority: CertificateAuthority?
    /// Names in the certificate beside the addresses of this machine.
    public var hostNames = ["localhost"]

    public init() {}
}

/// Concurrent streams that a connection is allowed (Apple announces them in SETTINGS).
public struct StreamLimits: Sendable, Equatable {
    /// Until a request with a valid provider token was seen.
    public var beforeToken = 1
    public var afterToken = 1_000
    /// Seen at Apple: after a rejection other than 410 the limit is 1, until the next success.
    public var fallsAfterRejection = false

    public init() {}
}

/// How old a provider token may be and how often it may change.
public struct ProviderTokenRules: Sendable, Equatable {
    public var lifetime = Duration.seconds(3_600)
    /// How far `iat` may lie ahead; Apple's own tolerance is not known.
    public var clockTolerance = Duration.seconds(300)
    /// On one connection a token may change once in this time.
    public var updateInterval = Duration.seconds(20 * 60)

    public init() {}
}
