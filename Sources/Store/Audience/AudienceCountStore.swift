public import Campaigns
import EventLoop
public import Postgres

/// The number of devices in an audience, counted within about a second.
public struct AudienceCount: Hashable, Sendable {
    /// Matching devices for alerts that are not retired.
    public let matches: Int
    /// Matching devices that have not denied notifications.
    public let reachable: Int
    /// False for an estimate.
    public let isExact: Bool
    /// The margin of error of an estimate, at 95% confidence. Nil if it is unknown.
    public let marginOfError: Int?
    /// The number of devices scanned.
    public let devicesScanned: Int
    /// Some matching devices.
    public let sample: [AudienceSample]
}

public struct AudienceSample: Hashable, Sendable {
    public let device: Device.ID
    public let installation: String
    public let userID: String?
    public let nickname: String?
    public let locale: String?
    public let appVersion: String?
}

/// Counts audiences. The count is exact if an index finds the matches or the time suffices for all devices; otherwise
/// it is an estimate from stripes of ids.
public struct AudienceCountStore: Sendable {
    public static let sampleSize = 10
    /// A shorter deadline would give no result.
    static let shortestDeadline = Duration.milliseconds(50)

    private let pool: PostgresPool
    /// Selects the first stripe; nil: always the same of an app.
    var seed: UInt64?
    /// Deadline of one statement, so that a slow one does not delay the response.
    var statementDeadline = Duration.milliseconds(400)
    /// The number of stripes of the first width, if the budget allows; nil: adapt the width and use the whole budget.
    var stripes: Int?

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// `budget` limits the counting of stripes; the response takes at most three statements longer.
    public func count(
        _ resolved: ResolvedAudience, app: App.ID, budget: Duration = .seconds(1)
    ) async throws -> AudienceCount {
        let start = MonotonicTime.now()
        let deadline = min(statementDeadline, max(Self.shortestDeadline, budget))
        let estimate = try await estimate(
            resolved, app: app, days: nil, indexDeadline: deadline, rangeDeadline: nil
        ) { counted in
            // An estimate needs at least two stripes.
            MonotonicTime.now() - start < budget + (counted < 2 ? deadline : .zero) ? deadline : nil
        }
        return try await count(estimate, app: app)
    }

    /// The matching devices, or what could be counted of them within `limit`, which is kept: a campaign waits for it.
    /// Half of the time is for an index. 0 and not exact if nothing could be counted. Without `days`, today is the date in
    /// the app's default time zone.
    public func quickCount(
        _ resolved: ResolvedAudience, app: App.ID, days: AudienceDays? = nil, within limit: Duration
    ) async throws -> (matches: Int, isExact: Bool) {
        let end = MonotonicTime.now() + limit
        let estimate = try await estimate(
            resolved, app: app, days: days, indexDeadline: limit / 2, rangeDeadline: limit / 2
        ) { _ in
            let left = end - .now()
            return left > .zero ? min(statementDeadline, left) : nil
        }
        return (estimate.matches, estimate.isExact)
    }

    /// `deadline` is asked before each stripe, with the number of stripes counted so far; nil ends the count.
    private func estimate(
        _ resolved: ResolvedAudience, app: App.ID, days: AudienceDays?, indexDeadline: Duration,
        rangeDeadline: Duration?, deadline: (Int) -> Duration?
    ) async throws -> AudienceEstimate {
        if let estimate = try await indexed(resolved, app: app, days, indexDeadline) { return estimate }
        guard let range = try await range(of: app, rangeDeadline) else {
            return AudienceEstimate([], stripes: 1, ids: 1, sampleSize: 0)
        }
        guard let first = range.first, let last = range.last else {
            return AudienceEstimate([], stripes: 0, ids: 0, sampleSize: 0)
        }
        var walk = StripeSampler(
            first: first, last: last, seed: seed ?? UInt64(bitPattern: app.rawValue), hasFixedWidth: stripes != nil)
        while walk.tallies.count < stripes ?? .max, let (after, through) = walk.next,
            let deadline = deadline(walk.tallies.count)
        {
            let begin = MonotonicTime.now()
            let ids = IDRange(after: after, through: through)
            let sql = AudienceSQL(resolved, app: app, ids: ids, days: days)
            let query = Self.tally(sql, sql.condition, where: ids.contains("d.id"), app: app)
            if var tally = try await tally(query, deadline) {
                tally.ids = through - after
                walk.record(tally, took: MonotonicTime.now() - begin)
            } else {
                walk.recordTimeout()
            }
        }
        return AudienceEstimate(
            walk.tallies, stripes: walk.stripes, ids: walk.totalIDs, sampleSize: Self.sampleSize)
    }

