import Campaigns
import FoundationEssentials
public import Postgres

/// Writes custom events in groups, each in one transaction with their counts for statistics.
public struct CustomEventStore: Sendable {
    /// An event with a known time arrives again with the same one, give or take what a request takes: only if it
    /// happened before this time of the week, it may have been stored in a week before.
    private static let margin = Duration.seconds(60 * 60)
    /// How often a group is written whose names are deleted meanwhile.
    private static let attempts = 3

    private let pool: PostgresPool
    private let names = CustomEventNames()

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Stores the events and returns the results of the requests, in order. If two requests contain the same event, it
    /// counts as stored for the first.
    public func store(_ requests: [CustomEventRequest]) async throws -> [CustomEventCount] {
        for _ in 0..<Self.attempts {
            let group = try CustomEventGroup(requests, names: try await names.names(for: requests, pool: pool))
            guard !group.events.isEmpty else { return group.counts }
            do {
                return try await retryingConflicts { try await write(group) }
            } catch is NameWasDeleted {
                names.forget(Set(requests.map(\.app.rawValue)))
            }
        }
        throw Refusal.notFound(.customEvent)
    }

    /// A name in the cache does not exist any more: its events would be deleted with the others.
    private struct NameWasDeleted: Error {}

    private func write(_ group: CustomEventGroup) async throws -> [CustomEventCount] {
        try await pool.transaction(opening: [PlanMode.custom.setting, Self.people(group.senders)]) {
            connection, answers in
            var group = group
            let found = answers[1]
            let now: Timestamp = try found[0][0]
            let week: Timestamp = try found[0][1]
            var unseen: [DeviceActivity.Sighting] = []
            var people: [CustomEventGroup.Person?] = []
            people.reserveCapacity(found.count)
            for (row, sender) in zip(found, group.senders) {
                let device: Int64? = try row[2]
                guard device != nil || sender.user != nil else {
                    people.append(nil)
                    continue
                }
                people.append(CustomEventGroup.Person(number: try row[4], device: device, user: try row[3]))
                if let device, try row[5, as: Bool?.self] == true {
                    unseen.append(DeviceActivity.Sighting(app: sender.app, device: device))
                }
            }
            let rows = group.rows(people)
            guard !rows.isEmpty else { return group.counts }
            var writes = [Self.insert(rows, now: now, oldBefore: week + Self.margin)]
            if !unseen.isEmpty { writes.append(DeviceActivity.markSeen(unseen)) }
            let answers = try await connection.queries(writes, deadline: AcknowledgementStore.statementDeadline)
            guard try answers[0][0][1] else { throw NameWasDeleted() }
            let repeated: [Int64] = try answers[0][0][0]
            group.count(rows, repeated: Set(repeated.map { Int($0) - 1 }))
            return group.counts
        }
    }

    // MARK: Statements

    /// For each sender: the time, the beginning of the week, the device with its user, the number of the person, and
    /// whether the device was not seen today.
    private static func people(_ senders: [CustomEventGroup.Sender]) -> PostgresQuery {
        """
        SELECT now(), date_trunc('week', now(), 'UTC'), d.id, coalesce(g.user_id, d.user_id),
            person_number(coalesce(g.user_id, d.user_id), g.installation),
            a.last_seen_at < date_trunc('day', now(), 'UTC')
        FROM unnest(
            \(senders.map(\.app)), \(senders.map(\.installation)), \(senders.map(\.user))
        ) WITH ORDINALITY AS g (app_id, installation, user_id, position)
        LEFT JOIN LATERAL (
            SELECT id, user_id FROM devices
            WHERE installation = g.installation AND app_id = g.app_id AND kind = \(DeviceKind.alert) AND activity = ''
            OFFSET 0
        ) AS d ON true
        LEFT JOIN LATERAL (
            SELECT last_seen_at FROM device_activity WHERE app_id = g.app_id AND device_id = d.id OFFSET 0
        ) AS a ON true
        ORDER BY g.position
        """
    }

