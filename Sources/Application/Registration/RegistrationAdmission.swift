public import Campaigns
public import EventLoop
public import Logging
public import Store

/// Decides whether a registration with a publishable key is accepted. Each app's rules are remembered, so that a
/// registration costs no query.
public final class RegistrationAdmission: Sendable {
    /// The longest time that a change of an app's rules takes to reach this process.
    static let lifetime = Duration.seconds(10)
    /// Apps.
    static let capacity = 1_024

    private let keys: IdentityKeyStore
    private let minimumAge: Duration
    private let logger: Logger
    private let limits = Lock(RegistrationLimits())
    private let rules = ExpiringCache<App.ID, RegistrationRules>(lifetime: lifetime, capacity: capacity)

    /// A wrong signature reads the keys again, but not sooner than after `minimumAge`: anyone can invent signatures.
    public init(_ keys: IdentityKeyStore, logger: Logger, minimumAge: Duration = .seconds(1)) {
        self.keys = keys
        self.logger = logger
        self.minimumAge = minimumAge
    }

    /// Whether a registration may name this user; `signature` is that of the app's server.
    public func mayName(user: String, signature: String?, app: App.ID) async throws -> Bool {
        if try await rules(of: app).accept(user: user, signature: signature) { return true }
        return try await rules(of: app, noOlderThan: minimumAge).accept(user: user, signature: signature)
    }

    /// Whether a publishable key proves nothing about the user of a device.
    public func verifiesIdentity(app: App.ID) async throws -> Bool { try await rules(of: app).verifiesIdentity }

    /// The limits that count for a registration from this network (`IPAddress.network`).
    public func origin(_ network: IPAddress?, app: App.ID) async throws -> RegistrationOrigin {
        let limit = try await rules(of: app).newInstallationsPerMinute
        return RegistrationOrigin(
            app: app, network: network,
            newInstallationsPerMinute: limit ?? RegistrationLimits.newInstallationsPerMinute)
    }

    /// The rights of the registration at the moment.
    public func rights(of origin: RegistrationOrigin) -> RegistrationRights {
        limits.withLock { $0.rights(origin, at: .now()) }
    }

    /// Counts what a registration has added.
    public func count(_ device: RegistrationStore.StoredDevice, from origin: RegistrationOrigin) {
        guard device.isNew || device.tookToken else { return }
        limits.withLock { $0.count(device, origin, at: .now()) }
    }

    /// The time until a registration that was refused can be repeated.
    public func delay(_ origin: RegistrationOrigin, lacking: RegistrationRights) -> Duration {
        let (delay, warns) = limits.withLock { limits in
            let now = MonotonicTime.now()
            let warns = lacking.contains(.newInstallation) && limits.shouldWarn(of: origin.app, at: now)
            return (limits.delay(origin, lacking: lacking, at: now), warns)
        }
        if warns {
            logger.warning(
                "new installations are refused: the app's limit is reached",
                metadata: ["app": "\(origin.app)", "limit_per_minute": "\(origin.newInstallations.burst)"])
        }
        return delay
    }

    private func rules(of app: App.ID, noOlderThan age: Duration? = nil) async throws -> RegistrationRules {
        try await rules.value(for: app, noOlderThan: age) { try await keys.rules(of: app) ?? RegistrationRules() }
    }
}
