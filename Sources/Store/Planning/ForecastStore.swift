public import Campaigns
public import Postgres

/// Reads what a forecast needs: devices evaluated by the planner's own rules, grouped by result.
public struct ForecastStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Devices that share a timing and an outcome.
    public struct Group: Sendable {
        /// The index of the timing.
        public let index: Int
        /// The outcome's code; 0 for devices that would be sent to.
        public let code: Int
        /// The place of the hour in a window, if each device is due at its best time.
        public let place: Int
        public let count: Int
        /// The part of `count` with an hour of its own, from its own past.
        public let personal: Int
        /// Devices for the sample, and the hashes of their ids.
        public let sample: [Int64]
        public let hashes: [Int32]
    }

    /// The database's clock, in seconds since 1970.
    public func now() async throws -> Int {
        try await pool.query("SELECT floor(extract(epoch FROM now()))::bigint")[0][0]
    }

    /// The first and the last device of the app; nil when it has none.
    public func idRange(of app: App.ID) async throws -> (first: Int64, last: Int64)? {
        let rows = try await pool.query("SELECT min(id), max(id) FROM devices WHERE app_id = \(app)")
        guard let row = rows.first, let first = try row[0, as: Int64?.self] else { return nil }
        return (first, try row[1])
    }

    /// Evaluates the devices with ids beyond `after` and up to `through`; nil when the deadline has passed. With a
    /// threshold, the groups contain a sample: devices that would be sent to and whose ids hash to no more than it.
    public func groups(
        by rules: PlanRules, after: Int64, through: Int64, sampledBelow threshold: Int32?, deadline: Duration
    ) async throws -> [Group]? {
        let ids = IDRange(after: after, through: through)
        let hours =
            rules.bestTime == nil
            ? BestHours.none : try await pool.withConnection { try await BestHours(of: rules, in: ids, on: $0) }
        let query = PlanQuery(rules: rules, ids: ids, run: nil, hours: hours)
        let rows: PostgresRows
        do throws(PostgresError) {
            rows = try await pool.query(
                """
                WITH \(query.parts)
                SELECT timing_index, code, place, count(*), count(*) FILTER (WHERE is_personal),
                    \(Self.sample(below: threshold))
                FROM scanned WHERE is_targeted GROUP BY 1, 2, 3
                """, deadline: deadline)
        } catch {
            if error.kind == .deadline { return nil }
            throw error
        }
        return try rows.map { row in
            Group(
                index: try row[0], code: try row[1], place: try row[2], count: try row[3], personal: try row[4],
                sample: try row[5], hashes: try row[6])
        }
    }

    private static func sample(below threshold: Int32?) -> PostgresQuery {
        guard let threshold else { return "'{}'::bigint[], '{}'::integer[]" }
        let filter: PostgresQuery = "FILTER (WHERE code = 0 AND hashint8(id) <= \(threshold))"
        return "coalesce(array_agg(id) \(filter), '{}'), coalesce(array_agg(hashint8(id)) \(filter), '{}')"
    }

    /// Rows of id and the fields that a content needs, sorted by id. Devices that are gone are missing.
    public func values(of devices: [Int64], app: App.ID, needs: [Field]) async throws -> PostgresRows {
        try await pool.query(
            """
            SELECT id\(RecipientStore.columns(needs)) FROM devices
            WHERE app_id = \(app) AND id = ANY (\(devices)) ORDER BY id
            """)
    }
}