    /// Inserts the rows that are not stored yet, counts them, and returns the positions of the others, from 1, and whether
    /// all of their names are known.
    ///
    /// Within the present week, the key finds repetitions; an event that may have been stored in a week before is looked
    /// up there.
    private static func insert(
        _ rows: [CustomEventGroup.Row], now: Timestamp, oldBefore: Timestamp
    ) -> PostgresQuery {
        let names = CustomEventGroup.names(of: rows)
        return """
            WITH names AS MATERIALIZED (
                SELECT g.app_id, g.id, n.id IS NOT NULL AS is_known, n.conversion_days
                FROM unnest(\(names.map(\.app)), \(names.map(\.id))) AS g (app_id, id)
                LEFT JOIN LATERAL (
                    SELECT id, conversion_days FROM custom_event_names
                    WHERE app_id = g.app_id AND id = g.id AND deleted_at IS NULL OFFSET 0
                ) AS n ON true
            ), given AS MATERIALIZED (
                SELECT * FROM unnest(
                    \(rows.map(\.app)), \(rows.map(\.name)), \(rows.map(\.person.number)), \(rows.map(\.event.id)),
                    \(rows.map(\.person.device)), \(rows.map(\.person.user)), \(rows.map { $0.moment.happenedAt ?? now }),
                    \(rows.map(\.moment.isCorrected)), \(rows.map(\.event.valueMillionths)), \(rows.map(\.event.properties?.json)),
                    \(rows.map { $0.moment.happenedAt.map { $0 < oldBefore } ?? true })
                ) WITH ORDINALITY AS g (app_id, name_id, person, event_id, device_id, user_id, happened_at, is_corrected,
                    millionths, properties, may_be_old, position)
            ), stored AS (
                INSERT INTO custom_events (app_id, name_id, person, event_id, device_id, user_id, happened_at,
                    is_time_corrected, value, properties)
                SELECT app_id, name_id, person, event_id, device_id, user_id, happened_at, is_corrected,
                    millionths * 0.000001, properties
                FROM given g
                WHERE NOT may_be_old OR (
                    SELECT true FROM custom_events e
                    WHERE e.app_id = g.app_id AND e.name_id = g.name_id AND e.person = g.person AND e.event_id = g.event_id
                        AND e.week < week_of(now()) AND e.week >= week_of(now() - \(EventClock.maximumAge.interval))
                    LIMIT 1
                ) IS NULL
                ON CONFLICT DO NOTHING
                RETURNING app_id, name_id, person, event_id, device_id, user_id, happened_at, value
            ), queued AS (
                INSERT INTO conversion_queue (app_id, name_id, person, device_id, user_id, happened_at, value)
                SELECT s.app_id, s.name_id, s.person, s.device_id, s.user_id, s.happened_at, s.value
                FROM stored s JOIN names n ON n.app_id = s.app_id AND n.id = s.name_id
                WHERE n.conversion_days IS NOT NULL
            ), counted AS (
                INSERT INTO custom_event_quarters AS c (app_id, name_id, quarter, shard, count, amount)
                SELECT app_id, name_id, to_quarter(happened_at), 1 + pg_backend_pid() % 8, count(*), coalesce(sum(value), 0)
                FROM stored GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
                ON CONFLICT (app_id, name_id, quarter, shard)
                    DO UPDATE SET count = c.count + excluded.count, amount = c.amount + excluded.amount
            )
            SELECT CASE WHEN (SELECT count(*) FROM stored) = \(rows.count) THEN '{}'::bigint[] ELSE ARRAY(
                SELECT g.position FROM given g
                WHERE NOT EXISTS (
                    SELECT FROM stored s
                    WHERE s.app_id = g.app_id AND s.name_id = g.name_id AND s.person = g.person AND s.event_id = g.event_id)
            ) END, (SELECT bool_and(is_known) FROM names)
            """
    }
}
