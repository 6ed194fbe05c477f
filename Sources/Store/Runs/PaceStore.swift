public import Campaigns
import EventLoop
public import Postgres

/// How many pushes a second a run, and its app, may send over all processes together, on PostgreSQL's clock.
///
/// A pace is the moment when its next push may go. Who is about to send so many moves it on by the time they take, and
/// waits for the moment that stood there before: no process knows of the others, and the sum is the rate.
public struct PaceStore: Sendable {
    /// How late a sender may come and still have the time it missed: small against a second, so that a rate is kept
    /// evenly, and more than a hiccup of a machine.
    static let credit = Duration.milliseconds(200)

    /// A window has at most a second's pushes, or one push, at the pace that its sender knows; should that have been
    /// changed meanwhile, nobody may book more than this at the new one.
    static let longestSpan = Duration.seconds(1)

    /// Some times what campaigns book ahead of themselves, or it would never tell.
    static let longestDebt = Duration.seconds(5)

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Books so many pushes; they may go after the duration that is returned. Zero when there is no limit any more.
    public func book(_ count: Int, run: Run.ID, app: App.ID) async throws(PostgresError) -> Duration {
        let rows = try await pool.query(
            """
            WITH limits AS MATERIALIZED (
                SELECT app_id, id AS run_id, pushes_per_second AS rate FROM runs
                WHERE id = \(run) AND pushes_per_second IS NOT NULL
                UNION ALL
                SELECT id, 0, pushes_per_second FROM apps WHERE id = \(app) AND pushes_per_second IS NOT NULL
            ), spans AS MATERIALIZED (
                SELECT app_id, run_id, least(\(count) / rate::float8, \(Self.longestSpan.seconds)) AS seconds FROM limits
            ), booked AS (
                INSERT INTO paces AS p (app_id, run_id, next_at)
                -- The app's row comes first for everybody, so that nobody waits in a circle.
                SELECT app_id, run_id, clock_timestamp() + make_interval(secs => seconds) FROM spans ORDER BY run_id
                ON CONFLICT (app_id, run_id) DO UPDATE
                SET next_at = greatest(p.next_at, clock_timestamp() - \(Self.credit.interval))
                    + (SELECT make_interval(secs => s.seconds) FROM spans s WHERE s.run_id = p.run_id)
                RETURNING run_id, next_at
            )
            SELECT max(extract(epoch FROM b.next_at - clock_timestamp())::float8 - s.seconds)
            FROM booked b JOIN spans s USING (run_id)
            """)
        guard let seconds: Double = try rows.first?[0] else { return .zero }
        return .seconds(max(0, seconds))
    }

    /// Takes from the apps' paces what was sent without waiting for them. However much that is, campaigns are put off no
    /// further than `longestDebt`.
    public func spend(_ counts: [App.ID: Int]) async throws(PostgresError) {
        let counts = counts.sorted { $0.key < $1.key }
        try await pool.execute(
            """
            WITH spans AS MATERIALIZED (
                SELECT a.id AS app_id, make_interval(secs => s.count / a.pushes_per_second::float8) AS span
                FROM unnest(\(counts.map(\.key.rawValue)), \(counts.map { Int64($0.value) })) AS s (app_id, count)
                JOIN apps a ON a.id = s.app_id
                WHERE a.pushes_per_second IS NOT NULL
            )
            INSERT INTO paces AS p (app_id, run_id, next_at)
            SELECT app_id, 0, clock_timestamp() + least(span, \(Self.longestDebt.interval)) FROM spans ORDER BY app_id
            ON CONFLICT (app_id, run_id) DO UPDATE
            SET next_at = greatest(
                p.next_at,
                least(
                    greatest(p.next_at, clock_timestamp() - \(Self.credit.interval))
                        + (SELECT s.span FROM spans s WHERE s.app_id = p.app_id),
                    clock_timestamp() + \(Self.longestDebt.interval)))
            """)
    }
}
