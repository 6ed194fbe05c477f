import Campaigns
import EventLoop
public import Postgres

/// PostgreSQL's clock, which is everybody's: processes whose own clocks differ agree on when something is over.
public final class DatabaseClock: Sendable {
    /// How long a reading is carried on by this machine's monotonic clock.
    static let lifetime = Duration.seconds(60)

    private let pool: PostgresPool
    private let known = Lock<(at: MonotonicTime, seconds: Double)?>(nil)

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Seconds since 1970.
    public func now() async throws(PostgresError) -> Int {
        let before = MonotonicTime.now()
        if let known = known.withLock({ $0 }), before - known.at < Self.lifetime { return estimate }
        let rows = try await pool.query("SELECT extract(epoch FROM clock_timestamp())::float8")
        let seconds: Double = try rows[0][0]
        // Between the question and the answer.
        let at = before + (MonotonicTime.now() - before) / 2
        known.withLock { $0 = (at, seconds) }
        return estimate
    }

    /// By the last reading; before the first, this machine's own clock. Seconds since 1970.
    public var estimate: Int {
        guard let known = known.withLock({ $0 }) else { return Int(Timestamp.now.secondsSince1970) }
        return Int(known.seconds + (MonotonicTime.now() - known.at).seconds)
    }
}
