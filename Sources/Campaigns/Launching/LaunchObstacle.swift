public import JSON

/// A reason why a campaign may not start now.
public enum LaunchObstacle: Error, Equatable, Sendable {
    case archived
    case noCredential
    /// Errors of the content, by the campaign's members: settings of the app, a template or its media may have changed
    /// since the campaign was saved.
    case content([Problem])
    /// The stored content can't be read any more, with the error.
    case unreadable(Message)
    /// Errors of the audience: a segment may be gone.
    case audience([Problem])
    case audienceEmpty
    case schedulePast
    /// A second person has to approve it.
    case notApproved(ApprovalStanding)

    /// As an answer to a person who starts the campaign.
    public var error: any Error {
        switch self {
        case .archived: Refusal.campaignArchived
        case .noCredential: Refusal.noCredential
        case .content(let problems), .audience(let problems): Problems(problems)
        case .unreadable(let reason): Problems([.error("payload", "unreadable", "can't be read: \(reason)")])
        case .audienceEmpty: Refusal.audienceEmpty
        case .schedulePast: Refusal.schedulePast
        case .notApproved(let standing): Refusal.notApproved(standing)
        }
    }

    /// As problems in a forecast, by the campaign's members.
    public var problems: [Problem] {
        switch self {
        case .archived:
            [.error("", "campaign-archived", "the campaign is archived: take it out of the archive")]
        case .noCredential:
            [.error("", "no-credential", "the app has no APNs key (.p8): add one to its credentials")]
        case .content(let problems), .audience(let problems): problems
        case .unreadable(let reason): [.error("payload", "unreadable", "can't be read: \(reason)")]
        case .audienceEmpty: [.error("audience", "audience-empty", "matches no device")]
        case .schedulePast:
            [.error("schedule", "schedule-past", "is entirely in the past, so the campaign can't be scheduled")]
        case .notApproved(let standing): [.error("", "not-approved", standing.reason)]
        }
    }

    /// As the reason of a scheduled campaign that failed, or of an occurrence that was skipped.
    public var reason: Message {
        switch self {
        case .archived: "The campaign is archived."
        case .noCredential: "The app has no APNs key (.p8). Add one to its credentials."
        case .content(let problems): "The content can't be sent as it is: \(Self.sentences(problems))"
        case .unreadable(let reason): "The content can't be read: \(reason)"
        case .audience(let problems): "The audience could not be evaluated: \(Self.sentences(problems))"
        case .notApproved(let standing): standing.reason
        case .audienceEmpty: "No device matches the audience, so nothing was sent."
        case .schedulePast:
            """
            The local time is past everywhere in the world, and this campaign skips recipients for whom it is past, so \
            nothing was sent. Set another time, or set `if_past` to send immediately.
            """
        }
    }

    private static func sentences(_ problems: [Problem]) -> Message {
        .sentences(problems.map(\.sentence))
    }
}
