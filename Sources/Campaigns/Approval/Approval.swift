public import JSON

/// A request to approve a campaign as it is: by a second person, before it is sent.
public enum Approval {
    public typealias ID = Identifier<Approval>

    /// Characters.
    public static let maximumCommentLength = 1_000
    /// The time in which an approved campaign without a schedule is started, in seconds.
    public static let startsWithin = 86_400
    /// The growth of the audience, as a percentage, after which a campaign that is sent once needs another approval.
    public static let tolerableGrowth = 10

    /// The raw value is the database's and the API's.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case waiting, approved, rejected, withdrawn
        /// The campaign was changed, or the approval was requested anew.
        case void
    }

    /// The request of a campaign that was made last.
    public struct Newest: Equatable, Sendable {
        public let state: State
        /// Seconds since 1970.
        public let decidedAt: Int?
        public let recipients: Int
        public let content: JSON

        public init(state: State, decidedAt: Int?, recipients: Int, content: JSON) {
            self.state = state
            self.decidedAt = decidedAt
            self.recipients = recipients
            self.content = content
        }
    }

    /// What is approved: the content of a campaign that starts by `schedule`, or now, and the audience with its segments
    /// resolved. The name is not sent, so it may change.
    public static func content(
        _ campaign: CampaignContent, by schedule: Schedule?, to audience: ResolvedAudience
    ) throws -> JSON {
        var campaign = campaign
        campaign.options.schedule = schedule
        return .object(try campaign.members() + [JSON.Member("resolved_audience", audience.json)])
    }
}
