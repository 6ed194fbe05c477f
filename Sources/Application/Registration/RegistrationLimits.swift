import Campaigns
import EventLoop
import Store

/// The limits on the installations and tokens that registrations with publishable keys may add to an app. A value,
/// without a clock.
///
/// Only the transaction that stores a registration knows the rights that it needs. So these are counted afterwards, and
/// the requests under way at that moment can exceed a limit; the next ones wait the longer for it.
struct RegistrationLimits {
    /// Tokens that move to another installation, per client network: reinstalled apps, of which many can share a
    /// network.
    static let tokenMoves = TokenBucket.Rule(burst: 100, every: .seconds(10))
    /// For an app that names no other number: more than any launch of an app has brought.
    static let newInstallationsPerMinute = 100_000
    /// The rate of log lines which say that an app's limit is reached.
    static let warnings = TokenBucket.Rule(burst: 1, every: .seconds(60))
    /// Networks that are remembered.
    static let networks = 10_000

    private var installations = TokenBuckets<App.ID>(capacity: RegistrationAdmission.capacity)
    private var moves = TokenBuckets<IPAddress?>(capacity: networks)
    private var warned = TokenBuckets<App.ID>(capacity: RegistrationAdmission.capacity)

    func rights(_ origin: RegistrationOrigin, at now: MonotonicTime) -> RegistrationRights {
        var rights: RegistrationRights = []
        if delay(origin, lacking: .newInstallation, at: now) == .zero { rights.insert(.newInstallation) }
        if delay(origin, lacking: .newToken, at: now) == .zero { rights.insert(.newToken) }
        return rights
    }

    /// The time until the registration has these rights.
    func delay(_ origin: RegistrationOrigin, lacking: RegistrationRights, at now: MonotonicTime) -> Duration {
        max(
            lacking.contains(.newInstallation)
                ? installations.delay(origin.app, origin.newInstallations, at: now) : .zero,
            lacking.contains(.newToken) ? moves.delay(origin.network, Self.tokenMoves, at: now) : .zero)
    }

    mutating func count(_ device: RegistrationStore.StoredDevice, _ origin: RegistrationOrigin, at now: MonotonicTime) {
        if device.isNew { installations.use(origin.app, origin.newInstallations, at: now) }
        if device.tookToken { moves.use(origin.network, Self.tokenMoves, at: now) }
    }

    /// Whether the refusal of a new installation is to be logged.
    mutating func shouldWarn(of app: App.ID, at now: MonotonicTime) -> Bool {
        guard warned.delay(app, Self.warnings, at: now) == .zero else { return false }
        warned.use(app, Self.warnings, at: now)
        return true
    }
}

/// The origin of a registration with a publishable key, and the limit of its app.
struct RegistrationOrigin: Sendable {
    let app: App.ID
    let network: IPAddress?
    let newInstallations: TokenBucket.Rule

    /// A minute's worth may come in one burst.
    init(app: App.ID, network: IPAddress?, newInstallationsPerMinute: Int) {
        self.app = app
        self.network = network
        newInstallations = TokenBucket.Rule(
            burst: newInstallationsPerMinute, every: .seconds(60) / newInstallationsPerMinute)
    }
}
