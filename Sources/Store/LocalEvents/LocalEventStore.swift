public import Campaigns
public import Notifications
public import Postgres

/// Stores and counts the events of local notifications.
public struct LocalEventStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Stores the events of a device. Nil if the app has no such device.
    public func store(
        _ events: [LocalEvent], of installation: String, app: App.ID, by clock: EventClock
    ) async throws -> LocalEventCount? {
        var count = LocalEventCount()
        var timed: [Timed] = []
        for event in events {
            switch clock.moment(of: event.time, start: nil) {
            case .success(let moment): timed.append(Timed(event: event, moment: moment))
            case .failure: count.tooLate.append(event.index)
            }
        }
        let rows = try await pool.query(
            """
            WITH device AS (
                SELECT id FROM devices
                WHERE installation = \(installation) AND app_id = \(app) AND kind = \(DeviceKind.alert) AND activity = ''
            ), given AS (
                SELECT * FROM \(PassedColumn.table(Timed.passed, of: timed))
            ), stored AS (
                INSERT INTO local_events (app_id, device_id, event_id, plan_id, plan_version, notification, kind, action,
                    happened_at, is_time_corrected)
                SELECT \(app), d.id, g.event_id, g.plan_id, g.plan_version, g.notification, g.kind, g.action,
                    coalesce(g.happened_at, now()), g.is_time_corrected
                FROM device d CROSS JOIN given g JOIN local_plans p ON p.app_id = \(app) AND p.id = g.plan_id
                ON CONFLICT DO NOTHING
                RETURNING plan_id, notification, kind
            ), counted AS (
                INSERT INTO local_counts (app_id, plan_id, notification, kind, count)
                SELECT \(app), plan_id, notification, kind, count(*) FROM stored
                GROUP BY plan_id, notification, kind ORDER BY plan_id, notification, kind
                ON CONFLICT (app_id, plan_id, notification, kind)
                    DO UPDATE SET count = local_counts.count + excluded.count
            )
            SELECT EXISTS (SELECT FROM device) AS is_known, (SELECT count(*) FROM stored) AS stored,
                ARRAY(SELECT g.index FROM given g
                    WHERE NOT EXISTS (SELECT FROM local_plans p WHERE p.app_id = \(app) AND p.id = g.plan_id)) AS refused
            """, deadline: AcknowledgementStore.statementDeadline)
        let row = rows[0]
        guard try row["is_known"] else { return nil }
        count.stored = try row["stored"]
        count.ofUnknownPlans = try row["refused", as: [Int64].self].map { Int($0) }
        count.duplicates = timed.count - count.stored - count.ofUnknownPlans.count
        return count
    }

    /// Of the notifications of a plan that have events, in the order of their identifiers.
    public func counts(of plan: LocalPlan.ID, app: App.ID) async throws -> [LocalNotificationCounts] {
        let rows = try await pool.query(
            """
            SELECT notification, array_agg(kind) AS kinds, array_agg(count) AS counts FROM local_counts
            WHERE app_id = \(app) AND plan_id = \(plan)
            GROUP BY notification ORDER BY notification COLLATE "C"
            """)
        return try rows.map { row in
            let kinds = try row["kinds", as: [Int16].self].compactMap(EventKind.init)
            let counts = try row["counts", as: [Int64].self].map { Int($0) }
            return LocalNotificationCounts(
                notification: try row["notification"], counts: Dictionary(uniqueKeysWithValues: zip(kinds, counts)))
        }
    }
}

/// An event with the time to store.
private struct Timed {
    let event: LocalEvent
    let moment: EventClock.Moment

    static let passed: [PassedColumn<Timed>] = [
        PassedColumn("index") { Int64($0.event.index) },
        PassedColumn("event_id") { $0.event.id },
        PassedColumn("plan_id") { $0.event.plan.rawValue },
        PassedColumn("plan_version") { $0.event.version },
        PassedColumn("notification") { $0.event.notification },
        PassedColumn("kind") { $0.event.kind.rawValue },
        PassedColumn("action") { $0.event.action },
        PassedColumn("happened_at") { $0.moment.happenedAt },
        PassedColumn("is_time_corrected") { $0.moment.isCorrected },
    ]
}
