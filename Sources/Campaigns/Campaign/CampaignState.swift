/// The state of a campaign. A recurring campaign stays scheduled, also while its schedule is paused; its runs have
/// states of their own.
public enum CampaignState: String, CaseIterable, Hashable, Sendable {
    case draft, scheduled, sending, paused, sent, cancelled, failed
}

/// A change of state by a person or the dispatcher.
public enum CampaignTransition: String, CaseIterable, Hashable, Sendable {
    case edit, schedule, unschedule, start, pause, resume, skip, cancel
    /// By the dispatcher: `finish` when planning is complete and no batch is open; `fail` before anything was sent.
    case finish, fail
}

extension CampaignState {
    /// The table of allowed transitions; nil where a transition is not allowed. `CampaignStatus` narrows it by the
    /// schedule.
    public func after(_ transition: CampaignTransition) -> CampaignState? {
        switch (self, transition) {
        case (.draft, .edit), (.failed, .edit): .draft
        case (.scheduled, .edit): .scheduled
        case (.draft, .schedule), (.scheduled, .schedule), (.failed, .schedule): .scheduled
        case (.scheduled, .unschedule): .draft
        case (.draft, .start), (.scheduled, .start), (.failed, .start): .sending
        case (.scheduled, .pause), (.scheduled, .resume), (.scheduled, .skip): .scheduled
        case (.sending, .pause): .paused
        case (.paused, .resume): .sending
        case (.scheduled, .cancel), (.sending, .cancel), (.paused, .cancel): .cancelled
        case (.sending, .finish), (.paused, .finish): .sent
        case (.draft, .fail), (.scheduled, .fail), (.sending, .fail): .failed
        default: nil
        }
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
        case .skip: "moved to its next occurrence"
        case .cancel: "cancelled"
        case .finish: "finished"
        case .fail: "marked as failed"
        }
    }
}
