/// The decision about a registration that proves no user, in an app that verifies identities.
/// Docs/decisions/registration.md explains what a signature covers and why.
public enum IdentityVerdict: Equatable, Sendable {
    case accepted
    /// It decides where pushes go, so the device is no test device afterwards: what only testers may see would go there.
    case redirected
    /// It decides where pushes go, so the device has no user afterwards: the user's pushes would go there, too.
    case loggedOut
    case refused(IdentityRefusal)
}

/// Why such a registration is not stored.
public enum IdentityRefusal: Equatable, Sendable {
    /// It changes a person and does not prove that the device is theirs.
    case personUnproven
    /// It gives a device to a user without its token. Somebody who knew the installation may have stated another token
    /// before.
    case loginWithoutToken
}

extension Registration {
    /// `user` is the device's before this registration, and `isRedirecting` whether it changes token or environment.
    /// The signature of a user that it names has been checked.
    public func verdict(user: String?, isRedirecting: Bool) -> IdentityVerdict {
        guard sender == .unverifiedApp else { return .accepted }
        switch changes.userID {
        case .value(let named):
            if named == user { return .accepted }
            guard changes.token != nil else { return .refused(.loginWithoutToken) }
            return isRedirecting ? .redirected : .accepted
        case .null: return isRedirecting ? .redirected : .accepted
        case .absent:
            guard user != nil else { return isRedirecting ? .redirected : .accepted }
            guard person?.isEmpty ?? true else { return .refused(.personUnproven) }
            return isRedirecting ? .loggedOut : .accepted
        }
    }

    /// The same, without a user.
    public func loggingOut() -> Registration {
        var loggingOut = redirecting()
        loggingOut.changes.userID = .null
        return loggingOut
    }

    /// The same, of a device that is no test device.
    public func redirecting() -> Registration {
        var redirecting = self
        redirecting.changes.isTest = false
        redirecting.changes.nickname = .null
        return redirecting
    }
}
