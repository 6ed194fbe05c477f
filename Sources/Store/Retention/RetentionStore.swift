public import Administration
public import Campaigns
public import Postgres

/// The rows that a policy would delete now.
public struct RetentionPreview: Hashable, Sendable {
    public let events: Int
    /// Pushes that were sent before this time are affected; nil: none.
    public let eventsBefore: Timestamp?
    /// Received before this time; nil: replies are kept for ever.
    public let replies: Int
    public let repliesBefore: Timestamp?
    /// Of runs that ended before this time; nil: recipients are kept for ever.
    public let runs: Int
    public let recipients: Int
    public let recipientsBefore: Timestamp?
    public let customEvents: Int
    /// Received before this time, which begins a week; nil: custom events are kept for ever.
    public let customEventsBefore: Timestamp?
}

/// Deletes what is older than the policies of the apps, in small steps.
///
/// Events of pushes, and the devices of transactional pushes, are deleted by whole ranges of message numbers, which are
/// about a week each: a range is due when the next one was opened more than the policy's days ago. When it is due in every
/// app, its partition is dropped. Custom events are deleted in the same way by the weeks of their receipt. Events of local
/// notifications are deleted one by one.
public struct RetentionStore: Sendable {
    /// Rows that one statement deletes or changes: a fraction of a second.
    static let step = 10_000
    /// Batches whose lists one statement deletes.
    static let batchStep = 200
    /// The time for counting a preview.
    static let previewDeadline = Duration.seconds(30)
    /// The time that dropping a partition waits for other transactions; acknowledgements wait as long.
    static let lockTimeout = "500ms"

    let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    // MARK: Preview

    /// Counts what the policy would delete if it were the app's now.
    public func preview(_ policy: RetentionPolicy, app: App.ID) async throws -> RetentionPreview {
        let rows = try await pool.query(
            """
            SELECT
                (SELECT count(*) FROM events WHERE app_id = \(app) AND message_number <= due.last_number)
                + (SELECT count(*) FROM local_events
                 WHERE app_id = \(app) AND received_at < \(Self.cutoff(policy.eventDays))) AS events,
                due.before,
                (SELECT count(*) FROM events
                 WHERE app_id = \(app) AND text IS NOT NULL AND received_at < \(Self.cutoff(policy.replyDays))) AS replies,
                (SELECT count(*) FROM runs
                 WHERE app_id = \(app) AND recipients_deleted_at IS NULL
                    AND finished_at < \(Self.cutoff(policy.recipientDays))) AS runs,
                (SELECT coalesce(sum(targeted), 0)::bigint FROM runs
                 WHERE app_id = \(app) AND recipients_deleted_at IS NULL
                    AND finished_at < \(Self.cutoff(policy.recipientDays)))
                + (SELECT coalesce(sum(size), 0)::bigint FROM batches
                 WHERE app_id = \(app) AND run_id IS NULL AND state = 'done' AND octet_length(outcomes) > 0
                    AND ended_at < \(Self.cutoff(policy.recipientDays))) AS recipients,
                (SELECT count(*) FROM custom_events
                 WHERE app_id = \(app) AND week < week_of(\(Self.cutoff(policy.customEventDays)))) AS custom_events,
                date_trunc('week', \(Self.cutoff(policy.customEventDays)), 'UTC') AS custom_events_before,
                \(Self.cutoff(policy.replyDays)) AS replies_before,
                \(Self.cutoff(policy.recipientDays)) AS recipients_before
            FROM (SELECT) AS one
            LEFT JOIN LATERAL (\(Self.dueRange(policy.eventDays))) AS due ON true
            """, deadline: Self.previewDeadline)
        let row = rows[0]
        return RetentionPreview(
            events: try row["events"], eventsBefore: try row["before"], replies: try row["replies"],
            repliesBefore: try row["replies_before"], runs: try row["runs"], recipients: try row["recipients"],
            recipientsBefore: try row["recipients_before"],
            customEvents: try row["custom_events"], customEventsBefore: try row["custom_events_before"])
    }

    /// The time before which something is due; null: never.
    private static func cutoff(_ days: Int?) -> PostgresQuery {
        "(now() - make_interval(days => \(days.map { Int32($0) })))"
    }

    /// The last range of events that is due, and when it ended.
    private static func dueRange(_ days: Int?) -> PostgresQuery {
        """
        SELECT e.last_number, n.opened_at AS before
        FROM message_ranges e \(next)
        WHERE e.has_events AND n.opened_at < \(cutoff(days))
        ORDER BY e.first_number DESC LIMIT 1
        """
    }

    /// The range `n` after a range `e`: its opening ended `e`.
    private static let next: PostgresQuery = """
        CROSS JOIN LATERAL (
            SELECT opened_at FROM message_ranges WHERE first_number > e.first_number ORDER BY first_number LIMIT 1
        ) AS n
        """

    // MARK: Deletion

