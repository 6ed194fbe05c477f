public import Campaigns
import JSON
import Postgres

/// A state change of an unfinished run that a person requests.
public enum RunTransition: String, CaseIterable, Hashable, Sendable {
    case pause, resume, cancel

    /// The state after the transition; nil when it is not allowed. This is the only table of allowed transitions.
    public func next(from state: RunRecord.State) -> RunRecord.State? {
        switch (self, state) {
        case (.pause, .sending): .paused
        case (.resume, .paused): .sending
        case (.cancel, .sending), (.cancel, .paused): .cancelled
        default: nil
        }
    }

    /// States of other runs that prevent the campaign from changing with this run.
    fileprivate var statesBlockingCampaign: [RunRecord.State] {
        switch self {
        case .pause: [.sending]
        case .resume: []
        case .cancel: [.sending, .paused]
        }
    }

    private var states: [RunRecord.State] { RunRecord.State.allCases.filter { next(from: $0) != nil } }

    /// Applies the transition to the matching runs `r` whose state allows it, and notifies the workers. Returns their
    /// ids.
    func statement(_ which: PostgresQuery, expectedVersion: Int? = nil) -> PostgresQuery {
        let next = states.compactMap { self.next(from: $0) }.first ?? .cancelled
        return """
            WITH changed AS (
                UPDATE runs r SET state = \(next), \(Message.assignments(nil)), version = r.version + 1\(changes)
                WHERE \(which) AND r.finished_at IS NULL AND r.state = ANY (\(states.map(\.rawValue)))
                    AND \(isAt(expectedVersion, "r.version"))
                RETURNING r.id, r.app_id, r.campaign_id, r.reason
            )\(told)
            SELECT id, pg_notify('belfry_runs', id::text) FROM changed
            """
    }

    /// A statement of its own after `statement`, in the same transaction: it sees what a planner stored before the run was
    /// locked. The rest of a cancelled test does not wait any more, so that its recipients get their outcome.
    func release(_ which: PostgresQuery) -> PostgresQuery? {
        guard self == .cancel else { return nil }
        return """
            UPDATE batches b SET state = 'ready'
            FROM runs r
            WHERE \(which) AND r.finished_at IS NULL AND r.state = 'cancelled' AND r.test_share IS NOT NULL
                AND b.app_id = r.app_id AND b.run_id = r.id AND b.state = 'waiting'
            """
    }

    private var told: PostgresQuery {
        guard self == .pause else { return "" }
        return ", told AS (\(WebhookEvents.insert(.runPaused, from: "changed s", data: WebhookEvents.paused)))"
    }

    /// Columns that resuming also sets. A run that was paused after a restore gets the present generation; a run that
    /// was not yet checked keeps its earlier one and is paused at the next check. The time to expiry of a run that has
    /// planned nothing starts now.
    private var changes: PostgresQuery {
        guard self == .resume else { return "" }
        let isAsking = RunPauseStore.isAskingAfterRestore
        return """
            , generation = CASE WHEN \(isAsking) THEN present_generation() ELSE generation END,
            expires_at = CASE WHEN plan_cursor = 0 THEN greatest(expires_at, now() + (expires_at - started_at))
                ELSE expires_at END
            """
    }
}

extension Refusal {
    /// The error for a transition that the run's state does not allow. It lists the allowed ones.
    static func notAllowed(_ transition: RunTransition, from state: RunRecord.State) -> Refusal {
        let allowed = RunTransition.allCases.filter { $0.next(from: state) != nil }.map(\.rawValue)
        let rest: Message = allowed.isEmpty ? "It has ended." : "Allowed now: \(allowed.list)."
        let participle = transition.rawValue + (transition == .cancel ? "led" : "d")
        return .runCannot(participle, in: state.rawValue, rest)
    }
}

