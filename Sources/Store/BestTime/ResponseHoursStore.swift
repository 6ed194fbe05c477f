import Campaigns
import Experiments
import Notifications
public import Postgres

/// Counts from day to day, for ranges of devices, at which hours their campaigns were due and at which they opened them,
/// and tells from that the best hours of a run.
///
/// Docs/decisions/experiments.md explains why ranges and not devices have rows.
public struct ResponseHoursStore: Sendable {
    /// Devices of a range.
    static let rangeSize: Int64 = 10_000
    /// Days of the past that are counted at first, and days counted in one step.
    static let firstDays = 90.0
    static let stepDays = 7.0
    /// Hours after which a day is counted: people have a day to respond, and devices some hours to say so.
    static let settlingHours = 30.0
    /// In days: what happened so long ago counts a half.
    static let halfLife: Float = 60
    static let halfLifeOfEvidence = 14.0

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The hours of a run; `hours` are those of its window.
    func rules(of app: App.ID, hours: [Int]) async throws -> BestTimeRules {
        let (response, evidence) = try await pool.withConnection { try await Self.past(of: app, on: $0) }
        return BestTimeRules(
            time: BestTime(response, caution: evidence.caution, hours: hours), isPersonal: evidence.caution.isFinite)
    }

    /// Of all devices of the app.
    private static func past(
        of app: App.ID, on connection: PostgresConnection
    ) async throws -> (HourlyResponse, CautionEvidence) {
        let rows = try await connection.query(
            "SELECT response, evidence FROM response_hours WHERE app_id = \(app)")
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            var (response, evidence) = (HourlyResponse(), CautionEvidence())
            for row in rows {
                response += try HourlyResponse(bytes: try row[0, as: [UInt8].self])
                evidence += CautionEvidence(try row[1])
            }
            return (response, evidence)
        }
    }

    /// Counts the next days of the range that has waited longest. Returns the number of its devices that have opened
    /// pushes, at least 1, or 0 when nothing is due or another process is counting.
    public func countStep() async throws -> Int {
        try await pool.alone(.responseHours) { connection in
            try await connection.execute(Self.firstRanges)
            guard let row = try await connection.query(Self.due).first else { return 0 }
            let range = try ResponseRange(row)
            let past = try await Self.past(of: range.app, on: connection)
            let people = try await range.people(on: connection)
            let gone = try await connection.query(range.gone(of: Array(people.byDevice.keys)))
            // PostgreSQL takes the pushes of the range for few, and would compare each with each opening.
            try await connection.execute("SET LOCAL enable_nestloop = off")
            let seen = try await connection.query(range.seen(of: Array(people.byDevice.keys)))
            let counted = try await withTaskExecutorPreference(globalConcurrentExecutor) {
                try CountedRange(range, people, without: gone, seen: seen, rates: past.0.rates)
            }
            try await connection.execute(counted.update)
            if range.isLast { try await connection.execute(range.extension) }
            return max(1, counted.people.byDevice.count)
        }
    }

    /// Up to which moment days are counted.
    private static let limit: PostgresQuery = """
        (date_trunc('day', (now() AT TIME ZONE 'UTC') - make_interval(hours => \(Int32(settlingHours)))) AT TIME ZONE 'UTC')
        """

    /// The first range of each app that has sent a campaign and has none.
    private static let firstRanges: PostgresQuery = """
        INSERT INTO response_hours (app_id, first_id, last_id, counted_until)
        SELECT a.id, d.first, least(d.first + \(rangeSize - 1), d.last),
            date_trunc('day', greatest(r.first, now() - make_interval(days => \(Int32(firstDays)))) AT TIME ZONE 'UTC')
                AT TIME ZONE 'UTC'
        FROM apps a
        CROSS JOIN LATERAL (SELECT min(id) AS first, max(id) AS last FROM devices WHERE app_id = a.id) AS d
        CROSS JOIN LATERAL (SELECT min(started_at) AS first FROM runs WHERE app_id = a.id) AS r
        WHERE NOT EXISTS (SELECT FROM response_hours h WHERE h.app_id = a.id) AND d.first IS NOT NULL AND r.first < \(limit)
        """

    private static let due: PostgresQuery = """
        SELECT h.app_id, h.first_id, h.last_id, h.counted_until, h.response, h.evidence,
            least(\(limit), h.counted_until + make_interval(days => \(Int32(stepDays)))) AS until,
            h.last_id = (SELECT max(last_id) FROM response_hours WHERE app_id = h.app_id) AS is_last,
            a.default_time_zone
        FROM response_hours h JOIN apps a ON a.id = h.app_id
        WHERE h.counted_until < \(limit) AND EXISTS (
            SELECT FROM runs r WHERE r.app_id = h.app_id AND r.started_at < \(limit)
                AND (r.finished_at IS NULL OR r.finished_at > h.counted_until))
        ORDER BY h.counted_until, h.app_id, h.first_id LIMIT 1
        """
}
