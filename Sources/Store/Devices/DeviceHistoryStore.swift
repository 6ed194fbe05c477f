public import Campaigns
public import Postgres

/// Reads the pushes of a device or a person from the ledgers.
/// Docs/decisions/statistics.md explains how a year of history stays fast.
public struct DeviceHistoryStore: Sendable {
    /// Lists of recipients of runs that are read for one page at most. A list that could have the device may not have
    /// it.
    static let listsPerPage = 64
    /// Far longer than a transaction can take. `retired_at` is when the retiring one began, and until it commits,
    /// planners still find the device.
    private static let longestRetirement = Duration.seconds(3_600)

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The pushes to the device before a position.
    public func deliveries(
        of device: Device.ID, app: App.ID, before position: DeviceHistoryPosition?, limit: Int
    ) async throws -> DeviceHistoryPage {
        try await page(app: app, devices: Self.only(device), before: position, where: "true", limit: limit)
    }

    /// The pushes to all devices while they were the person's, before a position.
    public func deliveries(
        of user: String, app: App.ID, before position: DeviceHistoryPosition?, limit: Int
    ) async throws -> DeviceHistoryPage {
        try await page(
            app: app, devices: PastUser.devices(of: user, app), before: position,
            where: "user_at(\(app), d.id, coalesce(u.started_at, b.due_at)) = \(user)", limit: limit)
    }

    /// The last outcome of a device in a run; nil if it is not a recipient.
    func delivery(to device: Device.ID, app: App.ID, run: Run.ID) async throws -> DeviceDelivery? {
        let lists: PostgresQuery = """
            SELECT b.id AS batch_id, d.id, b.id AS key
            FROM (\(Self.only(device))) AS d
            JOIN batches b ON b.app_id = \(app) AND b.run_id = \(run) AND b.last_id >= d.id AND b.first_id <= d.id
            ORDER BY b.id DESC, d.id DESC OFFSET 0
            """
        return try await pool.transaction { connection in
            var found = try await Self.entries(lists, app, where: "true", limit: 1, on: connection)
            try await Self.readEvents(of: &found, app: app, on: connection)
            return found.first
        }
    }

    /// OFFSET 0 hides that there is only one: a list whose order does not depend on the device is sorted again, whole.
    private static func only(_ device: Device.ID) -> PostgresQuery { "SELECT \(device)::bigint AS id OFFSET 0" }

    /// `condition` is about a device `d`, a batch `b` and its run `u`.
    private func page(
        app: App.ID, devices: PostgresQuery, before position: DeviceHistoryPosition?, where condition: PostgresQuery,
        limit: Int
    ) async throws -> DeviceHistoryPage {
        let start = position ?? .newest
        // All statements see the same lists.
        return try await pool.transaction(isolation: .repeatableRead) { connection in
            func read(_ lists: PostgresQuery) async throws -> [DeviceDelivery] {
                try await Self.entries(lists, app, where: condition, limit: limit, on: connection)
            }
            func end(_ entries: [DeviceDelivery]) -> DeviceHistoryStream.End? {
                entries.count == limit ? entries.last.map(DeviceHistoryStream.End.init) : nil
            }
            let lists = Self.listsOfRuns(devices, app, before: start.runs)
            let ofRuns = try await read(lists)
            var endOfRuns = end(ofRuns)
            if endOfRuns == nil { endOfRuns = try await Self.end(of: lists, app, on: connection) }

            let pushes = try await Self.pushes(
                to: devices, app, before: start.pushes, since: endOfRuns, limit: max(limit, Self.listsPerPage),
                on: connection)
            let ofPushes = pushes.places.isEmpty ? [] : try await read(Self.lists(of: pushes.places, app))

            var page = DeviceHistoryPage(
                DeviceHistoryStream(ofRuns, end: endOfRuns),
                DeviceHistoryStream(ofPushes, end: end(ofPushes) ?? pushes.end), limit: limit)
            try await Self.readEvents(of: &page.deliveries, app: app, on: connection)
            return page
        }
    }

