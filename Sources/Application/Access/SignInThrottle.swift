import EventLoop

/// Limits attempts to sign in so that passwords can't be guessed, without a way to lock the owner out: a person
/// who has signed in from a network or a browser before is counted apart from others.
struct SignInThrottle {
    /// Strangers, per account: 2,880 guesses a day.
    static let perAccount = TokenBucket.Rule(burst: 10, every: .seconds(30))
    /// Strangers, per network.
    static let perNetwork = TokenBucket.Rule(burst: 20, every: .seconds(10))
    /// From where the person has signed in before, per account and network.
    static let perKnownNetwork = TokenBucket.Rule(burst: 20, every: .seconds(10))
    /// Buckets of each kind.
    static let capacity = 10_000

    struct Attempt: Hashable {
        /// Also counted if no such account exists: the answer must not tell.
        let email: String
        let network: String
        let isKnown: Bool
    }

    private struct Pair: Hashable {
        let email: String
        let network: String
    }

    private var accounts = TokenBuckets<String>(capacity: capacity)
    private var networks = TokenBuckets<String>(capacity: capacity)
    private var known = TokenBuckets<Pair>(capacity: capacity)

    /// Zero if the attempt may be made, and it is counted; otherwise the time to wait.
    mutating func begin(_ attempt: Attempt, at now: MonotonicTime) -> Duration {
        guard !attempt.isKnown else {
            let pair = Pair(email: attempt.email, network: attempt.network)
            let delay = known.delay(pair, Self.perKnownNetwork, at: now)
            if delay == .zero { known.use(pair, Self.perKnownNetwork, at: now) }
            return delay
        }
        let delay = max(
            accounts.delay(attempt.email, Self.perAccount, at: now),
            networks.delay(attempt.network, Self.perNetwork, at: now))
        guard delay == .zero else { return delay }
        accounts.use(attempt.email, Self.perAccount, at: now)
        networks.use(attempt.network, Self.perNetwork, at: now)
        return .zero
    }

    /// The attempt had the right password, so it was no guess.
    mutating func succeeded(_ attempt: Attempt, at now: MonotonicTime) {
        if attempt.isKnown {
            known.giveBack(Pair(email: attempt.email, network: attempt.network), Self.perKnownNetwork, at: now)
        } else {
            accounts.giveBack(attempt.email, Self.perAccount, at: now)
            networks.giveBack(attempt.network, Self.perNetwork, at: now)
        }
    }
}
