import Campaigns
import Postgres

/// When the starter looks at a campaign next, and from which occurrence on.
struct SchedulePlan {
    /// Local times are planned whole, before the first in the world is due: so many seconds before it. Ten million
    /// devices take less than a minute.
    static let lead = 600
    /// How far in the past a moment may lie: people take their time over a form.
    static let pastTolerance = 60

    /// Seconds since 1970; the occurrences after it are to be started.
    let handledUntil: Int
    /// Nil for what is triggered, and for a rule that has ended.
    let nextLook: Int?

    /// For a schedule that begins to count now.
    init(_ schedule: Schedule, now: Int) throws(StoreRefusal) {
        switch schedule {
        case .at(let moment):
            guard moment >= now - Self.pastTolerance else { throw .schedulePast }
            self.init(schedule, handledUntil: min(now, moment) - 1)
        case .local(let time, let ifPast):
            let occurrence = Occurrence.local(time, ifPast: ifPast)
            guard occurrence.last >= now else { throw .schedulePast }
            self.init(schedule, handledUntil: min(now, occurrence.first) - 1)
        case .recurring:
            self.init(schedule, handledUntil: now)
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
    /// On the database's clock. Nothing for no schedule.
    func schedulePlan(_ schedule: Schedule?) async throws -> SchedulePlan? {
        guard let schedule else { return nil }
        let rows = try await pool.query("SELECT floor(extract(epoch FROM now()))::bigint")
        return try SchedulePlan(schedule, now: try rows[0][0])
    }
}
