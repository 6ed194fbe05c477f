public import Campaigns
public import JSON
public import Postgres

/// A request to approve a campaign, as it is stored.
public struct ApprovalRecord: Equatable, Sendable {
    public let id: Approval.ID
    public let app: App.ID
    public let campaign: Campaign.ID
    public let campaignName: String
    public let requestedAt: Timestamp
    /// The person who asked, or who created the API key that did; nil for a key of the console.
    public let requestedBy: User.ID?
    /// The name of the person or the key.
    public let requester: String
    public let comment: String
    /// The size of the audience when it was requested.
    public let recipients: Int
    /// `Approval.content`.
    public let content: JSON
    public let state: Approval.State
    /// The time of the campaign has passed while it waited.
    public let isOverdue: Bool
    public let overdueAt: Timestamp?
    public let decidedAt: Timestamp?
    /// The name of the person.
    public let decider: String?
    public let decisionComment: String?
    public let voidedAt: Timestamp?

    public var newest: Approval.Newest {
        Approval.Newest(
            state: state, decidedAt: decidedAt.map { Int($0.secondsSince1970) }, recipients: recipients,
            content: content)
    }
}

extension ApprovalRecord {
    /// Of `approvals p` and its campaign `c`.
    static let columns: PostgresQuery = """
        p.id, p.app_id, p.campaign_id, c.name AS campaign_name, p.requested_at, p.requested_by, p.requester, p.comment,
        p.recipients, p.content::text, p.state, p.state = 'waiting' AND p.overdue_at <= now() AS is_overdue,
        p.overdue_at, p.decided_at, p.decider, p.decision_comment, p.voided_at
        """

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        app = try row["app_id"]
        campaign = try row["campaign_id"]
        campaignName = try row["campaign_name"]
        requestedAt = try row["requested_at"]
        requestedBy = try row["requested_by"]
        requester = try row["requester"]
        comment = try row["comment"]
        recipients = try row["recipients"]
        content = try JSON(parsing: try row["content", as: String.self])
        state = try row["state"]
        isOverdue = try row["is_overdue"] ?? false
        overdueAt = try row["overdue_at"]
        decidedAt = try row["decided_at"]
        decider = try row["decider"]
        decisionComment = try row["decision_comment"]
        voidedAt = try row["voided_at"]
    }
}

extension Approval.State: PostgresEncodable, PostgresDecodable {}