    /// Erases the texts of replies that are due, one step of them. Returns the number of rows; 0 when nothing is left,
    /// or another process is at it. The same holds for the other steps.
    public func eraseReplies() async throws -> Int { try await pool.alone(.replyRetention, eraseReplies) }

    /// Deletes lists of recipients. Returns 0, too, when a partition is in use; so does `deleteEvents`.
    public func deleteRecipients() async throws -> Int {
        let lists = try await pool.alone(.recipientRetention, deleteRecipients)
        return lists > 0 ? lists : try await deleteRows(of: .pushRecipients, .recipientRetention)
    }

    /// Deletes events of apps that were deleted, and events that are due.
    public func deleteEvents() async throws -> Int {
        let orphans = try await pool.alone(.eventRetention, deleteEventsOfDeletedApps)
        if orphans > 0 { return orphans }
        let local = try await pool.alone(.eventRetention, deleteLocalEvents)
        return local > 0 ? local : try await deleteRows(of: .events, .eventRetention)
    }

    /// Their numbers stay.
    private func deleteLocalEvents(_ connection: PostgresConnection) async throws -> Int {
        try await connection.execute(
            """
            DELETE FROM local_events WHERE ctid = ANY (ARRAY(
                SELECT o.ctid FROM apps a
                CROSS JOIN LATERAL (
                    SELECT ctid FROM local_events
                    WHERE app_id = a.id AND received_at < now() - make_interval(days => a.event_days)
                    LIMIT \(Self.step)
                ) AS o
                WHERE a.event_days IS NOT NULL LIMIT \(Self.step)))
            """)
    }

    private func deleteRows(of table: MessageRangePart, _ lock: RowLock) async throws -> Int {
        do {
            return try await pool.alone(lock) { try await deleteRows(of: table, $0) }
        } catch let error as PostgresError where error.isLockTimeout {
            return 0
        }
    }

    private func eraseReplies(_ connection: PostgresConnection) async throws -> Int {
        try await connection.execute(
            """
            UPDATE events e SET text = NULL
            FROM (
                SELECT o.* FROM apps a
                CROSS JOIN LATERAL (
                    SELECT app_id, message_number, device_id, kind, action FROM events
                    WHERE app_id = a.id AND text IS NOT NULL
                        AND received_at < now() - make_interval(days => a.reply_days)
                    LIMIT \(Self.step)
                ) AS o
                WHERE a.reply_days IS NOT NULL LIMIT \(Self.step)
            ) AS old
            WHERE e.app_id = old.app_id AND e.message_number = old.message_number AND e.device_id = old.device_id
                AND e.kind = old.kind AND e.action = old.action
            """)
    }

    /// Empties the lists of batches, and marks runs of which no list is left.
    private func deleteRecipients(_ connection: PostgresConnection) async throws -> Int {
        let runs = try await connection.query(
            """
            SELECT a.id, r.id FROM apps a
            CROSS JOIN LATERAL (
                SELECT id FROM runs
                WHERE app_id = a.id AND recipients_deleted_at IS NULL
                    AND finished_at < now() - make_interval(days => a.recipient_days)
                ORDER BY finished_at LIMIT \(Self.batchStep)
            ) AS r
            WHERE a.recipient_days IS NOT NULL LIMIT \(Self.batchStep)
            """
        )
        let apps = try runs.map { try $0[0, as: Int64.self] }
        let ids = try runs.map { try $0[1, as: Int64.self] }
        let chosen: PostgresQuery = "unnest(\(apps), \(ids)) AS r (app_id, id)"
        let ofRuns = try await connection.execute(
            """
            WITH old AS MATERIALIZED (
                SELECT b.* FROM \(chosen)
                CROSS JOIN LATERAL (
                    SELECT app_id, id FROM batches
                    WHERE app_id = r.app_id AND run_id = r.id AND octet_length(outcomes) > 0
                    ORDER BY id LIMIT \(Self.batchStep)
                ) AS b
                LIMIT \(Self.batchStep)
            )
            UPDATE batches b SET outcomes = '', recipients = '{}', profiles = NULL
            FROM old WHERE b.app_id = old.app_id AND b.id = old.id
            """)
        let marked = try await connection.execute(
            """
            UPDATE runs u SET recipients_deleted_at = now()
            FROM \(chosen)
            WHERE u.app_id = r.app_id AND u.id = r.id AND NOT EXISTS (
                SELECT FROM batches WHERE app_id = r.app_id AND run_id = r.id AND octet_length(outcomes) > 0)
            """)
        let ofPushes = try await connection.query(
            """
            WITH old AS (
                SELECT b.* FROM apps a
                CROSS JOIN LATERAL (
                    SELECT app_id, id FROM batches
                    WHERE app_id = a.id AND run_id IS NULL AND state = 'done' AND octet_length(outcomes) > 0
                        AND ended_at < now() - make_interval(days => a.recipient_days)
                    LIMIT \(Self.batchStep)
                ) AS b
                WHERE a.recipient_days IS NOT NULL LIMIT \(Self.batchStep)
            )
            UPDATE batches b SET outcomes = '', recipients = '{}', profiles = NULL
            FROM old WHERE b.app_id = old.app_id AND b.id = old.id
            RETURNING b.id
            """)
        return ofRuns + marked + ofPushes.count
    }

