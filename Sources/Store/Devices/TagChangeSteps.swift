public import Campaigns
public import JSON
import Notifications
public import Postgres

/// Makes changes of tags in steps. Any number of processes may try at the same time; each step is made by one.
/// Docs/decisions/audience.md explains why tags are changed in steps.
public struct TagChangeSteps: Sendable {
    /// Devices that a step scans.
    public static let scanSize = 20_000
    /// Devices that a step changes. The app's registrations wait meanwhile, about a tenth of a second.
    public static let changeSize = 2_000
    /// Tags of an installation or person at most, as the schema's constraints say.
    private static let maximumTags = 100

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The changes that are running, the one that has waited longest first.
    public func running() async throws -> [TagChange.Key] {
        try await pool.query("SELECT app_id, id FROM tag_changes WHERE state = 'running' ORDER BY updated_at").map {
            TagChange.Key(app: try $0[0], id: try $0[1])
        }
    }

    public enum Step: Equatable, Sendable {
        /// There may be more devices.
        case made
        case finished
        /// The change has ended, or another process makes the step.
        case skipped
    }

    /// Makes one step in one transaction: a crash neither loses nor repeats it.
    public func step(_ key: TagChange.Key, scanning: Int = scanSize, changing: Int = changeSize) async throws -> Step {
        try await retryingConflicts {
            try await pool.transaction { connection in
                guard let change = try await Self.lock(key, connection) else { return .skipped }
                let found = try await Self.matches(of: change, scanning, changing, connection)
                var counts = Counts()
                if !found.devices.isEmpty {
                    // Devices take the values of their people, so registrations wait, as for a change of a person.
                    try await connection.execute(PersonStore.lock(change.app))
                    if !change.own.isEmpty { try await Self.tag(found.devices, change, &counts, connection) }
                    if !change.person.isEmpty { try await Self.tag(found.people, change, &counts, connection) }
                }
                try await connection.execute(
                    """
                    UPDATE tag_changes
                    SET cursor = \(found.cursor), devices_matched = devices_matched + \(found.devices.count),
                        devices_changed = devices_changed + \(counts.devices),
                        people_changed = people_changed + \(counts.people), skipped = skipped + \(counts.skipped),
                        state = CASE WHEN \(found.isLast) THEN 'finished' ELSE state END,
                        finished_at = CASE WHEN \(found.isLast) THEN now() END,
                        version = CASE WHEN \(found.isLast) THEN version + 1 ELSE version END, updated_at = now()
                    WHERE app_id = \(key.app) AND id = \(key.id)
                    """)
                return found.isLast ? .finished : .made
            }
        }
    }

    /// Ends a change that cannot go on.
    public func fail(_ key: TagChange.Key, because reason: Message) async throws {
        try await pool.execute(
            """
            UPDATE tag_changes
            SET state = 'failed', \(Message.assignments(reason)), finished_at = now(), updated_at = now(), version = version + 1
            WHERE app_id = \(key.app) AND id = \(key.id) AND state = 'running'
            """)
    }

    // MARK: Finding

    private struct Change {
        let app: App.ID
        let audience: ResolvedAudience
        let cursor: Int64
        let ceiling: Int64
        let own: TagEdit
        let person: TagEdit
    }

    private struct Counts {
        var devices = 0
        var people = 0
        var skipped = 0
    }

    private struct Found {
        let devices: [Int64]
        /// Each once.
        let people: [String]
        /// The last device that was scanned.
        let cursor: Int64
        let isLast: Bool
    }

    private static func lock(_ key: TagChange.Key, _ connection: PostgresConnection) async throws -> Change? {
        let rows = try await connection.query(
            """
            SELECT resolved_audience::text, cursor, device_ceiling, add_tags, remove_tags, person_add_tags,
                person_remove_tags
            FROM tag_changes WHERE app_id = \(key.app) AND id = \(key.id) AND state = 'running'
            FOR UPDATE SKIP LOCKED
            """)
        return try rows.first.map { row in
            Change(
                app: key.app,
                audience: try ResolvedAudience(json: JSON(parsing: row["resolved_audience", as: String.self])),
                cursor: try row["cursor"], ceiling: try row["device_ceiling"],
                own: TagEdit(add: try row["add_tags"], remove: try row["remove_tags"]),
                person: TagEdit(add: try row["person_add_tags"], remove: try row["person_remove_tags"]))
        }
    }

