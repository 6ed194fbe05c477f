public import Campaigns
public import EventLoop
import JSON
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

    /// Admits a registration with a publishable key, from this network (`IPAddress.network`). Throws if it names a user
    /// without the signature of the app's server.
    public func admit(
        user: String?, signature: String?, from network: IPAddress?, app: App.ID
    ) async throws -> Admission {
        guard let rules = try await rules(of: app, accepting: user, signature) else { throw Refusal.identityUnverified }
        let origin = RegistrationOrigin(
            app: app, network: network,
            newInstallationsPerMinute: rules.newInstallationsPerMinute ?? RegistrationLimits.newInstallationsPerMinute)
        return Admission(
            sender: rules.verifiesIdentity ? .unverifiedApp : .app,
            rights: limits.withLock { $0.rights(origin, at: .now()) }, origin: origin)
    }

    /// The device that an admitted registration has stored, after counting what it has added. Throws the reason if
    /// nothing was stored.
    public func conclude(
        _ outcome: RegistrationStore.Outcome, of admission: Admission
    ) throws -> RegistrationStore.StoredDevice {
        switch outcome {
        case .stored(let device):
            if let origin = admission.origin { count(device, from: origin) }
            return device
        case .noDevice, .erased: throw Refusal.notFound(.device)
        case .outdated(let version): throw Refusal.versionConflict(current: version)
        case .unproven(.personUnproven): throw Refusal.personUnproven
        case .unproven(.loginWithoutToken): throw Problems([.loginWithoutToken])
        case .refused(let refusal): throw refusal
        case .limited(let lacking):
            let delay = admission.origin.map { self.delay($0, lacking: lacking) } ?? .zero
            throw Refusal.limited(lacking, retryAfter: max(1, Int(delay.seconds.rounded(.up))))
        }
    }

    /// Whether a publishable key may name this user; `signature` is that of the app's server.
    public func mayName(user: String, signature: String?, app: App.ID) async throws -> Bool {
        try await rules(of: app, accepting: user, signature) != nil
    }

    /// The app's rules; nil if they refuse the user.
    private func rules(
        of app: App.ID, accepting user: String?, _ signature: String?
    ) async throws -> RegistrationRules? {
        let known = try await rules(of: app)
        guard let user, !known.accept(user: user, signature: signature) else { return known }
        let newest = try await rules(of: app, noOlderThan: minimumAge)
        return newest.accept(user: user, signature: signature) ? newest : nil
    }

    /// Whether a publishable key proves nothing about the user of a device.
    public func verifiesIdentity(app: App.ID) async throws -> Bool { try await rules(of: app).verifiesIdentity }

    private func count(_ device: RegistrationStore.StoredDevice, from origin: RegistrationOrigin) {
        guard device.isNew || device.tookToken else { return }
        limits.withLock { $0.count(device, origin, at: .now()) }
    }

    /// The time until a registration that was refused can be repeated.
    private func delay(_ origin: RegistrationOrigin, lacking: RegistrationRights) -> Duration {
        let (delay, warns) = limits.withLock { limits in
            let now = MonotonicTime.now()
            let warns = lacking.contains(.newInstallation) && limits.shouldWarn(of: origin.app, at: now)
            return (limits.delay(origin, lacking: lacking, at: now), warns)
        }
        if warns {
            logger.warning(
                "new installations are refused",
                metadata: ["app": "\(origin.app)", "limit_per_minute": "\(origin.newInstallations.burst)"])
        }
        return delay
    }

    private func rules(of app: App.ID, noOlderThan age: Duration? = nil) async throws -> RegistrationRules {
        try await rules.value(for: app, noOlderThan: age) { try await keys.rules(of: app) ?? RegistrationRules() }
    }
}

/// What a registration may do.
public struct Admission: Sendable {
    public let sender: Registration.Sender
    public let rights: RegistrationRights
    /// Whose limits count for it; nil: none do.
    fileprivate let origin: RegistrationOrigin?

    /// A sender with a secret key may register any number, and name any user.
    public static let server = Admission(sender: .server, rights: .all, origin: nil)
}

extension Problem {
    fileprivate static let loginWithoutToken = Problem(
        path: "token", code: "missing",
        message: "is required with a new user_id, because this app verifies who its users are")
}
