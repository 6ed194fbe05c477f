public import Campaigns
import Postgres

/// What people do to a run that is not over.
public enum RunMove: String, CaseIterable, Hashable, Sendable {
    case pause, resume, cancel

    /// The one table of allowed moves; nil where a move is not allowed.
    public func next(from state: RunRecord.State) -> RunRecord.State? {
        switch (self, state) {
        case (.pause, .sending): .paused
        case (.resume, .paused): .sending
        case (.cancel, .sending), (.cancel, .paused): .cancelled
        default: nil
        }
    }

    /// States of other runs that keep their campaign from moving along.
    fileprivate var keepingTheCampaign: [RunRecord.State] {
        switch self {
        case .pause: [.sending]
        case .resume: []
        case .cancel: [.sending, .paused]
        }
    }

    private var states: [RunRecord.State] { RunRecord.State.allCases.filter { next(from: $0) != nil } }

    /// Moves the runs `r` that the condition names and that may be moved, and tells the workers. Returns their ids.
    func statement(_ which: PostgresQuery) -> PostgresQuery {
        let next = states.compactMap { self.next(from: $0) }.first ?? .cancelled
        return """
            WITH moved AS (
                UPDATE runs r SET state = \(next), reason = NULL\(changes)
                WHERE \(which) AND r.finished_at IS NULL AND r.state = ANY (\(states.map(\.rawValue)))
                RETURNING r.id
            )
            SELECT id, pg_notify('belfry_runs', id::text) FROM moved
            """
    }

    /// Who resumes what asks after a restore has been told that this is another PostgreSQL than the one where the run
    /// began. A run that has not asked yet keeps the old one, and asks as soon as a planner looks. What was never begun,
    /// since it asked first, counts from now.
    private var changes: PostgresQuery {
        guard self == .resume else { return "" }
        return """
            , (system_identifier, timeline, database_oid) = (
                SELECT CASE WHEN \(RunPauseStore.asks) THEN here.system_identifier ELSE r.system_identifier END,
                    CASE WHEN \(RunPauseStore.asks) THEN here.timeline ELSE r.timeline END,
                    CASE WHEN \(RunPauseStore.asks) THEN here.database_oid ELSE r.database_oid END
                FROM (SELECT \(DatabaseIdentity.columns)) AS here (system_identifier, timeline, database_oid)),
            expires_at = CASE WHEN plan_cursor = 0 THEN greatest(expires_at, now() + (expires_at - started_at))
                ELSE expires_at END
            """
    }
}

extension Refusal {
    /// A move that the run's state does not allow, with the moves that it does allow.
    static func notAllowed(_ move: RunMove, from state: RunRecord.State) -> Refusal {
        let allowed = RunMove.allCases.filter { $0.next(from: state) != nil }.map(\.rawValue)
        let rest = allowed.isEmpty ? "It has ended." : "Allowed now: \(allowed.joined(separator: ", "))."
        return Refusal(
            .conflict, "transition-not-allowed",
            "A run that is \(state.rawValue) can't be \(move.rawValue)\(move == .cancel ? "led" : "d"). \(rest)")
    }
}

extension RunStore {
    /// One run, of a campaign that has several. A campaign that is sending itself moves along, but where another of its runs
    /// goes on.
    public func move(_ id: Run.ID, app: App.ID, by move: RunMove) async throws -> RunRecord {
        let isMoved = try await pool.transaction { connection in
            if move != .pause { try await forgetQuestion(of: id, app: app, on: connection) }
            let rows = try await connection.query(move.statement("r.app_id = \(app) AND r.id = \(id)"))
            guard !rows.isEmpty else { return false }
            // Locked first, so that of two runs that are moved at once the later one sees the other's move.
            try await connection.execute(
                """
                SELECT FROM campaigns c JOIN runs r ON c.app_id = r.app_id AND c.id = r.campaign_id
                WHERE r.id = \(id) FOR NO KEY UPDATE OF c
                """)
            let next: CampaignState = move == .pause ? .paused : move == .resume ? .sending : .cancelled
            try await connection.execute(
                """
                UPDATE campaigns c SET state = \(next), reason = NULL, version = version + 1, updated_at = now()
                FROM runs r
                WHERE r.id = \(id) AND c.app_id = r.app_id AND c.id = r.campaign_id AND c.state IN ('sending', 'paused')
                    AND NOT EXISTS (SELECT FROM runs o
                        WHERE o.app_id = c.app_id AND o.campaign_id = c.id AND o.id <> r.id
                            AND o.state = ANY (\(move.keepingTheCampaign.map(\.rawValue))))
                """)
            return true
        }
        let run = try await find(id, app: app)
        guard isMoved else { throw Refusal.notAllowed(move, from: run.state) }
        return run
    }

    /// The question of a run stands at its campaign as well, which may stay scheduled: now it is answered.
    private func forgetQuestion(of run: Run.ID, app: App.ID, on connection: PostgresConnection) async throws {
        let own: PostgresQuery = "r.app_id = \(app) AND r.id = \(run)"
        // Runs are locked before their campaign, by everybody who locks both.
        try await connection.execute("SELECT FROM runs r WHERE \(own) FOR NO KEY UPDATE")
        try await connection.execute(
            """
            UPDATE campaigns c SET reason = NULL, updated_at = now() FROM runs r
            WHERE \(own) AND c.app_id = r.app_id AND c.id = r.campaign_id AND c.state = 'scheduled'
                AND c.reason = r.reason
            """)
    }

    /// While it is sent, too; nil is as fast as it goes.
    public func setPace(_ id: Run.ID, app: App.ID, to pushesPerSecond: Int?) async throws -> RunRecord {
        // What was booked at the old pace is forgotten.
        let changed = try await pool.query(
            """
            WITH forgotten AS (
                DELETE FROM paces WHERE app_id = \(app) AND run_id = \(id)
            ), changed AS (
                UPDATE runs SET pushes_per_second = \(pushesPerSecond)
                WHERE app_id = \(app) AND id = \(id) AND finished_at IS NULL AND state <> 'cancelled' RETURNING id
            )
            SELECT pg_notify('belfry_runs', id::text) FROM changed
            """)
        let run = try await find(id, app: app)
        if changed.isEmpty { throw Refusal.runFinished }
        return run
    }
}
