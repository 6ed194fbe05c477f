public import Campaigns
public import Store

/// Answers the question "did a second person approve this?", by what the campaign would send now.
public struct ApprovalCheck: Sendable {
    private let approvals: ApprovalStore
    private let forecasts: ForecastStore

    public init(stores: Stores) {
        approvals = stores.approvals
        forecasts = stores.forecasts
    }

    /// The size of an audience for a decision about approvals: one that could not be counted in time needs an approval.
    public static func recipients(_ count: (matches: Int, isExact: Bool), above: Int?) -> Int {
        count.isExact || count.matches > 0 ? count.matches : (above ?? 0) + 1
    }

    /// `schedule` is the one by which the campaign starts; nil: now. `recipients` is the size of its audience, and
    /// `above` the app's setting.
    public func standing(
        of campaign: CampaignRecord, by schedule: Schedule?, to audience: ResolvedAudience, recipients: Int, above: Int?
    ) async throws -> ApprovalStanding {
        guard let above, recipients > above else { return .notNeeded }
        return try ApprovalStanding(
            above: above, newest: try await approvals.newest(of: campaign.id, app: campaign.app)?.newest,
            content: try Approval.content(campaign.content, by: schedule, to: audience), recipients: recipients,
            schedule: schedule, now: try await forecasts.now())
    }
}
