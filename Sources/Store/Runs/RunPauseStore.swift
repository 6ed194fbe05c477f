public import Campaigns
public import JSON
public import Postgres

/// Pauses runs until a person resumes or cancels them.
public struct RunPauseStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The reason of a run that was paused after a restore. Resuming a run with this reason accepts the risk.
    static let restoreMessage: Message = """
        The database was restored from a backup, or another server took over, after this run began. The most recent \
        pushes may be missing from the ledger and would be sent again. Resume to accept that, or cancel.
        """
    private static let restoredWhilePaused: Message = "\(restoreMessage) It was paused before."
    /// The earlier reason follows.
    private static let restoredWhileAsking: Message = "\(restoreMessage) It was paused before: \("")"
    /// Characters of the run's earlier reason that are appended to the message.
    private static let earlierReason: Int32 = 1_000

    /// Pauses a run; `reason` is shown to the marketer. `disablingRejectionThreshold` also turns the run's rejection
    /// threshold off, so that resuming sends the rest; it does nothing if another process turned it off before.
    /// `refusal` is Apple's answer if it is about the credential.
    public func pause(
        _ run: Run.Key, because reason: Message, disablingRejectionThreshold: Bool = false,
        refusal: CredentialRefusal? = nil
    ) async throws {
        let hasThreshold: PostgresQuery =
            disablingRejectionThreshold ? " AND r.rejection_threshold_percent IS NOT NULL" : ""
        let clearsThreshold: PostgresQuery = disablingRejectionThreshold ? ", rejection_threshold_percent = NULL" : ""
        try await pause(
            which: "r.app_id = \(run.app) AND r.id = \(run.id) AND r.state = 'sending'\(hasThreshold)",
            setting: "\(Message.assignments(reason))\(clearsThreshold)",
            campaigns: "c.state = 'sending'", telling: refusal.map(told) ?? "")
    }

    /// An answer of Apple to the pushes of a run that is about the credential, the topic or the environment.
    public struct CredentialRefusal: Hashable, Sendable {
        /// Such as InvalidProviderToken.
        public let reason: String
        public let environment: PushEnvironment

        public init(reason: String, environment: PushEnvironment) {
            self.reason = reason
            self.environment = environment
        }
    }

    private func told(_ refusal: CredentialRefusal) -> PostgresQuery {
        let event = WebhookEvents.insert(
            .credentialRefused, from: "paused s",
            data: WebhookEvents.run(
                """
                'apple_reason', \(refusal.reason)::text, 'environment', \(refusal.environment.name)::text,
                'reason', s.reason
                """))
        return ", refused AS (\(event))"
    }

    /// True if a missing credential was lost after the run started: the run has already sent to this environment, or
    /// the app has no credential at all (a run does not start without one).
    public func hasLostCredential(_ batch: ClaimedBatch) async throws -> Bool {
        let rows = try await pool.query(
            """
            SELECT NOT EXISTS (SELECT FROM credentials WHERE app_id = \(batch.app))
                OR EXISTS (SELECT FROM batches
                    WHERE app_id = \(batch.app) AND run_id = \(batch.run) AND environment = \(batch.environment)
                        AND accepted + rejected + unknown > 0)
            """)
        return try rows[0][0]
    }

    /// Pauses runs of earlier generations of the database: they began before a restore or failover. Runs that were
    /// already paused get the restore message as their reason. Returns the number of runs changed.
    public func pauseRunsFromBeforeRestore() async throws -> Int {
        try await pause(
            which: """
                r.generation <> present_generation() AND r.finished_at IS NULL
                    AND (r.state = 'sending' OR r.state = 'paused' AND NOT \(Self.isAskingAfterRestore))
                """,
            setting: """
                reason = CASE
                    WHEN r.state = 'sending' THEN \(Self.restoreMessage.description)
                    WHEN r.reason IS NULL THEN \(Self.restoredWhilePaused.description)
                    ELSE \(Self.restoredWhileAsking.description) || left(r.reason, \(Self.earlierReason)) END,
                reason_localization = CASE
                    WHEN r.state = 'sending' THEN \(Self.restoreMessage.stored)
                    WHEN r.reason IS NULL THEN \(Self.restoredWhilePaused.stored)
                    ELSE jsonb_set(\(Self.restoredWhileAsking.stored), '{arguments,1}',
                        CASE WHEN r.reason_localization IS NOT NULL AND char_length(r.reason) <= \(Self.earlierReason)
                                THEN r.reason_localization
                            ELSE to_jsonb(left(r.reason, \(Self.earlierReason))) END) END
                """,
            campaigns: "c.state IN ('sending', 'paused')", telling: Self.question)
    }

    /// One event for all runs of an app.
    private static var question: PostgresQuery {
        let event = WebhookEvents.insert(
            .restoreQuestion,
            from: "(SELECT app_id, jsonb_agg(id::text ORDER BY id) AS runs FROM paused GROUP BY app_id) s",
            data: "jsonb_build_object('run_ids', s.runs, 'reason', \(restoreMessage.description)::text)")
        return ", asked AS (\(event))"
    }

    /// True for a run `r` whose reason is the restore message.
    static let isAskingAfterRestore: PostgresQuery =
        "starts_with(coalesce(r.reason, ''), \(restoreMessage.description))"

    @discardableResult
    private func pause(
        which: PostgresQuery, setting change: PostgresQuery, campaigns: PostgresQuery, telling more: PostgresQuery
    ) async throws -> Int {
        try await pool.execute(
            """
            WITH paused AS (
                UPDATE runs r SET state = 'paused', version = r.version + 1, \(change) WHERE \(which)
                RETURNING r.id, r.app_id, r.campaign_id, r.reason, r.reason_localization
            ), notified AS (
                SELECT pg_notify('belfry_runs', id::text) FROM paused
            ), campaign AS (
                UPDATE campaigns c
                SET state = 'paused', reason = p.reason, reason_localization = p.reason_localization,
                    version = c.version + 1, updated_at = now()
                FROM paused p WHERE c.app_id = p.app_id AND c.id = p.campaign_id AND \(campaigns)
            ), told AS (\(WebhookEvents.insert(.runPaused, from: "paused s", data: WebhookEvents.paused)))
            \(more)
            SELECT FROM notified
            """)
    }
}
