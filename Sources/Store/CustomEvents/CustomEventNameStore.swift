public import Campaigns
public import Notifications
public import Postgres

/// The names of an app's custom events as people read them: what each means, and how often it happens.
public struct CustomEventNameStore: Sendable {
    /// Characters.
    public static let maximumDescriptionLength = 500
    /// The days whose events are counted beside a name.
    public static let countedDays = 30
    /// Events that one step deletes.
    static let deletedAtOnce = 5_000

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public struct Name: Hashable, Sendable {
        public let name: String
        public let description: String
        /// Days after a push within which an event counts as a conversion; nil: events of this name are not conversions.
        public let conversionDays: Int?
        /// In alphabetical order.
        public let properties: [String]
        /// Events of the last `countedDays`, and the sum of their values.
        public let count: Int
        public let amount: String
        public let createdAt: Timestamp
        public let updatedAt: Timestamp
        public let version: Int
    }

    /// What happened in a unit of time.
    public struct Step: Hashable, Sendable {
        public let start: Timestamp
        public let count: Int
        public let amount: String
    }

    /// In alphabetical order, after `after`.
    public func list(app: App.ID, after: String?, limit: Int) async throws -> [Name] {
        try await pool.query(
            "\(Self.select(app)) AND n.name > \(after ?? "") ORDER BY n.name LIMIT \(limit)"
        ).map { try Name($0) }
    }

    public func find(_ name: String, app: App.ID) async throws -> Name {
        let rows = try await pool.query("\(Self.select(app)) AND n.name = \(name)")
        guard let row = rows.first else { throw Refusal.notFound(.customEvent) }
        return try Name(row)
    }

    /// Throws `versionConflict` when there is a newer version than the expected one. Events that were reported before are
    /// not attributed.
    public func update(
        _ name: String, app: App.ID, description: String, conversionDays: Int?, expectedVersion: Int? = nil
    ) async throws -> Name {
        let changed = try await pool.execute(
            """
            UPDATE custom_event_names
            SET description = \(description), conversion_days = \(conversionDays.map { Int16($0) }), version = version + 1, updated_at = now()
            WHERE app_id = \(app) AND name = \(name) AND \(isAt(expectedVersion))
            """)
        let now = try await find(name, app: app)
        if changed == 0 { throw Refusal.versionConflict(current: now.version) }
        return now
    }

    /// Its events, counts and conversions disappear at once, and are deleted step by step. The name can be reported anew.
    /// Throws `versionConflict` when there is a newer version than the expected one.
    public func delete(_ name: String, app: App.ID, expectedVersion: Int? = nil) async throws {
        let changed = try await pool.execute(
            """
            UPDATE custom_event_names
            SET deleted_at = now(), conversion_days = NULL, name = \(Self.deletedMark) || id
            WHERE app_id = \(app) AND name = \(name) AND deleted_at IS NULL AND \(isAt(expectedVersion))
            """)
        if changed == 0 { throw Refusal.versionConflict(current: try await find(name, app: app).version) }
    }

    /// The beginning of the names of deleted ones: no event can have it, since names have no control characters.
    private static let deletedMark = "\u{7f}"

    /// Deletes events of a name that was deleted, and at last the name. Returns the number of rows.
    public func deleteStep() async throws -> Int {
        try await pool.alone(.deletedEventNames) { connection in
            let rows = try await connection.query(
                "SELECT app_id, id FROM custom_event_names WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1")
            guard let row = rows.first else { return 0 }
            let (app, name): (Int64, Int32) = (try row[0], try row[1])
            let deleted = try await connection.execute(
                """
                DELETE FROM custom_events e
                USING (
                    SELECT app_id, name_id, person, event_id, week FROM custom_events
                    WHERE app_id = \(app) AND name_id = \(name) LIMIT \(Self.deletedAtOnce)
                ) AS o
                WHERE e.app_id = o.app_id AND e.name_id = o.name_id AND e.person = o.person AND e.event_id = o.event_id
                    AND e.week = o.week
                """)
            guard deleted == 0 else { return deleted }
            try await connection.execute("DELETE FROM custom_event_names WHERE app_id = \(app) AND id = \(name)")
            return 1
        }
    }

    /// Units in which nothing happened are missing.
    public func series(
        _ name: String, app: App.ID, unit: StatisticsStore.Unit, zone: ZoneClock, since: Timestamp, until: Timestamp
    ) async throws -> [Step] {
        let times = LocalTimes(zone, since: since, until: until)
        return try await pool.query(
            """
            SELECT \(times.unit(unit, of: "quarter")), sum(count)::bigint, trim_scale(sum(amount))::text
            FROM custom_event_quarters
            WHERE app_id = \(app) AND quarter >= \(since) AND quarter < \(until) AND name_id = (
                    SELECT id FROM custom_event_names WHERE app_id = \(app) AND name = \(name))
            GROUP BY 1 ORDER BY 1
            """
        ).map { Step(start: times.start(of: try $0[0], unit), count: try $0[1], amount: try $0[2]) }
    }

    private static func select(_ app: App.ID) -> PostgresQuery {
        """
        SELECT n.name, n.description, n.conversion_days, n.created_at, n.updated_at, n.version, q.count, q.amount,
            ARRAY(SELECT property FROM custom_event_properties p
                WHERE p.app_id = n.app_id AND p.name_id = n.id ORDER BY property) AS properties
        FROM custom_event_names n
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(count), 0)::bigint AS count, trim_scale(coalesce(sum(amount), 0))::text AS amount
            FROM custom_event_quarters q
            WHERE q.app_id = n.app_id AND q.name_id = n.id
                AND q.quarter >= now() - make_interval(days => \(Int32(countedDays)))
        ) AS q
        WHERE n.app_id = \(app) AND n.deleted_at IS NULL
        """
    }
}

extension CustomEventNameStore.Name {
    fileprivate init(_ row: PostgresRow) throws {
        name = try row["name"]
        description = try row["description"]
        conversionDays = try row["conversion_days"]
        properties = try row["properties"]
        count = try row["count"]
        amount = try row["amount"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
        version = try row["version"]
    }
}