    private func deleteEventsOfDeletedApps(_ connection: PostgresConnection) async throws -> Int {
        guard let row = try await connection.query("SELECT min(id) FROM deleted_apps").first,
            let app: Int64 = try row[0]
        else { return 0 }
        let deleted = try await connection.execute(
            """
            DELETE FROM events e
            USING (
                SELECT app_id, message_number, device_id, kind, action FROM events
                WHERE app_id = \(app) LIMIT \(Self.step)
            ) AS o
            WHERE e.app_id = o.app_id AND e.message_number = o.message_number AND e.device_id = o.device_id
                AND e.kind = o.kind AND e.action = o.action
            """)
        guard deleted < Self.step else { return deleted }
        let custom = try await deleteCustomEvents(ofDeletedApp: app, connection)
        if custom < Self.step {
            try await connection.execute("DELETE FROM device_replies WHERE app_id = \(app)")
            try await connection.execute("DELETE FROM deleted_apps WHERE id = \(app)")
        }
        return max(1, deleted + custom)
    }

    /// Deletes rows of the oldest range that is due in an app. An empty range is dropped.
    private func deleteRows(of part: MessageRangePart, _ connection: PostgresConnection) async throws -> Int {
        let days: PostgresQuery = "\(unescaped: part.daysColumn)"
        let ranges = try await connection.query(
            """
            SELECT e.first_number,
                (SELECT bool_and(a.\(days) IS NOT NULL AND n.opened_at < now() - make_interval(days => a.\(days)))
                 FROM apps a) AS is_due_for_all,
                ARRAY(SELECT a.id FROM apps a
                    WHERE n.opened_at < now() - make_interval(days => a.\(days))) AS apps
            FROM message_ranges e \(Self.next)
            WHERE e.\(unescaped: part.flagColumn)
                AND n.opened_at < now() - make_interval(days => (SELECT min(\(days))::integer FROM apps))
            ORDER BY e.first_number
            """)
        for row in ranges {
            let first: Int64 = try row["first_number"]
            let table = part.partition(first)
            if try row["is_due_for_all", as: Bool?.self] != true {
                let apps: [Int64] = try row["apps"]
                let deleted: Int = try await connection.query(
                    """
                    WITH deleted AS (
                        DELETE FROM \(table) WHERE ctid = ANY (ARRAY(
                            SELECT ctid FROM \(table) WHERE app_id = ANY (\(apps)) LIMIT \(Self.step)))
                        RETURNING *
                    )\(part == .events ? Self.deletionOfReplies : "")
                    SELECT count(*) FROM deleted
                    """)[0][0]
                if deleted > 0 { return deleted }
                // Rows of other apps remain.
                if try await connection.query("SELECT EXISTS (SELECT FROM \(table))")[0][0, as: Bool.self] { continue }
            }
            try await drop(part, from: first, connection)
            return 1
        }
        return 0
    }

    private static let deletionOfReplies: PostgresQuery = """
        , of_replies AS (
            DELETE FROM device_replies r USING deleted d
            WHERE d.kind = \(EventKind.text) AND r.app_id = d.app_id AND r.device_id = d.device_id
                AND r.message_number = d.message_number
        )
        """

    /// Events of a range without a partition are refused.
    private func drop(_ part: MessageRangePart, from first: Int64, _ connection: PostgresConnection) async throws {
        try await connection.execute("SET LOCAL lock_timeout = '\(unescaped: Self.lockTimeout)'")
        if part == .events {
            try await connection.execute(
                """
                DELETE FROM device_replies r USING message_ranges m
                WHERE m.first_number = \(first) AND r.message_number BETWEEN m.first_number AND m.last_number
                """)
        }
        let flag: PostgresQuery = "\(unescaped: part.flagColumn)"
        let remaining: PostgresQuery = part == .events ? "has_recipients" : "has_events"
        try await connection.execute(
            "UPDATE message_ranges SET \(flag) = false WHERE first_number = \(first) AND \(remaining)")
        try await connection.execute("DELETE FROM message_ranges WHERE first_number = \(first) AND NOT \(remaining)")
        try await connection.execute("DROP TABLE \(part.partition(first))")
    }
}

extension MessageRangePart {
    /// The column of `apps` with the days after which rows are due.
    fileprivate var daysColumn: String { self == .events ? "event_days" : "recipient_days" }

    /// The column of `message_ranges` that says whether the partition exists.
    fileprivate var flagColumn: String { self == .events ? "has_events" : "has_recipients" }
}
