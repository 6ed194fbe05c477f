public import Campaigns
import EventLoop
public import Postgres

/// How many devices an audience has, within a second or so.
public struct AudienceCount: Hashable, Sendable {
    /// Devices for alerts that are not retired.
    public let matches: Int
    /// Those of them that have not denied notifications.
    public let reachable: Int
    /// False: it is an estimate.
    public let isExact: Bool
    /// Of an estimate: the matches are that near to it, either way, in 95 of 100 cases. Nil where even that is not known.
    public let marginOfError: Int?
    /// Devices that were looked at.
    public let looked: Int
    /// Some who match.
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

/// Counts exactly where an index leads to the matches or the time suffices for all devices; otherwise it counts stripes
/// of ids and says that it is an estimate.
public struct AudienceCountStore: Sendable {
    public static let sampleSize = 10
    /// Less would tell nothing.
    static let shortestDeadline = Duration.milliseconds(50)

    private let pool: PostgresPool
    /// Where the walk begins; nil: anywhere.
    var seed: UInt64?
    /// Of one statement, so that a slow one does not take the answer along.
    var statementDeadline = Duration.milliseconds(400)
    /// So many of the first width, if the budget allows; nil: as wide as the machine makes them, until it is used.
    var stripes: Int?

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// `budget` is for counting stripes; the answer takes at most three statements longer.
    public func count(
        _ resolved: ResolvedAudience, app: App.ID, budget: Duration = .seconds(1)
    ) async throws -> AudienceCount {
        let start = MonotonicTime.now()
        let deadline = min(statementDeadline, max(Self.shortestDeadline, budget))
        if let estimate = try await served(resolved, app: app, deadline) { return try await count(estimate, app: app) }
        guard let (first, last) = try await range(of: app) else {
            return try await count(AudienceEstimate([], stripes: 0, ids: 0, sampleSize: 0), app: app)
        }
        var walk = StripeSampler(
            first: first, last: last, seed: seed ?? .random(in: 0 ... .max), isSettled: stripes != nil)
        // One stripe alone says nothing about the others.
        while walk.tallies.count < stripes ?? .max, let (after, through) = walk.next,
            MonotonicTime.now() - start < budget + (walk.tallies.count < 2 ? deadline : .zero)
        {
            let begin = MonotonicTime.now()
            let query = Self.tally(resolved, app: app, ids: IDRange(after: after, through: through))
            if var tally = try await tally(query, deadline) {
                tally.ids = through - after
                walk.note(tally, took: MonotonicTime.now() - begin)
            } else {
                walk.noteDeadline()
            }
        }
        let estimate = AudienceEstimate(
            walk.tallies, stripes: walk.stripes, ids: walk.totalIDs, sampleSize: Self.sampleSize)
        return try await count(estimate, app: app)
    }

    /// By an index; nil when there is none, or it leads to too many.
    private func served(
        _ resolved: ResolvedAudience, app: App.ID, _ deadline: Duration
    ) async throws -> AudienceEstimate? {
        let sql = AudienceSQL(resolved, app: app, ids: .all)
        guard let restriction = sql.restriction else { return nil }
        let query = Self.tally(sql, restriction.remainder, where: restriction.condition, app: app)
        guard let tally = try await tally(query, deadline) else { return nil }
        return AudienceEstimate([tally], stripes: 1, ids: 1, sampleSize: Self.sampleSize)
    }

    private func range(of app: App.ID) async throws -> (first: Int64, last: Int64)? {
        let rows = try await pool.query("SELECT min(id), max(id) FROM devices WHERE app_id = \(app)")
        guard let row = rows.first, let first = try row[0, as: Int64?.self] else { return nil }
        return (first, try row[1])
    }

    // MARK: Statements

    private static func tally(_ resolved: ResolvedAudience, app: App.ID, ids: IDRange) -> PostgresQuery {
        let sql = AudienceSQL(resolved, app: app, ids: ids)
        return tally(sql, sql.condition, where: ids.holds("d.id"), app: app)
    }

    /// OFFSET keeps PostgreSQL from asking for the condition once for each of the sums.
    private static func tally(
        _ sql: AudienceSQL, _ condition: PostgresQuery, where restriction: PostgresQuery, app: App.ID
    ) -> PostgresQuery {
        """
        SELECT count(*), count(*) FILTER (WHERE is_match), count(*) FILTER (WHERE is_match AND is_reachable),
            coalesce((array_agg(id ORDER BY id) FILTER (WHERE is_match))[1:\(Int32(sampleSize))], '{}')
        FROM (
            SELECT d.id, d.authorization_status <> \(AuthorizationStatus.denied) AS is_reachable,
                \(condition) AS is_match
            FROM devices d \(sql.join)
            WHERE d.app_id = \(app) AND d.retired_at IS NULL AND d.kind = \(DeviceKind.alert) AND \(restriction)
            OFFSET 0
        ) AS looked
        """
    }

    /// Nil when the deadline has passed.
    private func tally(_ query: PostgresQuery, _ deadline: Duration) async throws -> StripeTally? {
        do throws(PostgresError) {
            let rows = try await pool.query(query, deadline: deadline)
            guard let row = rows.first else { return nil }
            return StripeTally(
                looked: try row[0], matches: try row[1], reachable: try row[2], sample: try row[3])
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
            marginOfError: estimate.marginOfError, looked: estimate.looked, sample: sample)
    }
}
