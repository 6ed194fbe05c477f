import JSON

/// The values that decide which transitions a campaign allows: more than its state.
public struct CampaignStatus: Hashable, Sendable {
    public let state: CampaignState
    public let schedule: Schedule?
    public let isSchedulePaused: Bool
    /// A start by hand takes effect in a few seconds.
    public let isStarting: Bool

    public init(
        _ state: CampaignState, schedule: Schedule? = nil, isSchedulePaused: Bool = false, isStarting: Bool = false
    ) {
        self.state = state
        self.schedule = schedule
        self.isSchedulePaused = isSchedulePaused
        self.isStarting = isStarting
    }

    /// The state for people: a campaign whose schedule is paused is paused.
    public var name: String { isSchedulePaused ? CampaignState.paused.rawValue : state.rawValue }

    /// Nil where the transition is not allowed.
    public func after(_ transition: CampaignTransition) -> CampaignState? {
        guard let next = state.after(transition) else { return nil }
        switch (state, transition) {
        // The start was checked for the content and the schedule as they are.
        case (_, .edit) where isStarting, (_, .schedule) where isStarting: return nil
        // Starting by hand would end the schedule.
        case (_, .start) where repeats: return nil
        case (.scheduled, .pause): return repeats && !isSchedulePaused ? next : nil
        case (.scheduled, .resume): return isSchedulePaused ? next : nil
        case (.scheduled, .skip): return isRecurring && !isSchedulePaused ? next : nil
        default: return next
        }
    }

    /// The transitions that a person can start now. Scheduling needs a schedule.
    public var actions: [CampaignTransition] {
        CampaignTransition.allCases.filter { $0 != .finish && $0 != .fail && after($0) != nil }
    }

    public func applying(_ transition: CampaignTransition) throws(Refusal) -> CampaignState {
        guard let next = after(transition) else { throw Refusal.notAllowed(transition, to: self) }
        return next
    }

    private var isRecurring: Bool { if case .recurring = schedule { true } else { false } }
    private var repeats: Bool { isRecurring || schedule == .triggered }
}

extension Refusal {
    /// A transition that the campaign does not allow, with those that it does allow.
    public static func notAllowed(_ transition: CampaignTransition, to status: CampaignStatus) -> Refusal {
        if status.isStarting {
            return .campaignStarting(transition.pastParticiple)
        }
        if transition == .start, status.state.after(.start) != nil {
            return status.schedule == .triggered ? .isTriggered(status.state) : .isRecurring(status.state)
        }
        let rest: Message =
            status.actions.isEmpty
            ? "Its state is final; make a copy to send again."
            : "Allowed now: \(status.actions.map(\.rawValue).list)."
        return .campaignCannot(transition.pastParticiple, in: status.name, rest)
    }
}
