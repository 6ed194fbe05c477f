public import Campaigns
import Postgres

extension CampaignStore {
    /// Whether the whole schedule is in the past, so that the campaign cannot be scheduled. False if it is scheduled.
    public func isPast(_ campaign: CampaignRecord) async throws -> Bool {
        guard campaign.state.after(.unschedule) == nil else { return false }
        do {
            _ = try await schedulePlan(campaign.content.schedule, of: campaign.id, app: campaign.app)
            return false
        } catch Refusal.schedulePast {
            return true
        }
    }

    /// Throws `schedulePast` if all times of a new campaign's schedule are in the past.
    public func checkIsAhead(_ schedule: Schedule?, app: App.ID) async throws {
        _ = try await schedulePlan(schedule, of: Campaign.ID(rawValue: 0), app: app)
    }

    /// Plans a schedule on the database's clock; nil without a schedule.
    public func schedulePlan(_ schedule: Schedule?, of campaign: Campaign.ID, app: App.ID) async throws -> SchedulePlan?
    {
        guard let schedule else { return nil }
        let rows = try await pool.query(
            """
            SELECT floor(extract(epoch FROM now()))::bigint, CASE WHEN \(schedule.isRecurringInLocalTime) THEN (
                SELECT occurrence::text FROM runs
                WHERE app_id = \(app) AND campaign_id = \(campaign) AND occurrence ->> 'kind' = 'local'
                ORDER BY id DESC LIMIT 1) END
            """)
        return try SchedulePlan(schedule, now: try rows[0][0], begun: try RuleColumns.occurrence(rows[0][1]))
    }
}

extension SchedulePlan {
    /// For a paused schedule: it starts nothing until it is resumed.
    var pausedAssignments: PostgresQuery {
        "handled_until = to_timestamp(\(Double(handledUntil))), next_check_at = NULL"
    }

    var assignments: PostgresQuery {
        """
        handled_until = to_timestamp(\(Double(handledUntil))),
            next_check_at = to_timestamp(\(nextExaminedAt.map { Double($0) }))
        """
    }
}
