import Campaigns
import JSON
import Notifications
import Postgres

/// A campaign that is to start, as it was read, and what is decided about it. A value: `RunStartStore` does it.
struct DueCampaign {
    let id: Campaign.ID
    let app: App.ID
    let version: Int
    let state: CampaignState
    let runsStarted: Int
    let schedule: Schedule?
    /// Seconds since 1970.
    let handledUntil: Int?
    let missedStart: MissedStart
    let audience: Audience
    /// The database's clock.
    let now: Int
    /// The app's own, for words.
    let zone: String
    let hasCredential: Bool
    /// Seconds since 1970.
    let updatedAt: Int
    /// When the database was restored, or another server took over; nil for never. What was to start before may have
    /// been sent, and the ledger of it is lost.
    let restoredAt: Int?
    /// Of a run that has not ended.
    let openRun: Occurrence?

    enum Step: Equatable {
        /// For the last run to end, or for the next occurrence.
        case wait
        /// With a question, the run waits for a person's answer.
        case start(Occurrence, question: String?)
        /// This occurrence is left out, in words; the schedule goes on.
        case leaveOut(String)
        /// Nothing is sent, and somebody has to do something.
        case refuse(String)
    }

    /// The occurrence that is due, unless somebody has pressed the button.
    var due: DueOccurrence? {
        guard state == .scheduled, let schedule, let handledUntil else { return nil }
        return schedule.due(after: handledUntil, now: now, lead: schedule.lead)
    }

    /// `problem` is what is wrong with its content or audience, in words; `isEmpty` that nobody matches it.
    func step(problem: String?, isEmpty: Bool) -> Step {
        guard let occurrence = due?.occurrence ?? (state == .sending ? .byHand(schedule, at: now) : nil) else {
            return .wait
        }
        guard hasCredential else {
            return .refuse(
                """
                The app has no APNs key (.p8). Add one under its credentials, then \(repeats ? "schedule" : "start") the \
                campaign again.
                """)
        }
        if let problem { return .refuse(problem) }
        guard let due, let schedule else {
            if isEmpty { return .refuse(Self.nobody) }
            if isPast(occurrence) { return .refuse(Self.past) }
            return .start(occurrence, question: restored(since: updatedAt))
        }
        if isEmpty { return repeats ? .leaveOut(Self.nobody) : .refuse(Self.nobody) }
        switch missedStart.decision(on: due, of: schedule, now: now, openRun: openRun, zone: zone) {
        case .wait: return .wait
        case .start:
            let occurrence = late(occurrence)
            if isPast(occurrence) { return repeats ? .leaveOut(Self.past) : .refuse(Self.past) }
            return .start(occurrence, question: restored(since: occurrence.planningStart(lead: schedule.lead)))
        case .skip(let words): return repeats ? .leaveOut(words) : .refuse(words)
        case .ask(let question): return .start(late(occurrence), question: question)
        }
    }

    /// A local time that was missed all over the world, and is to be sent all the same, is sent at once.
    private func late(_ occurrence: Occurrence) -> Occurrence {
        guard case .local(let time, _) = occurrence, missedStart.isMissed(occurrence, now: now) else {
            return occurrence
        }
        return .local(time, ifPast: .send)
    }

    /// Whether the local time is past for everybody, and whom it is past for gets nothing.
    private func isPast(_ occurrence: Occurrence) -> Bool {
        guard case .local(_, .skip) = occurrence else { return false }
        return occurrence.last < now
    }

    /// The question when it may have started before the database was restored.
    private func restored(since moment: Int) -> String? {
        guard let restoredAt, moment <= restoredAt else { return nil }
        return """
            The database was restored from a backup, or another server took over, after this was to start. It may have been \
            sent, and the record of that be lost. Send it now, or leave it out?
            """
    }

    private static let past = """
        The local time is past everywhere in the world, and this campaign leaves out whom it is past for, so nothing was \
        sent. Set another time, or `if_past` to send at once.
        """
    private static let nobody = "Nobody matches the audience, so nothing was sent."

    /// Whether other occurrences may follow.
    var repeats: Bool { if case .recurring = schedule { true } else { false } }
}

extension DueCampaign {
    static let select: PostgresQuery = """
        SELECT c.id, c.app_id, c.version, c.state, c.runs_started, c.schedule::text,
            ceil(extract(epoch FROM c.handled_until))::bigint, c.grace_seconds, c.missed_policy, c.audience::text,
            floor(extract(epoch FROM now()))::bigint, a.default_time_zone,
            EXISTS (SELECT FROM credentials WHERE app_id = c.app_id),
            floor(extract(epoch FROM c.updated_at))::bigint, ceil(extract(epoch FROM \(DatabaseIdentity.movedAt)))::bigint,
            (SELECT coalesce(r.occurrence, '{"kind": "at", "at": "1970-01-01T00:00:00Z"}')::text FROM runs r
                WHERE r.app_id = c.app_id AND r.campaign_id = c.id AND r.finished_at IS NULL ORDER BY r.id LIMIT 1)
        FROM campaigns c JOIN apps a ON a.id = c.app_id
        WHERE c.state = 'scheduled' AND c.send_at <= now() OR c.state = 'sending' AND c.runs_started = 0
        """

    init(_ row: PostgresRow) throws {
        id = try row[0]
        app = try row[1]
        version = try row[2]
        state = try row[3]
        runsStarted = try row[4]
        schedule = try StoredRules.schedule(row[5])
        handledUntil = try row[6]
        missedStart = MissedStart(grace: try row[7], policy: try row[8])
        audience = try Audience(json: try JSON(parsing: try row[9, as: String.self]))
        now = try row[10]
        zone = try row[11]
        hasCredential = try row[12]
        updatedAt = try row[13]
        restoredAt = try row[14]
        openRun = try StoredRules.occurrence(row[15])
    }

    /// Whether it still stands as it was read.
    var isUnchanged: PostgresQuery {
        """
        app_id = \(app) AND id = \(id) AND version = \(version) AND state = \(state) AND runs_started = \(runsStarted)
            AND ceil(extract(epoch FROM handled_until))::bigint IS NOT DISTINCT FROM \(handledUntil)
        """
    }
}