    /// Counts with an index; nil when there is none, or it finds too many devices for the deadline.
    private func indexed(
        _ resolved: ResolvedAudience, app: App.ID, _ days: AudienceDays?, _ deadline: Duration
    ) async throws -> AudienceEstimate? {
        let sql = AudienceSQL(resolved, app: app, ids: .all, days: days)
        guard let restriction = sql.restriction else { return nil }
        let query = Self.tally(sql, restriction.remainder, where: restriction.condition, app: app)
        guard let tally = try await tally(query, deadline) else { return nil }
        return AudienceEstimate([tally], stripes: 1, ids: 1, sampleSize: Self.sampleSize)
    }

    /// The ids of an app's devices, none if it has no device; nil when the deadline has passed.
    private func range(of app: App.ID, _ deadline: Duration?) async throws -> (first: Int64?, last: Int64?)? {
        do throws(PostgresError) {
            let rows = try await pool.query(
                "SELECT min(id), max(id) FROM devices WHERE app_id = \(app)", deadline: deadline)
            return (try rows[0][0], try rows[0][1])
        } catch {
            if error.kind == .deadline { return nil }
            throw error
        }
    }

    // MARK: Statements

    /// OFFSET prevents PostgreSQL from evaluating the condition once for each sum.
    private static func tally(
        _ sql: AudienceSQL, _ condition: PostgresQuery, where restriction: PostgresQuery, app: App.ID
    ) -> PostgresQuery {
        """
        SELECT count(*), count(*) FILTER (WHERE is_match), count(*) FILTER (WHERE is_match AND is_reachable),
            coalesce((array_agg(id ORDER BY id) FILTER (WHERE is_match))[1:\(Int32(sampleSize))], '{}')
        FROM (
            SELECT d.id, \(Consent.isReachable) AS is_reachable,
                \(condition) AS is_match
            FROM devices d \(sql.join)
            WHERE d.app_id = \(app) AND d.retired_at IS NULL AND d.kind = \(DeviceKind.alert) AND \(restriction)
            OFFSET 0
        ) AS scanned
        """
    }

    /// Nil when the deadline has passed.
    private func tally(_ query: PostgresQuery, _ deadline: Duration) async throws -> StripeTally? {
        do throws(PostgresError) {
            let rows = try await pool.query(query, deadline: deadline)
            guard let row = rows.first else { return nil }
            return StripeTally(
                devicesScanned: try row[0], matches: try row[1], reachable: try row[2], sample: try row[3])
        } catch {
            if error.kind == .deadline { return nil }
            throw error
        }
    }

    private func count(_ estimate: AudienceEstimate, app: App.ID) async throws -> AudienceCount {
        var sample: [AudienceSample] = []
        if !estimate.sample.isEmpty {
            let rows = try await pool.query(
                """
                SELECT id, installation, user_id, nickname, locale, app_version FROM devices
                WHERE app_id = \(app) AND id = ANY (\(estimate.sample)) ORDER BY id
                """)
            sample = try rows.map { row in
                AudienceSample(
                    device: try row[0], installation: try row[1], userID: try row[2], nickname: try row[3],
                    locale: try row[4], appVersion: try row[5])
            }
        }
        return AudienceCount(
            matches: estimate.matches, reachable: estimate.reachable, isExact: estimate.isExact,
            marginOfError: estimate.marginOfError, devicesScanned: estimate.devicesScanned, sample: sample)
    }
}
