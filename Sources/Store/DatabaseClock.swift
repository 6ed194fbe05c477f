import Campaigns
import EventLoop
public import Postgres

/// PostgreSQL's clock, which all processes share: they agree on times even if their own clocks differ.
public final class DatabaseClock: Sendable {
    /// The time for which a reading is extrapolated by the monotonic clock of this machine.
    static let lifetime = Duration.seconds(60)

    private let pool: PostgresPool
    private let cached = Lock<(at: MonotonicTime, seconds: Double)?>(nil)

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Seconds since 1970.
    public func now() async throws(PostgresError) -> Int {
        let before = MonotonicTime.now()
        if let cached = cached.withLock({ $0 }), before - cached.at < Self.lifetime { return estimate }
        let rows = try await pool.query("SELECT extract(epoch FROM clock_timestamp())::float8")
        let seconds: Double = try rows[0][0]
        // The middle between the query and the response.
        let at = before + (MonotonicTime.now() - before) / 2
        cached.withLock { $0 = (at, seconds) }
        return estimate
    }

    /// The time by the last reading; before the first, by this machine's clock. Seconds since 1970.
    public var estimate: Int {
        guard let cached = cached.withLock({ $0 }) else { return Int(Timestamp.now.secondsSince1970) }
        return Int(cached.seconds + (MonotonicTime.now() - cached.at).seconds)
    }
}
