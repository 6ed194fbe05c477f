public import Crypto

/// The configuration of one simulated APNs listener. Faults are not part of it, because they can change while the
/// listener runs.
public struct SimulatorConfiguration: Sendable {
    public enum Environment: String, Sendable, CaseIterable { case sandbox, production }

    public enum Mode: Sendable {
        /// Checks every request as Apple does, and records it.
        case validating
        /// Checks nothing, accepts every push unless `QuickAnswers` puts it off, and counts them, for benchmarks.
        case acceptAll
    }

    public var host = "127.0.0.1"
    /// 0 selects a free port.
    public var port: UInt16 = 0
    public var environment = Environment.production
    public var mode = Mode.validating
    /// The keys that may push. A listener without keys rejects every push.
    public var keys: [ProviderKey] = []
    /// Whether a key that is not in `keys` is accepted, for any bundle ID that no key in `keys` has. Its provider
    /// tokens must be well-formed and of the right age, but their signature can't be verified. Otherwise they are
    /// rejected with InvalidProviderToken.
    public var acceptsUnknownKeys = false
    public var streams = StreamLimits()
    public var providerTokens = ProviderTokenRules()
    /// Whether a device token that was never registered is accepted. Otherwise it is rejected with BadDeviceToken.
    public var acceptsUnknownTokens = true
    /// The seed of the generators for faults and ids.
    public var seed: UInt64 = 1
    /// The authority that signs the listener's certificate; nil creates a new one.
    public var authority: CertificateAuthority?
    /// Names in the certificate, in addition to the loopback addresses.
    public var hostNames = ["localhost"]

    public init() {}
}

/// The limits on concurrent streams of a connection, which Apple announces in SETTINGS.
public struct StreamLimits: Sendable, Equatable {
    /// The limit before the first request with a valid provider token.
    public var beforeToken = 1
    public var afterToken = 1_000
    /// Whether the limit is 1 after a rejection other than 410, until the next success. Apple was observed to do this.
    public var reducesAfterRejection = false

    public init() {}
}

/// The rules for the age of a provider token and for how often it may change.
public struct ProviderTokenRules: Sendable, Equatable {
    public var lifetime = Duration.seconds(3_600)
    /// The time by which `iat` may be in the future. Apple's own tolerance is not known.
    public var clockTolerance = Duration.seconds(300)
    /// The minimum time between two changes of the token on one connection.
    public var updateInterval = Duration.seconds(20 * 60)

    public init() {}
}
