public import Campaigns
import EventLoop
public import Store

/// Decides whether a registration with a publishable key is accepted. Each app's rules are remembered, so that a
/// registration costs no query.
public final class RegistrationAdmission: Sendable {
    /// How long a change of an app's rules may take to reach this process.
    static let lifetime = Duration.seconds(10)
    /// Apps.
    static let capacity = 1_024

    private let keys: IdentityKeyStore
    private let minimumAge: Duration
    private let rules = ExpiringCache<App.ID, RegistrationRules>(lifetime: lifetime, capacity: capacity)

    /// A wrong signature reads the keys again, but not sooner than after `minimumAge`: anyone can invent signatures.
    public init(_ keys: IdentityKeyStore, minimumAge: Duration = .seconds(1)) {
        self.keys = keys
        self.minimumAge = minimumAge
    }

    /// Whether a registration may name this user; `signature` is that of the app's server.
    public func mayName(user: String, signature: String?, app: App.ID) async throws -> Bool {
        if try await rules(of: app).accept(user: user, signature: signature) { return true }
        return try await rules(of: app, noOlderThan: minimumAge).accept(user: user, signature: signature)
    }

    private func rules(of app: App.ID, noOlderThan age: Duration? = nil) async throws -> RegistrationRules {
        try await rules.value(for: app, noOlderThan: age) { try await keys.rules(of: app) ?? RegistrationRules() }
    }
}
