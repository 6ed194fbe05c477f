public import Campaigns
import JSON
import Postgres

// A transition is complete once the state is written; the dispatcher does the rest. NOTIFY only wakes the dispatcher
// earlier, since it also polls.
//
// Scheduling and starting need the version that was read and checked: `versionConflict` if there is a newer one. A
// sending campaign changes its version by itself, so pausing and cancelling do not need the latest one.
extension CampaignStore {
    /// Schedules the campaign, also if it is scheduled already. Without `schedule`, the campaign's own schedule
    /// applies; throws `noSchedule` when it has none.
    public func schedule(
        _ id: Campaign.ID, app: App.ID, expectedVersion: Int? = nil, to schedule: Schedule? = nil
    ) async throws -> CampaignRecord {
        let current = try await find(id, app: app)
        try current.check(.schedule, expectedVersion: expectedVersion, to: schedule)
        guard let schedule = schedule ?? current.content.schedule,
            let plan = try await schedulePlan(schedule, of: id, app: app)
        else { throw Refusal.noSchedule }
        // Only if the row is as it was read: an edit may have changed the schedule, and a start `handled_until`.
        return try await transition(
            id, app: app, by: .schedule, setting: ", schedule = \(schedule.json.text)::json, \(plan.assignments)",
            where: "version = \(current.version) AND handled_until IS NOT DISTINCT FROM \(current.handledUntil)")
    }

    public func unschedule(_ id: Campaign.ID, app: App.ID, expectedVersion: Int? = nil) async throws -> CampaignRecord {
        try await transition(id, app: app, by: .unschedule, expectedVersion: expectedVersion)
    }

    /// The longest delay of a start: a later start is a schedule.
    public static let longestDelay = Duration.seconds(300)

    /// Starts the campaign, or schedules its start in `delay` seconds; until then `unschedule` undoes it.
    public func start(
        _ id: Campaign.ID, app: App.ID, expectedVersion: Int? = nil, delay: Int = 0
    ) async throws -> CampaignRecord {
        let current = try await find(id, app: app)
        try current.check(.start, expectedVersion: expectedVersion)
        // Earlier runs, from a schedule or a failed start, do not prevent another start.
        let restart: PostgresQuery = ", runs_started = 0"
        let isUnchanged: PostgresQuery = "version = \(current.version)"
        guard delay > 0 else {
            return try await transition(id, app: app, by: .start, setting: restart, where: isUnchanged)
        }
        let moment: PostgresQuery = "now() + make_interval(secs => \(Double(delay)))"
        return try await transition(
            id, app: app, by: .start, setting: restart + ", next_check_at = " + moment, startsAt: moment,
            state: "'scheduled'", where: isUnchanged)
    }

    /// Pauses the campaign and its runs: nothing is sent, and no occurrence starts. `resume` and `cancel` also include
    /// the runs.
    public func pause(
        _ id: Campaign.ID, app: App.ID, expectedVersion: Int? = nil
    ) async throws -> CampaignRecord {
        try await transition(
            id, app: app, by: .pause,
            setting: ", next_check_at = CASE WHEN state = 'sending' THEN next_check_at END",
            schedulePausedAt: "CASE WHEN state = 'scheduled' THEN now() END",
            where: """
                (state = 'sending'
                    OR schedule_paused_at IS NULL AND schedule ->> 'kind' IN ('recurring', 'triggered'))
                """,
            expectedVersion: expectedVersion, runs: .pause)
    }

    /// Occurrences of a paused schedule that have passed are not made up for, and skipped ones stay skipped.
    public func resume(
        _ id: Campaign.ID, app: App.ID, expectedVersion: Int? = nil
    ) async throws -> CampaignRecord {
        let current = try await find(id, app: app)
        try current.check(.resume, expectedVersion: expectedVersion)
        guard current.state == .scheduled else {
            return try await transition(
                id, app: app, by: .resume, where: "state = 'paused'", expectedVersion: expectedVersion, runs: .resume)
        }
        guard let schedule = current.content.schedule,
            var plan = try await schedulePlan(schedule, of: id, app: app)
        else { throw Refusal.noSchedule }
        if let handled = current.handledUntil.map({ Int($0.secondsSince1970.rounded(.up)) }),
            handled > plan.handledUntil
        {
            plan = SchedulePlan(schedule, handledUntil: handled)
        }
        return try await transition(
            id, app: app, by: .resume, setting: ", \(plan.assignments)",
            where: "version = \(current.version)", runs: .resume)
    }