    /// The lists of recipients of runs that may have the devices, newest first, as many as a page reads. The lists of
    /// runs that began long after a device was retired can't have it.
    private static func listsOfRuns(
        _ devices: PostgresQuery, _ app: App.ID, before place: DeviceHistoryPosition.Place
    ) -> PostgresQuery {
        let point: PostgresQuery = "point(\(app), d.id)"
        return """
            SELECT l.batch_id, d.id, l.batch_id AS key
            FROM (\(devices)) AS d LEFT JOIN devices v ON v.app_id = \(app) AND v.id = d.id
            CROSS JOIN LATERAL (
                SELECT b.id AS batch_id
                FROM (
                    SELECT id, run_id FROM batches
                    WHERE box(point(app_id, first_id), point(app_id, last_id)) @> box(\(point), \(point))
                        AND run_id IS NOT NULL AND (id, d.id) < (\(place.number), \(place.device))
                    ORDER BY id DESC OFFSET 0
                ) AS b
                WHERE v.retired_at IS NULL
                    OR (SELECT started_at FROM runs WHERE app_id = \(app) AND id = b.run_id)
                        <= v.retired_at + \(Self.longestRetirement.interval)
                ORDER BY b.id DESC LIMIT \(Self.listsPerPage)
            ) AS l
            ORDER BY l.batch_id DESC, d.id DESC LIMIT \(Self.listsPerPage)
            """
    }

    /// The last list that a page reads; nil if there are fewer.
    private static func end(
        of lists: PostgresQuery, _ app: App.ID, on connection: PostgresConnection
    ) async throws -> DeviceHistoryStream.End? {
        let rows = try await connection.query(
            """
            SELECT l.batch_id, l.id, m.message_number
            FROM (SELECT * FROM (\(lists)) AS l OFFSET \(Self.listsPerPage - 1)) AS l
            JOIN batches b ON b.app_id = \(app) AND b.id = l.batch_id
            JOIN run_variants m ON m.app_id = \(app) AND m.run_id = b.run_id AND m.variant = b.variant
            """, plan: .generic)
        return try rows.first.map { row in
            let batch: Int64 = try row["batch_id"]
            return DeviceHistoryStream.End(
                place: DeviceHistoryPosition.Place(number: batch, device: try row["id"]), batch: batch,
                messageNumber: try row["message_number"])
        }
    }

    /// The newest transactional pushes to the devices since a run. Numbers of pushes are drawn a minute before they are
    /// used, at most. So these are in the same range of numbers as the run's, or later, or in the one before, and
    /// PostgreSQL reads the partitions from there on, not all.
    static func pushes(
        to devices: PostgresQuery, _ app: App.ID, before place: DeviceHistoryPosition.Place,
        since end: DeviceHistoryStream.End?, limit: Int, on connection: PostgresConnection
    ) async throws -> (places: [DeviceHistoryPosition.Place], end: DeviceHistoryStream.End?) {
        let width = MessageRangeStore.width
        let first = max(0, ((end?.messageNumber ?? 0) / width - 1) * width)
        // Older than all that a page can have.
        let rest = first > 0 ? DeviceHistoryStream.End(before: min(place.number, first)) : nil
        guard place.number >= first, place.number > 0 else { return ([], place.number > 0 ? rest : nil) }
        let places = try await connection.query(
            """
            SELECT r.message_number, d.id
            FROM (\(devices)) AS d
            CROSS JOIN LATERAL (
                SELECT message_number FROM push_recipients
                WHERE app_id = \(app) AND device_id = d.id AND message_number BETWEEN \(first) AND \(place.number)
                    AND (message_number, d.id) < (\(place.number), \(place.device))
                ORDER BY message_number DESC LIMIT \(limit)
            ) AS r
            ORDER BY r.message_number DESC, d.id DESC LIMIT \(limit)
            """, plan: .custom
        ).map { DeviceHistoryPosition.Place(number: try $0["message_number"], device: try $0["id"]) }
        guard places.count == limit, let last = places.last else { return (places, rest) }
        let batches = try await connection.query(
            "SELECT id FROM batches WHERE app_id = \(app) AND message_number = \(last.number)", plan: .generic)
        return (
            places,
            DeviceHistoryStream.End(
                place: last, batch: try batches.first?["id"] ?? 0, messageNumber: last.number)
        )
    }

    /// The lists that have the pushes, newest first.
    private static func lists(of pushes: [DeviceHistoryPosition.Place], _ app: App.ID) -> PostgresQuery {
        """
        SELECT p.id AS batch_id, d.id, d.key
        FROM (
            SELECT * FROM unnest(\(pushes.map(\.number)), \(pushes.map(\.device.rawValue))) AS d (key, id)
            ORDER BY key DESC, id DESC OFFSET 0
        ) AS d
        CROSS JOIN LATERAL (
            SELECT id FROM batches WHERE app_id = \(app) AND message_number = d.key OFFSET 0
        ) AS p
        ORDER BY d.key DESC, d.id DESC OFFSET 0
        """
    }

