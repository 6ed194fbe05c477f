import Campaigns
import EventLoop
import Postgres
public import Store

/// Finds signed-in people by the token in their cookie. Recent ones are remembered for a few seconds.
public struct KnownSessions: Sendable {
    /// A session that was not used for so long has ended.
    public static let idleLimit = Duration.seconds(12 * 3_600)
    /// Its end, however often it is used.
    public static let lifetime = Duration.seconds(14 * 86_400)
    /// The longest time that a session still works here after another process has ended it.
    static let cached = Duration.seconds(5)
    static let capacity = 1_024
    /// The shortest time between two writes that a session is in use.
    static let touchInterval = Duration.seconds(60)

    private let sessions: SessionStore
    private let known = ExpiringCache<[UInt8], SignedInUser>(lifetime: cached, capacity: capacity)

    public init(_ sessions: SessionStore) {
        self.sessions = sessions
    }

    /// Nil when the session has ended.
    public func find(_ token: SessionToken) async throws -> SignedInUser? {
        let hash = token.hash
        if let signedIn = known.value(for: hash) { return signedIn }
        guard let signedIn = try await sessions.find(hash: hash, idleLimit: Self.idleLimit) else { return nil }
        if Timestamp.now - signedIn.session.lastUsedAt > Self.touchInterval {
            try await sessions.touch(signedIn.session.id)
        }
        known.insert(signedIn, for: hash)
        return signedIn
    }

    /// To be called after a change of a person or his or her sessions: it is noticed here immediately.
    public func forget() { known.remove { _ in true } }
}