extension RunStore {
    /// Changes the state of one run. A campaign that is sending or paused changes with it, unless the state of another
    /// of its runs prevents that.
    public func transition(
        _ id: Run.ID, app: App.ID, by transition: RunTransition, expectedVersion: Int? = nil
    ) async throws -> RunRecord {
        let isMoved = try await pool.transaction { connection in
            if transition != .pause {
                try await clearQuestion(of: id, app: app, expectedVersion: expectedVersion, on: connection)
            }
            let rows = try await connection.query(
                transition.statement("r.app_id = \(app) AND r.id = \(id)", expectedVersion: expectedVersion))
            guard !rows.isEmpty else { return false }
            if let release = transition.release("r.app_id = \(app) AND r.id = \(id)") {
                try await connection.execute(release)
            }
            // Locked first: when two runs change at the same time, the second transaction sees the first one's change.
            try await connection.execute(
                """
                SELECT FROM campaigns c JOIN runs r ON c.app_id = r.app_id AND c.id = r.campaign_id
                WHERE r.app_id = \(app) AND r.id = \(id) FOR NO KEY UPDATE OF c
                """)
            let next: CampaignState = transition == .pause ? .paused : transition == .resume ? .sending : .cancelled
            try await connection.execute(
                """
                UPDATE campaigns c SET state = \(next), \(Message.assignments(nil)), version = c.version + 1, updated_at = now()
                FROM runs r
                WHERE r.app_id = \(app) AND r.id = \(id) AND c.app_id = r.app_id AND c.id = r.campaign_id
                    AND c.state IN ('sending', 'paused')
                    AND NOT EXISTS (SELECT FROM runs o
                        WHERE o.app_id = c.app_id AND o.campaign_id = c.id AND o.id <> r.id
                            AND o.state = ANY (\(transition.statesBlockingCampaign.map(\.rawValue))))
                """)
            return true
        }
        let run = try await find(id, app: app)
        guard !isMoved else { return run }
        try Refusal.checkVersion(run.version, expectedVersion)
        throw Refusal.notAllowed(transition, from: run.state)
    }

    /// Removes the reason of a run from its scheduled campaign, where it was copied: the person has now decided.
    private func clearQuestion(
        of run: Run.ID, app: App.ID, expectedVersion: Int?, on connection: PostgresConnection
    ) async throws {
        let own: PostgresQuery = "r.app_id = \(app) AND r.id = \(run) AND \(isAt(expectedVersion, "r.version"))"
        // Lock order: runs before their campaign.
        try await connection.execute("SELECT FROM runs r WHERE \(own) FOR NO KEY UPDATE")
        try await connection.execute(
            """
            UPDATE campaigns c SET \(Message.assignments(nil)), updated_at = now() FROM runs r
            WHERE \(own) AND c.app_id = r.app_id AND c.id = r.campaign_id AND c.state = 'scheduled'
                AND c.reason = r.reason
            """)
    }

    /// Sets the rate limit, also while the run is sending; nil removes it.
    public func setRateLimit(
        _ id: Run.ID, app: App.ID, to pushesPerSecond: Int?, expectedVersion: Int? = nil
    ) async throws -> RunRecord {
        // Reservations at the old rate are deleted.
        let changed = try await pool.query(
            """
            WITH changed AS (
                UPDATE runs SET pushes_per_second = \(pushesPerSecond), version = version + 1
                WHERE app_id = \(app) AND id = \(id) AND finished_at IS NULL AND state <> 'cancelled'
                    AND \(isAt(expectedVersion))
                RETURNING app_id, id
            ), deleted AS (
                DELETE FROM rate_limits l USING changed c WHERE l.app_id = c.app_id AND l.run_id = c.id
            )
            SELECT pg_notify('belfry_runs', id::text) FROM changed
            """)
        let run = try await find(id, app: app)
        if changed.isEmpty {
            try Refusal.checkVersion(run.version, expectedVersion)
            throw Refusal.runFinished
        }
        return run
    }
}
