public import Crypto
import EventLoop
import Glibc
public import Notifications

/// Tokens for one process alone: a command, a test, a benchmark.
public final class LocalTokenSource: ProviderTokenSource {
    /// Seconds after which a token is made anew; Apple allows 20 to 60 minutes.
    public static let renewalAge = 45 * 60
    public static let minimumAge = 20 * 60

    private let key: SigningKey
    private let keyID: KeyID
    private let teamID: TeamID
    private let current = Lock<ProviderToken?>(nil)

    public init(key: SigningKey, keyID: KeyID, teamID: TeamID) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
    }

    public func token() async throws -> ProviderToken {
        try token(olderThan: Self.renewalAge)
    }

    public func replace(_ token: ProviderToken) async throws -> ProviderToken {
        try self.token(olderThan: Self.minimumAge)
    }

    private func token(olderThan age: Int) throws -> ProviderToken {
        let now = time(nil)
        return try current.withLock { current in
            if let current, now - current.issuedAt < age { return current }
            let made = try ProviderToken(key: key, keyID: keyID, teamID: teamID, issuedAt: now)
            current = made
            return made
        }
    }
}
