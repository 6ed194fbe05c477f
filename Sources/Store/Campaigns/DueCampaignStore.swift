public import Campaigns
public import JSON
public import Postgres

/// Campaigns that are due to start, and what becomes of them. Each write holds only while the campaign is as it was
/// read, so any number of processes may try at the same time and one of them succeeds.
public struct DueCampaignStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Scheduled campaigns whose time has come and campaigns that were started by hand, the earliest first; none while
    /// the identity of the database is not confirmed. A row that can't be read is a failure of its own.
    public func due(limit: Int, except waiting: [Campaign.ID] = []) async throws -> [(
        key: Campaign.Key, campaign: Result<DueCampaign, any Error>
    )] {
        let rows = try await pool.query(
            """
            \(DueCampaign.select)
            WHERE \(DueCampaign.isDue) AND c.id <> ALL (\(waiting.map(\.rawValue)))
                AND EXISTS (SELECT FROM database_identity d WHERE \(DatabaseIdentity.isConfirmed))
            ORDER BY c.next_check_at LIMIT \(limit)
            """)
        return try rows.map { row in
            (Campaign.Key(app: try row["app_id"], id: try row["id"]), Result { try DueCampaign(row) })
        }
    }

    /// One campaign that was started by hand; nil if it is started already.
    public func started(_ id: Campaign.ID, app: App.ID) async throws -> DueCampaign? {
        let rows = try await pool.query(
            """
            \(DueCampaign.select)
            WHERE c.app_id = \(app) AND c.id = \(id) AND c.state = 'sending' AND c.runs_started = 0
            """)
        return try rows.first.map { try DueCampaign($0) }
    }

    /// Examines the campaign again at `moment`, in seconds since 1970.
    public func postpone(_ due: DueCampaign, to moment: Int) async throws {
        try await pool.execute(
            "UPDATE campaigns SET next_check_at = to_timestamp(\(Double(moment))) WHERE \(due.isUnchanged)")
    }

    /// Moves the campaign past its occurrence without a run: on to the next one, or to `state`. False when it has
    /// changed since it was read.
    public func pass(_ due: DueCampaign, to state: CampaignState, reason: Message) async throws -> Bool {
        let failed = WebhookEvents.insert(
            .runFailed, from: "passed s", where: "s.state = 'failed'",
            data: "jsonb_build_object('campaign_id', s.id::text, 'campaign_name', s.name, 'reason', s.reason)")
        return try await pool.query(
            """
            WITH passed AS (
                UPDATE campaigns SET \(due.afterOccurrence(state, reason)) WHERE \(due.isUnchanged)
                RETURNING app_id, id, name, state, reason
            ), told AS (\(failed))
            SELECT FROM passed
            """
        ).count > 0
    }

    /// Starts a run for the occurrence; nil when the campaign has changed since it was read.
    public func start(
        _ due: DueCampaign, _ occurrence: Occurrence, question: Message?, audience: ResolvedAudience, estimated: Int
    ) async throws -> Run.ID? {
        try await pool.transaction { connection in
            let state: CampaignState = question == nil ? .sending : .paused
            let claimed = try await connection.execute(
                """
                UPDATE campaigns SET runs_started = runs_started + 1, \(due.afterOccurrence(state, question))
                WHERE \(due.isUnchanged)
                """)
            guard claimed > 0 else { return nil }
            let run = NewRun(
                campaign: due.id, app: due.app, occurrence: occurrence, question: question, audience: audience,
                estimated: estimated)
            return try await run.insert(on: connection)
        }
    }
}

extension DueCampaign {
    fileprivate static let select: PostgresQuery = """
        SELECT c.id, c.app_id, c.version, c.state, c.runs_started, c.schedule::text,
            ceil(extract(epoch FROM c.handled_until))::bigint AS handled_until,
            (c.state = 'sending' OR c.starts_at IS NOT NULL) AS is_started_by_hand, c.grace_seconds, c.missed_policy,
            floor(extract(epoch FROM now()))::bigint AS now, a.default_time_zone,
            floor(extract(epoch FROM c.updated_at))::bigint AS updated_at,
            ceil(extract(epoch FROM (SELECT changed_at FROM database_identity)))::bigint AS restored_at,
            (SELECT coalesce(r.occurrence, '{"kind": "at", "at": "1970-01-01T00:00:00Z"}')::text FROM runs r
                WHERE r.app_id = c.app_id AND r.campaign_id = c.id AND r.finished_at IS NULL ORDER BY r.id LIMIT 1)
            AS open_occurrence
        FROM campaigns c JOIN apps a ON a.id = c.app_id
        """

    static let isDue: PostgresQuery =
        "(c.state = 'scheduled' AND c.next_check_at <= now() OR c.state = 'sending' AND c.runs_started = 0)"

    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            id: try row["id"], app: try row["app_id"], version: try row["version"], state: try row["state"],
            runsStarted: try row["runs_started"],
            schedule: try RuleColumns.schedule(row["schedule"]), handledUntil: try row["handled_until"],
            isStartedByHand: try row["is_started_by_hand"],
            missedStart: MissedStart(grace: try row["grace_seconds"], policy: try row["missed_policy"]),
            now: try row["now"], zone: try row["default_time_zone"],
            updatedAt: try row["updated_at"], restoredAt: try row["restored_at"],
            openRun: try RuleColumns.occurrence(row["open_occurrence"]))
    }

    /// Whether the row is still as it was read.
    fileprivate var isUnchanged: PostgresQuery {
        """
        app_id = \(app) AND id = \(id) AND version = \(version) AND state = \(state) AND runs_started = \(runsStarted)
            AND ceil(extract(epoch FROM handled_until))::bigint IS NOT DISTINCT FROM \(handledUntil)
        """
    }

    /// The campaign's columns after this occurrence: on to the next one, or over.
    fileprivate func afterOccurrence(_ state: CampaignState, _ reason: Message?) -> PostgresQuery {
        let change: PostgresQuery = "\(Message.assignments(reason)), starts_at = NULL, updated_at = now()"
        guard isRecurring, state != .failed, let schedule, let occurrence = due?.occurrence else {
            return change + ", state = \(state), version = version + 1"
        }
        let plan = SchedulePlan(schedule, handledUntil: occurrence.first)
        // Without another occurrence the campaign ends with the runs that it has.
        let isLast = plan.nextExaminedAt == nil
        let last: CampaignState = state == .scheduled ? (openRun == nil ? .sent : .sending) : state
        return change
            + ", \(plan.assignments), state = \(isLast ? last : .scheduled), version = version + \(isLast ? 1 : 0)"
    }
}