    /// Skips the next occurrence. After the last one the campaign ends with the runs that it has.
    public func skip(_ id: Campaign.ID, app: App.ID, expectedVersion: Int? = nil) async throws -> CampaignRecord {
        let current = try await find(id, app: app)
        try current.check(.skip, expectedVersion: expectedVersion)
        guard let schedule = current.content.schedule, let handled = current.handledUntil,
            let next = schedule.next(after: Int(handled.secondsSince1970.rounded(.up)))
        else { throw Refusal.nothingToSkip }
        let plan = SchedulePlan(schedule, handledUntil: next.first)
        let isLast = plan.nextExaminedAt == nil
        let end: PostgresQuery = """
            CASE WHEN EXISTS (
                SELECT FROM runs r WHERE r.app_id = \(app) AND r.campaign_id = \(id) AND r.finished_at IS NULL
            ) THEN 'sending' ELSE 'sent' END
            """
        return try await transition(
            id, app: app, by: .skip, setting: ", \(plan.assignments)", state: isLast ? end : "state",
            reason: "The occurrence \(next.text) was skipped by hand.",
            where: "version = \(current.version) AND handled_until IS NOT DISTINCT FROM \(current.handledUntil)")
    }

    /// Cancels the campaign. The dispatcher gives pending recipients the outcome `cancelled`.
    public func cancel(_ id: Campaign.ID, app: App.ID, expectedVersion: Int? = nil) async throws -> CampaignRecord {
        try await transition(id, app: app, by: .cancel, expectedVersion: expectedVersion, runs: .cancel)
    }

    private func transition(
        _ id: Campaign.ID, app: App.ID, by transition: CampaignTransition, setting more: PostgresQuery = "",
        schedulePausedAt: PostgresQuery = "NULL", startsAt: PostgresQuery = "NULL", state: PostgresQuery? = nil,
        reason: Message? = nil,
        where condition: PostgresQuery = "true", expectedVersion: Int? = nil, runs: RunTransition? = nil
    ) async throws -> CampaignRecord {
        let moves = StateTransitions(transition)
        let change: PostgresQuery = """
            WITH changed AS (
                UPDATE campaigns
                SET state = \(state ?? moves.next), \(Message.assignments(reason)), schedule_paused_at = \(schedulePausedAt),
                    starts_at = \(startsAt),
                    version = version + 1, updated_at = now()\(more)
                WHERE app_id = \(app) AND id = \(id) AND \(moves.areAllowed) AND archived_at IS NULL
                    AND \(condition) AND \(isAt(expectedVersion))
                RETURNING \(CampaignRecord.columns)
            )
            SELECT changed.*, pg_notify('belfry_campaigns', id::text) FROM changed
            """
        let changed: CampaignRecord?
        if let runs {
            changed = try await pool.transaction { connection in
                let own: PostgresQuery = "r.app_id = \(app) AND r.campaign_id = \(id)"
                // Lock order: runs before their campaign.
                try await connection.execute(
                    "SELECT FROM runs r WHERE \(own) AND r.finished_at IS NULL ORDER BY r.id FOR UPDATE")
                guard let row = try await connection.query(change).first else { return nil }
                // A separate statement, so that it sees a run whose start has just released the lock of this campaign.
                try await connection.execute(runs.statement(own))
                if let release = runs.release(own) { try await connection.execute(release) }
                return try CampaignRecord(row)
            }
        } else {
            changed = try await pool.query(change).first.map { try CampaignRecord($0) }
        }
        if let changed { return changed }
        let current = try await find(id, app: app)
        try current.check(transition, expectedVersion: expectedVersion)
        // The campaign was changed since it was read.
        throw Refusal.versionConflict(current: current.version)
    }
}

extension CampaignRecord {
    /// Throws if a transition is not possible: the state does not allow it, the campaign is archived, or the current
    /// version is not `expectedVersion`.
    /// With another schedule than its own, that has to suit the campaign.
    public func check(
        _ transition: CampaignTransition, expectedVersion: Int? = nil, to schedule: Schedule? = nil
    ) throws {
        if let expectedVersion, expectedVersion != version { throw Refusal.versionConflict(current: version) }
        if archivedAt != nil { throw Refusal.campaignArchived }
        if content.winner != nil, schedule?.isRepeated ?? false { throw Refusal.winnerOfRepeated }
        _ = try status.applying(transition)
    }
}
