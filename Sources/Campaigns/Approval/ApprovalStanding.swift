public import JSON

/// Whether a campaign may be sent as far as approvals go. The raw value is the API's.
public enum ApprovalStanding: String, CaseIterable, Hashable, Sendable {
    /// The app requires none for so many recipients.
    case notNeeded = "not_needed"
    case missing, waiting, approved
    /// Something else was approved: another schedule, or a segment has changed since.
    case changed
    /// The audience has grown too much since it was approved.
    case grown
    /// A campaign without a schedule was not started in time.
    case expired

    /// `above`: the number of recipients above which the app requires an approval; nil: never. `content` is that of now,
    /// and `now` in seconds since 1970. Of a campaign that is sent again and again, its audience is approved as a rule,
    /// so it may grow.
    public init(
        above: Int?, newest: Approval.Newest?, content: @autoclosure () throws -> JSON, recipients: Int,
        schedule: Schedule?, now: Int
    ) rethrows {
        guard let above, recipients > above else {
            self = .notNeeded
            return
        }
        guard let newest, newest.state == .waiting || newest.state == .approved else {
            self = .missing
            return
        }
        let isSame = try content() == newest.content
        if newest.state == .waiting {
            self = isSame ? .waiting : .missing
        } else if !isSame {
            self = .changed
        } else if schedule == nil, let decidedAt = newest.decidedAt, now - decidedAt > Approval.startsWithin {
            self = .expired
        } else if schedule?.isRepeated != true,
            recipients * 100 > newest.recipients * (100 + Approval.tolerableGrowth)
        {
            self = .grown
        } else {
            self = .approved
        }
    }

    /// Whether the campaign may be sent.
    public var allows: Bool { self == .notNeeded || self == .approved }

    /// What is missing, then what to do; for a person who starts the campaign, and as the reason of one that failed.
    public var reason: Message {
        switch self {
        case .notNeeded, .approved: ""
        case .missing: "The campaign needs the approval of a second person. Request it in the campaign's review."
        case .waiting:
            "The campaign waits for the approval of a second person. Send it after that, or withdraw the request."
        case .changed:
            """
            Something else was approved: the campaign would start at another time, or a segment of its audience has \
            changed. Request the approval again.
            """
        case .grown:
            """
            The audience has grown by more than \(Approval.tolerableGrowth) % since it was approved. Request the approval \
            again.
            """
        case .expired:
            "The campaign was not sent within 24 hours after its approval. Request the approval again."
        }
    }
}
