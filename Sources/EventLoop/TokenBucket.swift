/// A limit on how often something happens: `burst` times immediately, then once every `interval`.
public struct TokenBucket: Sendable {
    public struct Rule: Hashable, Sendable {
        public let burst: Int
        public let interval: Duration

        public init(burst: Int, every interval: Duration) {
            self.burst = burst
            self.interval = interval
        }
    }

    /// When the bucket is full again. Before a use, at most `burst` intervals lie between now and then.
    private var fullAt: MonotonicTime

    public init(at now: MonotonicTime) {
        fullAt = now
    }

    public func isFull(at now: MonotonicTime) -> Bool { fullAt <= now }

    /// The time until the next use is possible; zero if it is.
    public func delay(_ rule: Rule, at now: MonotonicTime) -> Duration {
        let allowed = rule.interval * (rule.burst - 1)
        return max(.zero, (fullAt - now) - allowed)
    }

    /// The number of uses that are possible without waiting.
    public func remaining(_ rule: Rule, at now: MonotonicTime) -> Int {
        let missing = max(.zero, fullAt - now)
        return max(0, rule.burst - Int((missing / rule.interval).rounded(.up)))
    }

    public mutating func use(_ rule: Rule, at now: MonotonicTime) {
        fullAt = max(fullAt, now) + rule.interval
    }

    public mutating func giveBack(_ rule: Rule, at now: MonotonicTime) {
        fullAt = max(now, fullAt + .zero - rule.interval)
    }
}

/// Token buckets by key, as many as a named number: when there are more, those that are full are forgotten, which
/// changes nothing, and if there are none, all.
public struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private let capacity: Int
    private var buckets: [Key: TokenBucket] = [:]

    public init(capacity: Int) {
        self.capacity = capacity
    }

    public func delay(_ key: Key, _ rule: TokenBucket.Rule, at now: MonotonicTime) -> Duration {
        buckets[key]?.delay(rule, at: now) ?? .zero
    }

    public func remaining(_ key: Key, _ rule: TokenBucket.Rule, at now: MonotonicTime) -> Int {
        buckets[key]?.remaining(rule, at: now) ?? rule.burst
    }

    public mutating func use(_ key: Key, _ rule: TokenBucket.Rule, at now: MonotonicTime) {
        if buckets.count >= capacity, buckets[key] == nil { makeRoom(at: now) }
        buckets[key, default: TokenBucket(at: now)].use(rule, at: now)
    }

    public mutating func giveBack(_ key: Key, _ rule: TokenBucket.Rule, at now: MonotonicTime) {
        buckets[key]?.giveBack(rule, at: now)
    }

    private mutating func makeRoom(at now: MonotonicTime) {
        buckets = buckets.filter { !$0.value.isFull(at: now) }
        if buckets.count >= capacity { buckets.removeAll() }
    }
}