    /// The next devices of the audience: registered ones, with alert tokens, as for a campaign.
    private static func matches(
        of change: Change, _ scanning: Int, _ changing: Int, _ connection: PostgresConnection
    ) async throws -> Found {
        let all = IDRange(after: change.cursor, through: change.ceiling)
        let restriction = AudienceSQL(change.audience, app: change.app, ids: all).stepRestriction
        let restricted: PostgresQuery = restriction.map { " AND \($0.condition)" } ?? ""
        let end = try await connection.query(
            """
            SELECT d.id FROM devices d
            WHERE d.app_id = \(change.app) AND \(all.contains("d.id"))\(restricted)
            ORDER BY d.id OFFSET \(scanning - 1) LIMIT 1
            """)
        let last: Int64 = try end.first?[0] ?? change.ceiling
        let ids = IDRange(after: change.cursor, through: last)
        let audience = AudienceSQL(change.audience, app: change.app, ids: ids)
        var condition: PostgresQuery = "d.app_id = \(change.app) AND \(ids.contains("d.id"))"
        if let restriction = audience.stepRestriction {
            condition += " AND \(restriction.condition) AND \(restriction.remainder)"
        } else {
            condition += " AND \(audience.condition)"
        }
        let rows = try await connection.query(
            """
            SELECT d.id, d.user_id FROM devices d \(audience.join)
            WHERE \(condition) AND d.retired_at IS NULL AND d.kind = \(DeviceKind.alert)
            ORDER BY d.id LIMIT \(changing)
            """)
        let devices: [Int64] = try rows.map { try $0[0] }
        let people: [String] = try rows.compactMap { try $0[1] }
        let isFull = devices.count == changing
        return Found(
            devices: devices, people: SetChange.set(people), cursor: isFull ? devices.last ?? last : last,
            isLast: !isFull && end.isEmpty)
    }

    // MARK: Changing

    private static func tag(
        _ devices: [Int64], _ change: Change, _ counts: inout Counts, _ connection: PostgresConnection
    ) async throws {
        let rows = try await connection.query(
            """
            WITH changed AS MATERIALIZED (
                SELECT d.app_id, d.id, cardinality(o.tags) <= \(maximumTags) AS has_room,
                    \(DevicePast.change(tags: "n.tags")), n.*
                FROM \(PassedColumn.table(ProfileColumns.passed { $0 }, of: [change.own.changes]))
                CROSS JOIN unnest(\(devices)) AS i (id)
                JOIN devices d ON d.app_id = \(change.app) AND d.id = i.id
                \(ProfileColumns.person(app: "d.app_id", user: "d.user_id"))
                CROSS JOIN LATERAL (
                    SELECT coalesce(d.own_attributes, d.attributes) AS attributes,
                        \(ProfileColumns.tags(after: "coalesce(d.own_tags, d.tags)")) AS tags,
                        coalesce(d.own_opt_outs, d.opt_outs) AS opt_outs
                    OFFSET 0
                ) o
                CROSS JOIN LATERAL (SELECT \(ProfileColumns.ofDevices.values) OFFSET 0) n
                WHERE (d.tags, d.own_tags) IS DISTINCT FROM (n.tags, n.own_tags)
                ORDER BY d.app_id, d.id
                FOR UPDATE OF d
            ), fitting AS MATERIALIZED (
                SELECT * FROM changed WHERE has_room
            ), \(DevicePast.keep(of: "fitting")), updated AS (
                UPDATE devices d
                SET \(ProfileColumns.ofDevices.assigned(from: "c")), stated_at = now(), updated_at = now()
                FROM fitting c
                WHERE d.app_id = c.app_id AND d.id = c.id
                RETURNING true
            )
            SELECT (SELECT count(*) FROM updated), (SELECT count(*) FROM changed WHERE NOT has_room)
            """)
        guard let row = rows.first else { return }
        counts.devices += try row[0]
        counts.skipped += try row[1]
    }

    private static func tag(
        _ people: [String], _ change: Change, _ counts: inout Counts, _ connection: PostgresConnection
    ) async throws {
        // People of whom nothing is known have no tag that could be removed.
        let rows = try await connection.query(
            """
            SELECT g.user_id,
                coalesce(cardinality(texts_union(texts_except(p.tags, \(change.person.remove)), \(change.person.add))), 0)
                    <= \(maximumTags)
            FROM unnest(\(people)) AS g (user_id)
            LEFT JOIN people p ON p.app_id = \(change.app) AND p.user_id = g.user_id
            WHERE p.user_id IS NOT NULL OR \(!change.person.add.isEmpty)
            """)
        var changes: [PeopleColumns.Change] = []
        for row in rows {
            guard try row[1] else {
                counts.skipped += 1
                continue
            }
            let key = PeopleColumns.Key(app: change.app.rawValue, userID: try row[0])
            changes.append((key, change.person.changes, nil))
        }
        guard !changes.isEmpty else { return }
        let columns = PeopleColumns(changes)
        try await connection.execute(columns.insert)
        counts.people += try await connection.execute(columns.update)
        try await connection.execute(columns.updateDevices)
    }
}