    /// The newest entries in these lists (`batch_id`, and the device's `id`), which are sorted by `key`, the newest
    /// first. OFFSET 0 makes PostgreSQL look them up one after the other, so that it reads no more lists than the limit
    /// needs. The lists of runs are sorted; concatenated with an empty one, a list is unpacked once.
    private static func entries(
        _ lists: PostgresQuery, _ app: App.ID, where condition: PostgresQuery, limit: Int,
        on connection: PostgresConnection
    ) async throws -> [DeviceDelivery] {
        let rows = try await connection.query(
            """
            SELECT h.*, v.installation, n.name, p.locale, p.os_version, p.app_version
            FROM (
                SELECT d.key, b.id AS batch_id, d.id AS device_id, u.campaign_id, b.run_id,
                    coalesce(b.message_number, u.message_number) AS message_number, c.kind AS outcome, c.reason,
                    outcome_is_resent(b.byte) AS is_resent, b.deferred_from IS NOT NULL AS was_deferred, b.due_at,
                    b.ended_at, \(LastAnswer.columns(of: "b")), coalesce(u.started_at, b.due_at) AS sent_at
                FROM (\(lists)) AS d
                CROSS JOIN LATERAL (
                    SELECT b.*, get_byte(b.outcomes, b.index - 1) AS byte
                    FROM (
                        SELECT b.*, CASE WHEN run_id IS NULL THEN array_position(list, d.id)
                            ELSE width_bucket(d.id, list) END AS index
                        FROM (
                            SELECT b.*, recipients || '{}'::bigint[] AS list FROM batches b
                            WHERE app_id = \(app) AND id = d.batch_id OFFSET 0
                        ) AS b
                        OFFSET 0
                    ) AS b
                    WHERE list[index] = d.id OFFSET 0
                ) AS b
                LEFT JOIN LATERAL (
                    SELECT r.campaign_id, r.started_at, m.message_number
                    FROM runs r JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id
                    WHERE r.app_id = \(app) AND r.id = b.run_id AND m.variant = b.variant OFFSET 0
                ) AS u ON true
                CROSS JOIN LATERAL (
                    SELECT kind, reason FROM outcome_codes WHERE code = outcome_code(b.byte) AND kind <> 'deferred'
                    OFFSET 0
                ) AS c
                WHERE \(condition)
                ORDER BY d.key DESC, d.id DESC LIMIT \(limit)
            ) AS h
            LEFT JOIN devices v ON v.app_id = \(app) AND v.id = h.device_id
            LEFT JOIN campaigns n ON n.app_id = \(app) AND n.id = h.campaign_id
            CROSS JOIN LATERAL (
                SELECT coalesce(
                    (SELECT profile FROM device_past
                     WHERE app_id = \(app) AND device_id = h.device_id AND until > h.sent_at ORDER BY until LIMIT 1),
                    (SELECT profile FROM device_activity WHERE app_id = \(app) AND device_id = h.device_id), 0) AS code
            ) AS past
            LEFT JOIN profiles p ON p.app_id = \(app) AND p.code = past.code
            ORDER BY h.key DESC, h.device_id DESC
            """, plan: .generic)
        return try rows.map { row in
            let outcome = OutcomeKind(rawValue: try row["outcome"]) ?? .unknown
            return DeviceDelivery(
                batch: try row["batch_id"], device: try row["device_id"], installation: try row["installation"],
                messageNumber: try row["message_number"], campaign: try row["campaign_id"],
                campaignName: try row["name"], run: try row["run_id"],
                outcome: outcome, reason: try row["reason"],
                isResent: try row["is_resent"], wasDeferred: try row["was_deferred"], dueAt: try row["due_at"],
                endedAt: try row["ended_at"], lastAnswer: outcome == .pending ? try LastAnswer(row) : nil,
                profile: try DeviceProfile(profile: row))
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
                AND e.message_number BETWEEN \(first) AND \(last) AND e.kind <> \(EventKind.engaged)
            ORDER BY f.position, e.happened_at, e.kind, e.action
            """, plan: .custom)
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
