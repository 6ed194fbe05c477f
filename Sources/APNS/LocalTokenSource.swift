public import Crypto
import EventLoop
import Glibc
public import Notifications

/// Provider tokens for a single process: a command, a test, a benchmark.
public final class LocalTokenSource: ProviderTokenSource {
    /// Seconds after which a token is renewed; Apple allows 20 to 60 minutes.
    public static let renewalAge = 45 * 60
    public static let minimumAge = 20 * 60

    private let key: SigningKey
    private let keyID: KeyID
    private let teamID: TeamID
    /// Seconds since 1970.
    private let clock: @Sendable () -> Int
    private let current = Lock<ProviderToken?>(nil)

    public convenience init(key: SigningKey, keyID: KeyID, teamID: TeamID) {
        self.init(key: key, keyID: keyID, teamID: teamID, clock: { time(nil) })
    }

    init(key: SigningKey, keyID: KeyID, teamID: TeamID, clock: @escaping @Sendable () -> Int) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
        self.clock = clock
    }

    public func token() async throws -> ProviderToken {
        try token(olderThan: Self.renewalAge)
    }

    public func replace(_ token: ProviderToken) async throws -> ProviderToken {
        try self.token(olderThan: Self.minimumAge)
    }

    private func token(olderThan age: Int) throws -> ProviderToken {
        let now = clock()
        return try current.withLock { current in
            if let current, now - current.issuedAt < age { return current }
            let made = try ProviderToken(key: key, keyID: keyID, teamID: teamID, issuedAt: now)
            current = made
            return made
        }
    }
}
