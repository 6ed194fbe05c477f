import Postgres

extension RetentionStore {
    /// Deletes custom events of weeks that are due. Returns 0, too, when a partition is in use.
    public func deleteCustomEvents() async throws -> Int {
        do {
            return try await pool.alone(.eventRetention, deleteDueWeek)
        } catch let error as PostgresError where error.isLockTimeout {
            return 0
        }
    }

    /// A week is due when it ended more than the app's days ago. The oldest come first, and one that is empty is dropped.
    private func deleteDueWeek(_ connection: PostgresConnection) async throws -> Int {
        let weeks = try await connection.query(
            """
            SELECT 'custom_events_' || to_char(w.week, 'YYYYMMDD'),
                (SELECT bool_and(a.custom_event_days IS NOT NULL AND \(Self.isDue)) FROM apps a) AS is_due_for_all,
                ARRAY(SELECT a.id FROM apps a WHERE \(Self.isDue)) AS apps
            FROM (
                SELECT to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD') AS week
                FROM pg_inherits WHERE inhparent = 'custom_events'::regclass
            ) AS w
            WHERE EXISTS (SELECT FROM apps a WHERE \(Self.isDue))
            ORDER BY w.week
            """)
        for row in weeks {
            let partition: PostgresQuery = "\(unescaped: try row[0])"
            if try row["is_due_for_all", as: Bool?.self] != true {
                let apps: [Int64] = try row["apps"]
                let deleted = try await connection.execute(
                    """
                    DELETE FROM \(partition) WHERE ctid = ANY (ARRAY(
                        SELECT ctid FROM \(partition) WHERE app_id = ANY (\(apps)) LIMIT \(Self.step)))
                    """)
                if deleted > 0 { return deleted }
                // Rows of other apps remain.
                let isUsed: Bool = try await connection.query("SELECT EXISTS (SELECT FROM \(partition))")[0][0]
                if isUsed { continue }
            }
            try await connection.execute("SET LOCAL lock_timeout = '\(unescaped: Self.lockTimeout)'")
            try await connection.execute("DROP TABLE \(partition)")
            return 1
        }
        return 0
    }

    private static let isDue: PostgresQuery = "w.week < week_of(now() - make_interval(days => a.custom_event_days))"

    func deleteCustomEvents(ofDeletedApp app: Int64, _ connection: PostgresConnection) async throws -> Int {
        try await connection.execute(
            """
            DELETE FROM custom_events e
            USING (
                SELECT app_id, name_id, person, event_id, week FROM custom_events
                WHERE app_id = \(app) LIMIT \(Self.step)
            ) AS o
            WHERE e.app_id = o.app_id AND e.name_id = o.name_id AND e.person = o.person AND e.event_id = o.event_id
                AND e.week = o.week
            """)
    }
}
