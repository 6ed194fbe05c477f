public import JSON

/// A campaign that is due to start, as it was read, and the decision about it. Pure: `CampaignStarter` acts on it.
/// Docs/decisions/planning.md explains why a question is a paused run.
public struct DueCampaign: Sendable {
    public let id: Campaign.ID
    public let app: App.ID
    public let version: Int
    public let state: CampaignState
    public let runsStarted: Int
    public let schedule: Schedule?
    /// Seconds since 1970.
    public let handledUntil: Int?
    /// Started by a person, immediately or with a delay that is over; otherwise by its schedule.
    public let isStartedByHand: Bool
    public let missedStart: MissedStart
    /// The database's clock, in seconds since 1970.
    public let now: Int
    /// The app's time zone, for messages.
    public let zone: String
    /// Seconds since 1970.
    public let updatedAt: Int
    /// When the database was restored, or another server took over; nil for never. A campaign that was to start before
    /// may have been sent, and the ledger of it may be lost.
    public let restoredAt: Int?
    /// The occurrence of a run that has not ended.
    public let openRun: Occurrence?

    public var key: Campaign.Key { Campaign.Key(app: app, id: id) }

    public init(
        id: Campaign.ID, app: App.ID, version: Int, state: CampaignState, runsStarted: Int, schedule: Schedule?,
        handledUntil: Int?, isStartedByHand: Bool, missedStart: MissedStart, now: Int, zone: String, updatedAt: Int,
        restoredAt: Int?, openRun: Occurrence?
    ) {
        self.id = id
        self.app = app
        self.version = version
        self.state = state
        self.runsStarted = runsStarted
        self.schedule = schedule
        self.handledUntil = handledUntil
        self.isStartedByHand = isStartedByHand
        self.missedStart = missedStart
        self.now = now
        self.zone = zone
        self.updatedAt = updatedAt
        self.restoredAt = restoredAt
        self.openRun = openRun
    }

    public enum Step: Equatable, Sendable {
        /// Check again later: the last run has not ended, or the next occurrence is not due.
        case wait
        /// With a question, the run waits for a person's answer.
        case start(Occurrence, question: Message?)
        /// Skip this occurrence for the reason given; the schedule goes on.
        case skip(Message)
        /// Send nothing, for the reason given: somebody has to act.
        case fail(Message)
    }

    /// The occurrence that is due by the schedule; nil when the campaign was started by hand.
    public var due: DueOccurrence? {
        guard !isStartedByHand, let schedule, let handledUntil else { return nil }
        return schedule.due(after: handledUntil, now: now, lead: schedule.lead)
    }

    /// Whether other occurrences may follow.
    public var isRecurring: Bool { if case .recurring = schedule { true } else { false } }

    /// `obstacle` is what keeps the campaign from starting, if it was checked already.
    public func step(_ obstacle: LaunchObstacle?) -> Step {
        guard let occurrence = due?.occurrence ?? (isStartedByHand ? .manual(schedule, at: now) : nil) else {
            return .wait
        }
        switch obstacle {
        case nil: break
        case .audienceEmpty, .schedulePast: return skipOrFail(obstacle)
        case .noCredential:
            let reason = LaunchObstacle.noCredential.reason
            return .fail(
                isRecurring
                    ? "\(reason) Then schedule the campaign again." : "\(reason) Then start the campaign again.")
        case .archived, .content, .unreadable, .audience, .notApproved: return .fail(obstacle?.reason ?? "")
        }
        guard let due, let schedule else {
            if isPast(occurrence) { return .fail(LaunchObstacle.schedulePast.reason) }
            return .start(occurrence, question: restored(since: updatedAt))
        }
        switch missedStart.decision(on: due, of: schedule, now: now, openRun: openRun, zone: zone) {
        case .wait: return .wait
        case .start:
            let occurrence = overdue(occurrence)
            if isPast(occurrence) { return skipOrFail(.schedulePast) }
            return .start(occurrence, question: restored(since: occurrence.planningStart(lead: schedule.lead)))
        case .skip(let reason): return isRecurring ? .skip(reason) : .fail(reason)
        case .ask(let question): return .start(overdue(occurrence), question: question)
        }
    }

    private func skipOrFail(_ obstacle: LaunchObstacle?) -> Step {
        let reason = obstacle?.reason ?? ""
        return isRecurring && due != nil ? .skip(reason) : .fail(reason)
    }

    /// A local time that was missed all over the world, and is to be sent all the same, is sent immediately.
    private func overdue(_ occurrence: Occurrence) -> Occurrence {
        guard case .local(let time, _, let until) = occurrence, missedStart.isMissed(occurrence, now: now) else {
            return occurrence
        }
        return .local(time, ifPast: .send, until: until)
    }

    /// Whether the local time is past for everybody, and recipients for whom it is past are skipped.
    private func isPast(_ occurrence: Occurrence) -> Bool {
        guard case .local(_, .skip, _) = occurrence else { return false }
        return occurrence.last < now
    }

    /// The question when the campaign may have started before the database was restored.
    private func restored(since moment: Int) -> Message? {
        guard let restoredAt, moment <= restoredAt else { return nil }
        return """
            The database was restored from a backup, or another server took over, after this was to start. It may have been \
            sent, and the record of that may be lost. Send it now, or skip it?
            """
    }
}
