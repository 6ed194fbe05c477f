/// Where a campaign stands. A recurring campaign stays scheduled; its runs carry the rest.
public enum CampaignState: String, CaseIterable, Hashable, Sendable {
    case draft, scheduled, sending, paused, sent, cancelled, failed
}

/// What people, or the dispatcher, do to a campaign.
public enum CampaignMove: String, CaseIterable, Hashable, Sendable {
    case edit, schedule, unschedule, start, pause, resume, cancel
    /// The dispatcher's: planned to the end and no batch open; refused before anything was sent.
    case finish, fail
}

extension Refusal {
    /// A move that the campaign's state does not allow, with the moves that it does allow.
    public static func notAllowed(_ move: CampaignMove, from state: CampaignState) -> Refusal {
        let allowed = CampaignMove.allCases.filter { state.after($0) != nil && $0 != .finish && $0 != .fail }
        let rest =
            allowed.isEmpty
            ? "Nothing more can be done with it; make a copy to send again."
            : "Allowed now: \(allowed.map(\.rawValue).joined(separator: ", "))."
        let runs =
            state == .scheduled && (move == .pause || move == .resume)
            ? " Its runs are paused and resumed one by one." : ""
        return Refusal(
            .conflict, "transition-not-allowed",
            "A campaign that is \(state.rawValue) can't be \(move.pastParticiple).\(runs) \(rest)")
    }
}

extension CampaignState {
    /// The one table of allowed moves; nil where a move is not allowed.
    public func after(_ move: CampaignMove) -> CampaignState? {
        switch (self, move) {
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

    public func applying(_ move: CampaignMove) throws(Refusal) -> CampaignState {
        guard let next = after(move) else { throw Refusal.notAllowed(move, from: self) }
        return next
    }
}

extension CampaignMove {
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
