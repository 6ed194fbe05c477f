import Campaigns
public import Postgres

/// Counts the work that waits to be sent, over all apps, for monitoring.
public struct BacklogStore: Sendable {
    public struct Backlog: Equatable, Sendable {
        /// Unfinished runs that are being sent, and that are paused.
        public let sendingRuns: Int
        public let pausedRuns: Int
        /// Batches that are due and that no worker has taken yet.
        public let dueBatches: Int
        /// How long the oldest of them has been due, in seconds; 0 without one.
        public let oldestDue: Double
        /// Batches that workers hold.
        public let leasedBatches: Int
        /// Those of them whose worker has not reported in time, and that nobody has taken over yet.
        public let lapsedLeases: Int
        /// Recipients who wait for a later attempt, as Apple asked.
        public let deferredRecipients: Int
        /// How long the run has waited, in seconds, that has waited longest for a planner; 0 if none waits.
        public let plannerLag: Double
        /// How long the campaign has been due, in seconds, that has been due longest and has not started; 0 without one.
        public let scheduleLateness: Double
        /// Runs that are paused until a person says how to go on after a restore or failover.
        public let restoreQuestions: Int
        /// Enabled webhooks by whether their last attempts failed, and those that Belfry has disabled.
        public let workingWebhooks: Int
        public let failingWebhooks: Int
        public let disabledWebhooks: Int
        /// Messages that enabled webhooks are still to get.
        public let webhookMessages: Int
        /// How long the message has been due, in seconds, that has been due longest to a webhook that works; 0 without
        /// one. Failing webhooks get one message at a time.
        public let webhookLateness: Double
    }

    /// A slower database has other worries.
    private static let deadline = Duration.seconds(2)

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public func backlog() async throws -> Backlog {
        let rows = try await pool.query(
            """
            SELECT r.*, d.*, l.*, s.*, w.*
            FROM (
                SELECT count(*) FILTER (WHERE r.state = 'sending') AS sending,
                    count(*) FILTER (WHERE r.state = 'paused') AS paused,
                    count(*) FILTER (WHERE r.state = 'paused' AND \(RunPauseStore.isAskingAfterRestore)) AS asking,
                    \(Self.since("""
                        min(coalesce(r.plan_lease_until, r.started_at)) FILTER (
                            WHERE r.state = 'sending' AND r.planned_at IS NULL AND \(PlanStore.isNotFarAhead))
                        """)) AS unplanned
                FROM runs r JOIN apps a ON a.id = r.app_id WHERE r.finished_at IS NULL
            ) AS r
            CROSS JOIN (
                SELECT count(*) FILTER (WHERE b.due_at <= now()) AS due, \(Self.since("min(b.due_at)")) AS oldest,
                    coalesce(sum(b.pending) FILTER (WHERE b.retries > 0), 0) AS deferred
                FROM runs r JOIN batches b ON b.run_id = r.id AND b.app_id = r.app_id
                WHERE r.finished_at IS NULL AND r.state = 'sending' AND b.state = 'ready'
            ) AS d
            CROSS JOIN (
                SELECT count(*) AS leased, count(*) FILTER (WHERE lease_until < now()) AS lapsed
                FROM batches WHERE state = 'leased'
            ) AS l
            CROSS JOIN (
                SELECT \(Self.since("min(next_check_at)")) AS scheduled FROM campaigns WHERE state = 'scheduled'
            ) AS s
            CROSS JOIN (
                SELECT count(*) FILTER (WHERE w.disabled_at IS NULL AND NOT f.is_failing) AS working_webhooks,
                    count(*) FILTER (WHERE w.disabled_at IS NULL AND f.is_failing) AS failing_webhooks,
                    count(*) FILTER (WHERE w.disabled_reason IS NOT NULL) AS disabled_webhooks,
                    coalesce(sum(m.waiting), 0)::int8 AS messages,
                    \(Self.since("min(m.first_due) FILTER (WHERE NOT f.is_failing)")) AS message_due
                FROM webhooks w
                CROSS JOIN LATERAL (SELECT w.failures >= \(Webhook.failingAfter) AS is_failing) AS f
                CROSS JOIN LATERAL (
                    SELECT count(*) AS waiting, min(next_attempt_at) AS first_due FROM webhook_deliveries
                    WHERE app_id = w.app_id AND webhook_id = w.id AND next_attempt_at IS NOT NULL
                        AND w.disabled_at IS NULL
                ) AS m
            ) AS w
            """, deadline: Self.deadline)
        let row = rows[0]
        return Backlog(
            sendingRuns: try row["sending"], pausedRuns: try row["paused"], dueBatches: try row["due"],
            oldestDue: try row["oldest"], leasedBatches: try row["leased"], lapsedLeases: try row["lapsed"],
            deferredRecipients: try row["deferred"], plannerLag: try row["unplanned"],
            scheduleLateness: try row["scheduled"], restoreQuestions: try row["asking"],
            workingWebhooks: try row["working_webhooks"], failingWebhooks: try row["failing_webhooks"],
            disabledWebhooks: try row["disabled_webhooks"], webhookMessages: try row["messages"],
            webhookLateness: try row["message_due"])
    }

    /// The time since an instant, in seconds; 0 if it is null or has not come.
    private static func since(_ instant: PostgresQuery) -> PostgresQuery {
        "greatest(0, coalesce(extract(epoch FROM now() - \(instant)), 0))::float8"
    }
}
