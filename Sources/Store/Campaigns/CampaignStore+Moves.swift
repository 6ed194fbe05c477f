public import Campaigns
import Postgres

// The state is the claim: whoever changes it has done the move, and the dispatcher takes it from there. NOTIFY only
// wakes it earlier; it looks by itself too.
//
// What is to be sent is of the version that was `seen`, and checked: `versionConflict` if there is a newer one. What is
// under way moves on by itself, so whoever stops it need not have seen the last of it.
extension CampaignStore {
    /// With a schedule, or by the one that the campaign has: `noSchedule` when it has none. Also moves a campaign that is
    /// scheduled already to another time.
    public func schedule(
        _ id: Campaign.ID, app: App.ID, seen: Int? = nil, to schedule: Schedule? = nil
    ) async throws -> CampaignRecord {
        let current = try await find(id, app: app)
        try current.check(.schedule, seen: seen)
        guard let schedule = schedule ?? current.content.schedule,
            let plan = try await schedulePlan(schedule, of: id, app: app)
        else { throw Refusal.noSchedule }
        // Of the version that was read: an edit since may have changed when, and a start what has begun.
        return try await move(
            id, app: app, by: .schedule, setting: ", schedule = \(schedule.json.text)::json, \(plan.assignments)",
            where: "version = \(current.version) AND handled_until IS NOT DISTINCT FROM \(current.handledUntil)")
    }

    public func unschedule(_ id: Campaign.ID, app: App.ID) async throws -> CampaignRecord {
        try await move(id, app: app, by: .unschedule)
    }

    public func start(_ id: Campaign.ID, app: App.ID, seen: Int? = nil) async throws -> CampaignRecord {
        let current = try await find(id, app: app)
        try current.check(.start, seen: seen)
        switch current.content.schedule {
        case .recurring: throw Refusal.isRecurring
        case .triggered: throw Refusal.isTriggered
        case .at, .local, nil: break
        }
        // What was started before, by its schedule or in vain, is started once more.
        return try await move(
            id, app: app, by: .start, setting: ", runs_started = 0", where: "version = \(current.version)")
    }

    /// Its runs with it; so do `resume` and `cancel`.
    public func pause(_ id: Campaign.ID, app: App.ID) async throws -> CampaignRecord {
        try await move(id, app: app, by: .pause, runs: .pause)
    }

    public func resume(_ id: Campaign.ID, app: App.ID) async throws -> CampaignRecord {
        try await move(id, app: app, by: .resume, runs: .resume)
    }

    /// What is pending is written off by the dispatcher.
    public func cancel(_ id: Campaign.ID, app: App.ID) async throws -> CampaignRecord {
        try await move(id, app: app, by: .cancel, runs: .cancel)
    }

    private func move(
        _ id: Campaign.ID, app: App.ID, by move: CampaignMove, setting more: PostgresQuery = "",
        where condition: PostgresQuery = "true", runs: RunMove? = nil
    ) async throws -> CampaignRecord {
        let moves = StateMoves(move)
        let change: PostgresQuery = """
            WITH moved AS (
                UPDATE campaigns
                SET state = \(moves.next), reason = NULL, version = version + 1, updated_at = now()\(more)
                WHERE app_id = \(app) AND id = \(id) AND \(moves.areAllowed) AND archived_at IS NULL
                    AND \(condition)
                RETURNING \(CampaignRecord.columns)
            )
            SELECT moved.*, pg_notify('belfry_campaigns', id::text) FROM moved
            """
        let moved: CampaignRecord?
        if let runs {
            moved = try await pool.transaction { connection in
                let own: PostgresQuery = "r.app_id = \(app) AND r.campaign_id = \(id)"
                // Runs are locked before their campaign, by everybody who locks both.
                try await connection.execute(
                    "SELECT FROM runs r WHERE \(own) AND r.finished_at IS NULL ORDER BY r.id FOR UPDATE")
                guard let row = try await connection.query(change).first else { return nil }
                // A statement of its own: it sees a run whose start had this campaign locked a moment ago.
                try await connection.execute(runs.statement(own))
                return try CampaignRecord(row)
            }
        } else {
            moved = try await pool.query(change).first.map { try CampaignRecord($0) }
        }
        if let moved { return moved }
        let current = try await find(id, app: app)
        try current.check(move)
        // It was not allowed then and is now, or is not as it was read: someone else has just moved it.
        throw Refusal.versionConflict(current: current.version)
    }
}

extension CampaignRecord {
    /// Why a move is not done: its state forbids it, it is in the archive, or the version that was `seen` is not the one
    /// that is there.
    public func check(_ move: CampaignMove, seen: Int? = nil) throws {
        if let seen, seen != version { throw Refusal.versionConflict(current: version) }
        _ = try state.applying(move)
        if archivedAt != nil { throw Refusal.campaignArchived }
    }
}
