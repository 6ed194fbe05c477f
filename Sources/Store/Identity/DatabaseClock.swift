import Campaigns
import EventLoop
public import Postgres

/// PostgreSQL's clock, which all processes share: they agree on times even if their own clocks differ.
public final class DatabaseClock: Sendable {
    /// The time for which a reading is extrapolated by the monotonic clock of this machine.
    static let lifetime = Duration.seconds(60)
    /// The time between two readings while the clock is ahead of what is expected.
    static let doubtfulLifetime = Duration.seconds(1)

    private struct Reading {
        var at: MonotonicTime
        var seconds: Double
        /// When it is read again.
        var until: MonotonicTime
    }

    private let pool: PostgresPool
    private let last: Lock<(reading: Reading?, jump: ClockJump)>

    public convenience init(pool: PostgresPool) {
        self.init(pool: pool, assuming: nil)
    }

    /// `seconds` since 1970 are as if they had been read now.
    init(pool: PostgresPool, assuming seconds: Double?) {
        self.pool = pool
        let now = MonotonicTime.now()
        var jump = ClockJump()
        if let seconds { _ = jump.believes(seconds, at: now.sinceStart) }
        last = Lock((seconds.map { Reading(at: now, seconds: $0, until: now) }, jump))
    }

    /// Seconds since 1970.
    public func now() async throws(PostgresError) -> Int {
        let before = MonotonicTime.now()
        if let reading = last.withLock({ $0.reading }), before < reading.until { return estimate }
        let rows = try await pool.query("SELECT extract(epoch FROM clock_timestamp())::float8")
        let seconds: Double = try rows[0][0]
        // The middle between the query and the response.
        let at = before + (MonotonicTime.now() - before) / 2
        last.withLock { last in
            if last.jump.believes(seconds, at: at.sinceStart) {
                last.reading = Reading(at: at, seconds: seconds, until: at + Self.lifetime)
            } else {
                last.reading?.until = at + Self.doubtfulLifetime
            }
        }
        return estimate
    }

    /// The time by the last reading; before the first, by this machine's clock. Seconds since 1970.
    public var estimate: Int {
        guard let reading = last.withLock({ $0.reading }) else { return Int(Timestamp.now.secondsSince1970) }
        return Int(reading.seconds + (MonotonicTime.now() - reading.at).seconds)
    }
}

extension MonotonicTime {
    fileprivate var sinceStart: Duration { .nanoseconds(nanoseconds) }
}
