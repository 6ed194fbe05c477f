/// What the client and its callers do about an answer other than 200. Batches of campaigns, transactional pushes, test
/// pushes and the client read the same table.
public struct Reaction: Hashable, Sendable {
    /// What becomes of the push.
    public enum Push: Hashable, Sendable {
        /// The answer is its outcome.
        case ends
        /// It is sent again later: Apple takes no more pushes for the device, or has an error of its own.
        case waitsForDevice, waitsForApple
    }

    /// What is wrong with the device's token.
    public enum TokenFault: Hashable, Sendable {
        /// The app was removed, or the token was replaced.
        case gone
        /// This environment does not know it.
        case unknown
        /// It belongs to another topic.
        case foreign
    }

    /// What the client does at once.
    public enum ClientStep: Hashable, Sendable {
        /// Sends the push once more on a new connection.
        case reconnect
        /// The same, with a new provider token.
        case renewToken
        /// Sends no pushes of the credential for a while.
        case slowDown
        /// Sends no more of the window: every push would get this answer.
        case recall
    }

    public var push = Push.ends
    public var token: TokenFault?
    public var client: ClientStep?
    /// The answer is about the provider token that all pushes share, so it is never a push's outcome.
    public var isAboutProviderToken = false
    /// The key, the topic or the environment is wrong unless the client's step helps. A campaign is stopped and keeps
    /// its recipients.
    public var blamesCredential = false
}

extension RejectionAction {
    /// The table of reactions; `PushResult.reaction` adds whether the reason blames the credential.
    var reaction: Reaction {
        switch self {
        case .fixRequest: Reaction()
        case .dropToken: Reaction(token: .gone)
        case .checkTokenEnvironment: Reaction(token: .unknown)
        case .detachToken: Reaction(token: .foreign)
        case .stop: Reaction(client: .recall)
        case .reconnect: Reaction(push: .waitsForApple, client: .reconnect)
        case .renewToken: Reaction(push: .waitsForApple, client: .renewToken, isAboutProviderToken: true)
        case .keepToken: Reaction(push: .waitsForApple, client: .slowDown, isAboutProviderToken: true)
        case .retryDevice: Reaction(push: .waitsForDevice)
        case .retryLater: Reaction(push: .waitsForApple)
        }
    }
}

extension PushResult {
    /// Nil for anything but a rejection.
    public var reaction: Reaction? {
        guard let action else { return nil }
        var reaction = action.reaction
        reaction.blamesCredential = ReasonTable.reason(reason)?.isCredentialFaultIfPersistent ?? (action == .stop)
        return reaction
    }
}
