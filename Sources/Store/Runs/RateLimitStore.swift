public import Campaigns
import EventLoop
public import Postgres

/// Rate limits of runs and apps, shared by all processes on PostgreSQL's clock.
///
/// A row of `rate_limits` is the time at which the next push may be sent. A sender advances it by the time its pushes
/// take at the limit, and waits for the earlier value. Processes need not know of each other to stay below the limit
/// together.
///
/// Docs/decisions/sending.md explains why there is no bucket of tokens.
public struct RateLimitStore: Sendable {
    /// Unused time that a late sender may still use: small compared with a second, so that the rate is even, but longer
    /// than a short stall of a machine.
    static let burst = Duration.milliseconds(200)

    /// The longest time that one reservation may take. A sender reserves at most a second of pushes, or one push, at
    /// the limit that it knows; this bounds the reservation if the limit has been changed since.
    static let maximumReservation = Duration.seconds(1)

    /// The longest delay that `charge` may cause: several times what campaigns reserve ahead, or it would have no
    /// effect.
    static let maximumDebt = Duration.seconds(5)

    /// More than all senders together reserve ahead. A later time was stored before the clock was set back.
    static let maximumQueue = Duration.seconds(600)

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public struct Reservation: Equatable, Sendable {
        /// The time to wait before sending.
        public let delay: Duration
        /// The lower of the rate limits of the run and its app; nil: no limit any more.
        public let pushesPerSecond: Int?
    }

    /// Reserves time for `count` pushes.
    public func reserve(_ count: Int, run: Run.ID, app: App.ID) async throws(PostgresError) -> Reservation {
        let rows = try await pool.query(
            """
            WITH limits AS MATERIALIZED (
                SELECT app_id, id AS run_id, pushes_per_second AS rate FROM runs
                WHERE app_id = \(app) AND id = \(run) AND pushes_per_second IS NOT NULL
                UNION ALL
                SELECT id, 0, pushes_per_second FROM apps WHERE id = \(app) AND pushes_per_second IS NOT NULL
            ), spans AS MATERIALIZED (
                SELECT app_id, run_id, least(\(count) / rate::float8, \(Self.maximumReservation.seconds)) AS seconds
                FROM limits
            ), booked AS (
                INSERT INTO rate_limits AS p (app_id, run_id, next_at)
                -- Every sender locks the app's row first, so that there is no deadlock.
                SELECT app_id, run_id, clock_timestamp() + make_interval(secs => seconds) FROM spans ORDER BY run_id
                ON CONFLICT (app_id, run_id) DO UPDATE
                SET next_at = \(Self.firstFree)
                    + (SELECT make_interval(secs => s.seconds) FROM spans s WHERE s.run_id = p.run_id)
                RETURNING run_id, next_at
            )
            SELECT max(extract(epoch FROM b.next_at - clock_timestamp())::float8 - s.seconds),
                (SELECT min(rate) FROM limits)
            FROM booked b JOIN spans s USING (run_id)
            """)
        guard let row = rows.first, let seconds: Double = try row[0] else {
            return Reservation(delay: .zero, pushesPerSecond: nil)
        }
        return Reservation(delay: .seconds(max(0, seconds)), pushesPerSecond: try row[1])
    }

    /// Counts pushes that were sent without a reservation against the apps' limits. Campaigns are delayed by at most
    /// `maximumDebt`.
    public func charge(_ counts: [App.ID: Int]) async throws(PostgresError) {
        let counts = counts.sorted { $0.key < $1.key }
        try await pool.execute(
            """
            WITH spans AS MATERIALIZED (
                SELECT a.id AS app_id, make_interval(secs => s.count / a.pushes_per_second::float8) AS span
                FROM unnest(\(counts.map(\.key.rawValue)), \(counts.map { Int64($0.value) })) AS s (app_id, count)
                JOIN apps a ON a.id = s.app_id
                WHERE a.pushes_per_second IS NOT NULL
            )
            INSERT INTO rate_limits AS p (app_id, run_id, next_at)
            SELECT app_id, 0, clock_timestamp() + least(span, \(Self.maximumDebt.interval)) FROM spans ORDER BY app_id
            ON CONFLICT (app_id, run_id) DO UPDATE
            SET next_at = greatest(
                \(Self.firstFree),
                least(
                    \(Self.firstFree) + (SELECT s.span FROM spans s WHERE s.app_id = p.app_id),
                    clock_timestamp() + \(Self.maximumDebt.interval)))
            """)
    }

    /// The time from which pushes can be reserved after those of a row `p`.
    private static let firstFree: PostgresQuery = """
        CASE WHEN p.next_at > clock_timestamp() + \(maximumQueue.interval) THEN clock_timestamp()
            ELSE greatest(p.next_at, clock_timestamp() - \(burst.interval)) END
        """
}
