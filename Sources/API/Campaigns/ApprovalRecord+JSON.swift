import Administration
import Campaigns
import JSON
import Store

extension ApprovalRecord {
    /// Of the answer: a request is decided once, and may become void.
    var version: Int { 1 + (decidedAt == nil ? 0 : 1) + (voidedAt == nil ? 0 : 1) }

    private var shownState: String { isOverdue ? "overdue" : state.rawValue }

    /// As a member of its campaign: the same for everybody.
    var summary: [JSON.Member] {
        [
            JSON.Member("id", .id(id)), JSON.Member("state", .string(shownState)),
            JSON.Member("requested_at", .time(requestedAt)), JSON.Member("requested_by", .string(requester)),
            JSON.Member("decided_at", .time(decidedAt)), JSON.Member("decided_by", .text(decider)),
            JSON.Member("decision_comment", .text(decisionComment)),
        ]
    }

    func members(for caller: Caller) -> [JSON.Member] {
        let isOwn = requestedBy != nil && requestedBy == caller.person
        var isPerson = false
        if case .person = caller { isPerson = true }
        let mayDecide = isPerson && !isOwn && caller.grants.permissions(in: app).contains(.campaignsApprove)
        return [
            JSON.Member("id", .id(id)), JSON.Member("campaign_id", .id(campaign)),
            JSON.Member("campaign_name", .string(campaignName)),
            JSON.Member("state", .string(shownState)),
            JSON.Member("requested_at", .time(requestedAt)), JSON.Member("requested_by", .string(requester)),
            JSON.Member("is_own", .bool(isOwn)),
            JSON.Member("may_decide", .bool(mayDecide && state == .waiting && !isOverdue)),
            JSON.Member("comment", .string(comment)), JSON.Member("recipients", .count(recipients)),
            JSON.Member("overdue_at", .time(overdueAt)), JSON.Member("decided_at", .time(decidedAt)),
            JSON.Member("decided_by", .text(decider)), JSON.Member("decision_comment", .text(decisionComment)),
            JSON.Member("voided_at", .time(voidedAt)),
        ]
    }
}
