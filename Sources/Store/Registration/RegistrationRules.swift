public import Crypto

/// The requirements of an app for registrations with its publishable keys, which anybody can read out of the app.
public struct RegistrationRules: Sendable {
    /// Whether a user ID must be signed by the app's server.
    public let verifiesIdentity: Bool
    /// The keys of such signatures.
    public let identityKeys: [HMACKey]
    /// Nil: the default.
    public let newInstallationsPerMinute: Int?

    public init(
        verifiesIdentity: Bool = false, identityKeys: [HMACKey] = [], newInstallationsPerMinute: Int? = nil
    ) {
        self.verifiesIdentity = verifiesIdentity
        self.identityKeys = identityKeys
        self.newInstallationsPerMinute = newInstallationsPerMinute
    }

    /// Whether a registration may name this user. `signature` is hexadecimal, in either case.
    public func accept(user: String, signature: String?) -> Bool {
        guard verifiesIdentity else { return true }
        guard let signature, let given = try? Hex.decode(signature) else { return false }
        return identityKeys.contains { constantTimeEquals($0.tag(of: user.utf8), given) }
    }
}
