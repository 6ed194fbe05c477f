public import Campaigns
public import Postgres

/// A push to a device, and what became of it.
public struct DeviceDelivery: Sendable {
    /// The batch, whose ids grow with time.
    public let batch: Int64
    public let device: Device.ID
    /// Nil once the device's row is gone.
    public let installation: String?
    public let messageNumber: Int64
    /// Nil for a transactional push.
    public let campaign: Campaign.ID?
    public let campaignName: String?
    public let run: Run.ID?
    public let outcome: OutcomeKind
    public let reason: String?
    public let isResent: Bool
    public let wasDeferred: Bool
    /// The push was sent between these times. The second is nil while the batch is being sent.
    public let dueAt: Timestamp
    public let endedAt: Timestamp?
    /// The device when the push was sent.
    public let profile: DeviceProfile
    public internal(set) var events: [Event] = []

    /// An event that the device has reported about the push.
    public struct Event: Hashable, Sendable {
        public let kind: EventKind
        /// Empty for kinds without one.
        public let action: String
        public let text: String?
        public let value: String?
        public let happenedAt: Timestamp
        public let isImplied: Bool
    }
}

/// Reads the pushes of a device or a person from the ledgers.
public struct DeviceHistoryStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Newest first; `before` is the batch of the last entry of the page before.
    public func deliveries(
        of device: Device.ID, app: App.ID, before batch: Int64?, limit: Int
    ) async throws -> [DeviceDelivery] {
        try await page(
            app: app, devices: "SELECT \(device)::bigint AS id", through: batch.map { $0 - 1 }, where: "true",
            limit: limit)
    }

    /// The pushes to all devices while they were the person's, newest first. `before` is the last entry of the page
    /// before.
    public func deliveries(
        of user: String, app: App.ID, before: (batch: Int64, device: Device.ID)?, limit: Int
    ) async throws -> [DeviceDelivery] {
        try await page(
            app: app, devices: PastUser.devices(of: user, app), through: before?.batch,
            where: """
                (b.id, d.id) < (\(before?.batch ?? .max), \(before?.device.rawValue ?? .max))
                    AND user_at(\(app), d.id, coalesce(u.started_at, b.due_at)) = \(user)
                """, limit: limit)
    }

    /// The last outcome of a device in a run; nil if it is not a recipient.
    func delivery(to device: Device.ID, app: App.ID, run: Run.ID) async throws -> DeviceDelivery? {
        let batches: PostgresQuery = """
            SELECT id, run_id FROM batches
            WHERE run_id = \(run) AND last_id >= d.id AND first_id <= d.id ORDER BY id DESC OFFSET 0
            """
        return try await pool.withGenericPlans { connection in
            var found = try await Self.deliveries(
                app: app, devices: "SELECT \(device)::bigint AS id",
                from: Self.entries(batches, app, where: "true", limit: 1), limit: 1, on: connection)
            try await Self.readEvents(of: &found, app: app, on: connection)
            return found.first
        }
    }

    /// The newest pushes to devices, of runs and transactional, up to a batch. `condition` is about a device `d`, a batch
    /// `b` and its run `u`.
    private func page(
        app: App.ID, devices: PostgresQuery, through batch: Int64?, where condition: PostgresQuery, limit: Int
    ) async throws -> [DeviceDelivery] {
        try await pool.withGenericPlans { connection in
            func read(_ batches: PostgresQuery) async throws -> [DeviceDelivery] {
                try await Self.deliveries(
                    app: app, devices: devices, from: Self.entries(batches, app, where: condition, limit: limit),
                    limit: limit, on: connection)
            }
            let ofRuns = try await read(Self.batchesOfRuns(app, through: batch ?? .max))
            // A full page has no push from before its last run. Numbers of pushes are drawn a minute before they are used, at
            // most, so theirs are in the same range as the run's or later, or in the one before. PostgreSQL reads the
            // partitions from there on, not all.
            let oldest = ofRuns.count < limit ? 0 : ofRuns.last?.messageNumber ?? 0
            let first = (oldest / MessageRangeStore.width - 1) * MessageRangeStore.width
            let ofPushes = try await read(Self.batchesOfPushes(app, through: batch ?? .max, from: first))
            var page = Array(
                (ofRuns + ofPushes).sorted { ($0.batch, $0.device.rawValue) > ($1.batch, $1.device.rawValue) }
                    .prefix(limit))
            try await Self.readEvents(of: &page, app: app, on: connection)
            return page
        }
    }

    /// Batches of runs that may have the device `d`, newest first.
    private static func batchesOfRuns(_ app: App.ID, through last: Int64) -> PostgresQuery {
        let point: PostgresQuery = "point(\(app), d.id)"
        return """
            SELECT id, run_id FROM batches
            WHERE box(point(app_id, first_id), point(app_id, last_id)) @> box(\(point), \(point)) AND run_id IS NOT NULL
                AND id <= \(last)
            ORDER BY id DESC OFFSET 0
            """
    }

    /// Batches of transactional pushes to the device `d`, newest first.
    private static func batchesOfPushes(_ app: App.ID, through last: Int64, from first: Int64) -> PostgresQuery {
        """
        SELECT p.id, NULL::bigint AS run_id
        FROM push_recipients r JOIN batches p ON p.app_id = r.app_id AND p.message_number = r.message_number
        WHERE r.app_id = \(app) AND r.device_id = d.id AND r.message_number >= \(first) AND p.id <= \(last)
        ORDER BY p.id DESC OFFSET 0
        """
    }

    /// Far longer than a transaction can take. `retired_at` is when the retiring one began, and until it commits, planners
    /// still find the device.
    private static let longestRetirement = Duration.seconds(3_600)

    /// The newest entries of a device `d` in these batches, which are sorted by id, the highest first. OFFSET 0 makes
    /// PostgreSQL look them up one after the other, so that it reads no more lists of recipients than the limit needs. The
    /// lists of runs that began long after the device was retired are not read: it is not in them.
    private static func entries(
        _ batches: PostgresQuery, _ app: App.ID, where condition: PostgresQuery, limit: Int
    ) -> PostgresQuery {
        """
        SELECT u.campaign_id, b.run_id, coalesce(b.message_number, u.message_number) AS message_number, c.kind AS outcome,
            c.reason, outcome_is_resent(b.byte) AS is_resent, b.deferred_from IS NOT NULL AS was_deferred, b.due_at,
            b.id AS batch_id, b.ended_at, coalesce(u.started_at, b.due_at) AS sent_at
        FROM (
            SELECT found.id AS batch_id, r.*
            FROM (\(batches)) AS found
            LEFT JOIN LATERAL (
                SELECT campaign_id, message_number, started_at FROM runs WHERE id = found.run_id OFFSET 0
            ) AS r ON true
            WHERE r.started_at IS NULL OR d.retired_at IS NULL
                OR r.started_at <= d.retired_at + \(Self.longestRetirement.interval)
            ORDER BY found.id DESC OFFSET 0
        ) AS u
        CROSS JOIN LATERAL (
            SELECT b.*, get_byte(b.outcomes, array_position(b.recipients, d.id) - 1) AS byte
            FROM batches b WHERE b.id = u.batch_id OFFSET 0
        ) AS b
        CROSS JOIN LATERAL (
            SELECT kind, reason FROM outcome_codes WHERE code = outcome_code(b.byte) AND kind <> 'deferred' OFFSET 0
        ) AS c
        WHERE \(condition)
        ORDER BY u.batch_id DESC LIMIT \(limit)
        """
    }

    private static func deliveries(
        app: App.ID, devices: PostgresQuery, from history: PostgresQuery, limit: Int, on connection: PostgresConnection
    ) async throws -> [DeviceDelivery] {
        let rows = try await connection.query(
            """
            SELECT h.*, v.installation, c.name, p.locale, p.os_version, p.app_version
            FROM (
                SELECT h.*, d.id AS device_id
                FROM (
                    SELECT d.id, v.retired_at FROM (\(devices)) AS d
                    LEFT JOIN devices v ON v.app_id = \(app) AND v.id = d.id
                ) AS d
                CROSS JOIN LATERAL (\(history)) AS h
                ORDER BY h.batch_id DESC, d.id DESC LIMIT \(limit)
            ) AS h
            LEFT JOIN devices v ON v.app_id = \(app) AND v.id = h.device_id
            LEFT JOIN campaigns c ON c.app_id = \(app) AND c.id = h.campaign_id
            LEFT JOIN profiles p ON p.app_id = \(app) AND p.code = profile_at(\(app), h.device_id, h.sent_at)
            ORDER BY h.batch_id DESC, h.device_id DESC
            """)
        return try rows.map { row in
            DeviceDelivery(
                batch: try row["batch_id"], device: try row["device_id"], installation: try row["installation"],
                messageNumber: try row["message_number"], campaign: try row["campaign_id"],
                campaignName: try row["name"], run: try row["run_id"],
                outcome: OutcomeKind(rawValue: try row["outcome"]) ?? .unknown, reason: try row["reason"],
                isResent: try row["is_resent"], wasDeferred: try row["was_deferred"], dueAt: try row["due_at"],
                endedAt: try row["ended_at"], profile: try DeviceProfile(profile: row))
        }
    }

    private static func readEvents(
        of deliveries: inout [DeviceDelivery], app: App.ID, on connection: PostgresConnection
    ) async throws {
        let numbers = deliveries.map(\.messageNumber)
        guard let first = numbers.min(), let last = numbers.max() else { return }
        // With the first and the last number PostgreSQL reads the partitions that have them, not all.
        let rows = try await connection.query(
            """
            SELECT f.position, e.kind, e.action, e.text, trim_scale(e.value)::text AS value, e.happened_at, e.is_implied
            FROM unnest(\(numbers), \(deliveries.map(\.device.rawValue)))
                WITH ORDINALITY AS f (message_number, device_id, position)
            JOIN events e ON e.app_id = \(app) AND e.message_number = f.message_number AND e.device_id = f.device_id
                AND e.message_number BETWEEN \(first) AND \(last)
            ORDER BY f.position, e.happened_at, e.kind, e.action
            """)
        for row in rows {
            let index = Int(try row["position", as: Int64.self]) - 1
            guard let kind = EventKind(rawValue: try row["kind"]) else { continue }
            deliveries[index].events.append(
                DeviceDelivery.Event(
                    kind: kind, action: try row["action"], text: try row["text"], value: try row["value"],
                    happenedAt: try row["happened_at"], isImplied: try row["is_implied"]))
        }
    }
}
