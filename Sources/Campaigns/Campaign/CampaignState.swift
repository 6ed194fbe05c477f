/// The state of a campaign. A recurring campaign stays scheduled; its runs have states of their own.
public enum CampaignState: String, CaseIterable, Hashable, Sendable {
    case draft, scheduled, sending, paused, sent, cancelled, failed
}

/// A change of state by a person or the dispatcher.
public enum CampaignTransition: String, CaseIterable, Hashable, Sendable {
    case edit, schedule, unschedule, start, pause, resume, cancel
    /// By the dispatcher: `finish` when planning is complete and no batch is open; `fail` before anything was sent.
    case finish, fail
}

extension Refusal {
    /// A transition that the campaign's state does not allow, with the transitions that it does allow.
    public static func notAllowed(_ transition: CampaignTransition, from state: CampaignState) -> Refusal {
        let allowed = CampaignTransition.allCases.filter { state.after($0) != nil && $0 != .finish && $0 != .fail }
        let rest =
            allowed.isEmpty
            ? "Its state is final; make a copy to send again."
            : "Allowed now: \(allowed.map(\.rawValue).joined(separator: ", "))."
        let runs =
            state == .scheduled && (transition == .pause || transition == .resume)
            ? " Pause or resume its runs one by one." : ""
        return Refusal(
            .conflict, "transition-not-allowed",
            "A campaign that is \(state.rawValue) can't be \(transition.pastParticiple).\(runs) \(rest)")
    }
}

extension CampaignState {
    /// The only table of allowed transitions; nil where a transition is not allowed.
    public func after(_ transition: CampaignTransition) -> CampaignState? {
        switch (self, transition) {
        case (.draft, .edit), (.failed, .edit): .draft
        case (.scheduled, .edit): .scheduled
        case (.draft, .schedule), (.scheduled, .schedule), (.failed, .schedule): .scheduled
        case (.scheduled, .unschedule): .draft
        case (.draft, .start), (.scheduled, .start), (.failed, .start): .sending
        case (.sending, .pause): .paused
        case (.paused, .resume): .sending
        case (.scheduled, .cancel), (.sending, .cancel), (.paused, .cancel): .cancelled
        case (.sending, .finish), (.paused, .finish): .sent
        case (.draft, .fail), (.scheduled, .fail), (.sending, .fail): .failed
        default: nil
        }
    }

    public func applying(_ transition: CampaignTransition) throws(Refusal) -> CampaignState {
        guard let next = after(transition) else { throw Refusal.notAllowed(transition, from: self) }
        return next
    }
}

extension CampaignTransition {
    var pastParticiple: String {
        switch self {
        case .edit: "edited"
        case .schedule: "scheduled"
        case .unschedule: "unscheduled"
        case .start: "started"
        case .pause: "paused"
        case .resume: "resumed"
        case .cancel: "cancelled"
        case .finish: "finished"
        case .fail: "marked as failed"
        }
    }
}
