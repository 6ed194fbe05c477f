import Campaigns
import Postgres

/// When the starter looks at a campaign next, and from which occurrence on.
struct SchedulePlan {
    /// Local times are planned whole, before the first in the world is due: so many seconds before it. Ten million
    /// devices take less than a minute.
    static let lead = 600
    /// Seconds since 1970; the occurrences after it are to be started.
    let handledUntil: Int
    /// Nil for what is triggered, and for a rule that has ended.
    let nextLook: Int?

    /// For a schedule that begins to count now. `begun` is the last occurrence in local time that the campaign has a run
    /// of: it may lie ahead, and is not started again.
    init(_ schedule: Schedule, now: Int, begun: Occurrence?) throws(StoreRefusal) {
        switch schedule {
        case .at(let moment):
            guard moment >= now - MissedStart.tolerance else { throw .schedulePast }
            self.init(schedule, handledUntil: min(now, moment) - 1)
        case .local(let time, let ifPast):
            let occurrence = Occurrence.local(time, ifPast: ifPast)
            guard occurrence.last >= now else { throw .schedulePast }
            self.init(schedule, handledUntil: min(now, occurrence.first) - 1)
        case .recurring(let recurrence):
            self.init(schedule, handledUntil: recurrence.isLocal ? schedule.handled(by: now, begun: begun) : now)
            if nextLook == nil { throw .schedulePast }
        case .triggered: self.init(schedule, handledUntil: now)
        }
    }

    init(_ schedule: Schedule, handledUntil: Int) {
        self.handledUntil = handledUntil
        nextLook = schedule.next(after: handledUntil)?.planningStart(lead: schedule.lead)
    }

    var assignments: PostgresQuery {
        "handled_until = to_timestamp(\(Double(handledUntil))), send_at = to_timestamp(\(nextLook.map { Double($0) }))"
    }
}

extension Schedule {
    fileprivate var repeatsInLocalTime: Bool {
        if case .recurring(let recurrence) = self { recurrence.isLocal } else { false }
    }

    /// Of local times, one that somewhere is still ahead counts, unless it has begun.
    fileprivate func handled(by now: Int, begun: Occurrence?) -> Int {
        let earliest = max(now - Occurrence.span - 1, begun?.first ?? .min)
        guard let open = occurrences(after: earliest).first(where: { $0.last >= now }) else { return now }
        return max(min(now, open.first - 1), begun?.first ?? .min)
    }

    /// Seconds that a run begins before its first recipient is due.
    var lead: Int {
        switch self {
        case .local: SchedulePlan.lead
        case .recurring(let recurrence): recurrence.isLocal ? SchedulePlan.lead : 0
        case .at, .triggered: 0
        }
    }
}

extension Recurrence {
    fileprivate var isLocal: Bool { if case .recipient = clock { true } else { false } }
}

extension CampaignStore {
    /// Whether all of its schedule is past, so that it cannot be scheduled. False for what is scheduled already.
    public func isPast(_ campaign: CampaignRecord) async throws -> Bool {
        guard campaign.state.after(.unschedule) == nil else { return false }
        do {
            _ = try await schedulePlan(campaign.content.schedule, of: campaign.id, app: campaign.app)
            return false
        } catch StoreRefusal.schedulePast {
            return true
        }
    }

    /// On the database's clock. Nothing for no schedule.
    func schedulePlan(_ schedule: Schedule?, of campaign: Campaign.ID, app: App.ID) async throws -> SchedulePlan? {
        guard let schedule else { return nil }
        let rows = try await pool.query(
            """
            SELECT floor(extract(epoch FROM now()))::bigint, CASE WHEN \(schedule.repeatsInLocalTime) THEN (
                SELECT occurrence::text FROM runs
                WHERE app_id = \(app) AND campaign_id = \(campaign) AND occurrence ->> 'kind' = 'local'
                ORDER BY id DESC LIMIT 1) END
            """)
        return try SchedulePlan(schedule, now: try rows[0][0], begun: try StoredRules.occurrence(rows[0][1]))
    }
}
