public import Campaigns
import JSON
public import Postgres

/// Decides what the rest of a test's audience gets. The rest was planned with the test, and waits in batches of its own:
/// a decision is one transaction that gives them their variant and their time, so nothing between the two phases can
/// be lost or happen twice.
public struct TestDecisionStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// A run whose rest waits for a decision that is due.
    public struct Undecided: Sendable {
        public let run: Run.Key
        public let campaign: CampaignRecord
        public let why: Why

        public enum Why: Hashable, Sendable {
            /// Its time is over.
            case due
            /// A person was asked and has not answered in time.
            case unanswered
            /// Its time is not over, and a variant may be ahead with certainty.
            case early
        }
    }

    /// Runs whose test was counted for the last time, whose question was not answered in time, or that nobody decided by
    /// hand in time; and those that may be decided early. A paused run waits.
    public func undecided() async throws -> [Undecided] {
        let rows = try await pool.query(
            """
            SELECT u.run_id, u.asked_at IS NOT NULL AS is_unanswered,
                c.winner::json ->> 'decision' = 'when_clear' AND t.decides_at > now() AS is_early, c.*
            FROM (
                SELECT r.app_id, r.campaign_id, r.id AS run_id, r.planned_at, d.asked_at
                FROM runs r LEFT JOIN test_decisions d ON d.app_id = r.app_id AND d.run_id = r.id
                WHERE r.finished_at IS NULL AND r.test_share IS NOT NULL AND r.state = 'sending'
                    AND r.planned_at IS NOT NULL AND d.decided_at IS NULL AND \(DatabaseIdentity.matchesRun)
            ) AS u
            JOIN LATERAL (
                SELECT \(CampaignRecord.columns) FROM campaigns WHERE app_id = u.app_id AND id = u.campaign_id
            ) AS c ON true
            LEFT JOIN test_counts t ON t.app_id = u.app_id AND t.campaign_id = u.campaign_id
            WHERE CASE
                WHEN c.winner::json ->> 'decision' = 'by_hand' THEN u.planned_at + \(Self.byHand) < now()
                WHEN u.asked_at IS NOT NULL THEN u.asked_at + \(Self.answer) < now()
                WHEN c.winner::json ->> 'decision' = 'when_clear' AND t.decides_at > now() THEN true
                ELSE t.count_next_at IS NULL AND t.decides_at <= now()
            END
            ORDER BY u.run_id
            """)
        return try rows.map {
            let campaign = try CampaignRecord($0)
            return Undecided(
                run: Run.Key(app: campaign.app, id: try $0["run_id"]), campaign: campaign,
                why: try $0["is_unanswered"] ? .unanswered : try $0["is_early", as: Bool?.self] ?? false ? .early : .due
            )
        }
    }

    /// Of the campaign's newest run that tests a share; nil without one.
    public func decision(of campaign: CampaignRecord) async throws -> TestDecision? {
        let rows = try await pool.query(
            """
            SELECT r.id AS run_id, r.planned_at, d.asked_at, d.decided_at, d.variant, d.reason, d.expected_loss,
                (SELECT name FROM users WHERE id = d.decided_by) AS decided_by,
                r.finished_at IS NOT NULL OR r.state = 'cancelled' AS is_over,
                (SELECT coalesce(sum(size - suppressed), 0)::bigint FROM batches b
                    WHERE b.app_id = r.app_id AND b.run_id = r.id AND b.is_rest AND b.deferred_from IS NULL) AS rest
            FROM runs r LEFT JOIN test_decisions d ON d.app_id = r.app_id AND d.run_id = r.id
            WHERE r.app_id = \(campaign.app) AND r.campaign_id = \(campaign.id) AND r.test_share IS NOT NULL
            ORDER BY r.id DESC LIMIT 1
            """)
        return try rows.first.map { try TestDecision($0) }
    }

    /// Notes that a person was asked. False when that was noted before, or it is decided.
    public func ask(_ run: Run.Key) async throws -> Bool {
        let told = WebhookEvents.insert(
            .testUndecided, from: Self.ofRun("asked"),
            data: WebhookEvents.run("'answer_by', \(WebhookEvents.time("s.asked_at + \(Self.answer)"))"))
        let rows = try await pool.query(
            """
            WITH asked AS (
                INSERT INTO test_decisions (app_id, run_id, asked_at) VALUES (\(run.app), \(run.id), now())
                ON CONFLICT (app_id, run_id) DO NOTHING
                RETURNING app_id, run_id, asked_at
            ), told AS (\(told))
            SELECT FROM asked
            """)
        return !rows.isEmpty
    }

    /// Takes the decision. False when it was taken before, or the run is not planned to the end or has ended.
    public func decide(_ run: Run.Key, _ decision: NewTestDecision) async throws -> Bool {
        try await pool.transaction { connection in
            // Lock order: runs before their batches. After it, nobody cancels the run meanwhile.
            let locked = try await connection.query(
                """
                SELECT FROM runs
                WHERE app_id = \(run.app) AND id = \(run.id) AND finished_at IS NULL AND state IN ('sending', 'paused')
                    AND planned_at IS NOT NULL AND test_share IS NOT NULL
                FOR NO KEY UPDATE
                """)
            guard !locked.isEmpty else { return false }
            guard try await !connection.query(Self.insertion(run, decision)).isEmpty else { return false }
            try await connection.execute(Self.release(run, variant: decision.variant))
            try await connection.execute(Self.expiry(run, isSent: decision.variant != nil))
            try await connection.execute("SELECT pg_notify('belfry_runs', \(run.id.description))")
            return true
        }
    }

    private static let answer: PostgresQuery = "make_interval(secs => \(Double(WinnerRule.answerSeconds)))"
    private static let byHand: PostgresQuery = "make_interval(secs => \(Double(WinnerRule.byHandSeconds)))"

    private static func insertion(_ run: Run.Key, _ decision: NewTestDecision) -> PostgresQuery {
        let counts: JSON? = decision.counts.map { counts in
            .array(
                counts.variants.map {
                    [
                        "people": .number(JSON.Number($0.people)),
                        "reached": .number(JSON.Number($0.reached(counts.goal))),
                    ]
                })
        }
        let told = WebhookEvents.insert(
            .testDecided, from: ofRun("decided"),
            data: WebhookEvents.run(
                """
                'variant', s.variant, 'reason', s.reason, 'variant_name', (SELECT c.variants -> s.variant ->> 'name'
                    FROM campaigns c WHERE c.app_id = s.app_id AND c.id = s.campaign_id)
                """))
        return """
            WITH decided AS (
            INSERT INTO test_decisions AS d (
                app_id, run_id, decided_at, decided_by, expected_loss, variant, reason, finding, counts)
            VALUES (\(run.app), \(run.id), now(), \(decision.decidedBy), \(decision.expectedLoss),
                \(decision.variant.map { Int16($0) }), \(decision.reason), \(decision.finding), \(counts?.text)::json)
            ON CONFLICT (app_id, run_id) DO UPDATE SET decided_at = excluded.decided_at, decided_by = excluded.decided_by,
                expected_loss = excluded.expected_loss, variant = excluded.variant, reason = excluded.reason,
                finding = excluded.finding, counts = excluded.counts
            WHERE d.decided_at IS NULL
            RETURNING app_id, run_id, variant, reason
            ), told AS (\(told))
            SELECT FROM decided
            """
    }

    /// Rows of decisions with what webhooks say of a run.
    private static func ofRun(_ rows: PostgresQuery) -> PostgresQuery {
        """
        (SELECT d.*, d.run_id AS id, r.campaign_id
            FROM \(rows) d JOIN runs r ON r.app_id = d.app_id AND r.id = d.run_id) s
        """
    }

    /// Gives the rest its variant, and its time: at once if its own has passed; with local times, when its clocks next
    /// show the time. Quiet hours that have begun meanwhile make a batch overdue, so that it is re-evaluated.
    private static func release(_ run: Run.Key, variant: Int?) -> PostgresQuery {
        """
        UPDATE batches b
        SET variant = coalesce(\(variant.map { Int16($0) }), b.variant),
            state = CASE b.state WHEN 'waiting' THEN 'ready' ELSE b.state END,
            due_at = CASE WHEN b.state <> 'waiting' THEN b.due_at
                WHEN l.is_local THEN b.due_at + l.shift ELSE greatest(b.due_at, now()) END,
            not_after = CASE WHEN b.state = 'waiting' AND l.is_local THEN b.not_after + l.shift ELSE b.not_after END
        FROM (
            SELECT o.app_id, o.id, r.occurrence ->> 'kind' IS NOT DISTINCT FROM 'local' AS is_local,
                \(wholeDays(from: "o.due_at")) AS shift
            FROM runs r JOIN batches o ON o.app_id = r.app_id AND o.run_id = r.id
            WHERE r.app_id = \(run.app) AND r.id = \(run.id) AND o.is_rest
        ) AS l
        WHERE b.app_id = l.app_id AND b.id = l.id
        """
    }

    /// The rest expires as long after the decision as the test does after its start. Without a decision it has expired.
    private static func expiry(_ run: Run.Key, isSent: Bool) -> PostgresQuery {
        """
        UPDATE runs
        SET version = version + 1,
            expires_at = CASE WHEN NOT \(isSent) THEN least(expires_at, now())
                WHEN occurrence ->> 'kind' = 'local' THEN expires_at + \(wholeDays(from: "started_at"))
                ELSE expires_at + (now() - started_at) END
        WHERE app_id = \(run.app) AND id = \(run.id)
        """
    }

    /// An interval of whole days, none for a time that is ahead. In hours, because a session's zone changes what a day is.
    private static func wholeDays(from moment: PostgresQuery) -> PostgresQuery {
        "make_interval(hours => 24 * greatest(0, ceil(extract(epoch FROM now() - \(moment)) / 86400))::integer)"
    }
}
