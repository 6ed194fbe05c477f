import Campaigns
import HTTPServer
import HTTPTypes
import Notifications
import Store

/// What became of it.
struct RunRoutes: RouteGroup {
    let campaigns: CampaignStore
    let runs: RunStore

    func add(to routes: inout Routes) {
        routes.addForApp(.get, "/campaigns/{campaign}/runs", for: .secret(.campaignsRead)) { [campaigns, runs] call in
            let page: Page<Run.ID> = try Paging.page(call.request)
            let campaign: Campaign.ID = try call.id("campaign", .campaign)
            let list = try await runs.list(campaign: campaign, app: call.app, before: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await campaigns.find(campaign, app: call.app) }
            return Paging.response(list, limit: page.limit, id: \.id) { .object($0.members) }
        }
        routes.addForApp(.get, "/runs/{run}", for: .secret(.campaignsRead)) { [runs] call in
            let run = try await runs.find(call.id("run", .run), app: call.app)
            return .json(run.json(reasons: try await runs.reasons(run.id)))
        }
        routes.addForApp(.get, "/runs/{run}/deliveries", for: .secret(.campaignsRead)) { [runs] call in
            let page = try Paging.page(call.request, more: ["kind", "reason"], DeliveryPosition.init(cursor:))
            let kind = try Self.kind(call.request)
            let run = try await runs.find(call.id("run", .run), app: call.app)
            let deliveries = try await runs.deliveries(
                run.id, app: call.app, kind: kind, reason: call.request.queryItems["reason"], from: page.cursor,
                limit: page.limit)
            return Paging.response(deliveries.deliveries.map(\.json), next: deliveries.next?.cursor)
        }
    }

    private static func kind(_ request: Request) throws(Refusal) -> OutcomeKind? {
        guard let text = request.queryItems["kind"] else { return nil }
        guard let kind = OutcomeKind(rawValue: text) else {
            let kinds = OutcomeKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badRequest("invalid-kind", "The kind must be one of \(kinds).", field: "kind")
        }
        return kind
    }
}

extension RunRecord {
    /// The run and its ledger, without the reasons.
    var members: [JSON.Member] {
        var members: [JSON.Member] = [
            JSON.Member("id", .id(id)), JSON.Member("app_id", .id(app)), JSON.Member("campaign_id", .id(campaign)),
            JSON.Member("state", .string(state.rawValue)), JSON.Member("reason", .text(reason)),
            JSON.Member("started_at", .time(startedAt)), JSON.Member("planned_at", .time(plannedAt)),
            JSON.Member("finished_at", .time(finishedAt)), JSON.Member("verified_at", .time(verifiedAt)),
            JSON.Member("expires_at", .time(expiresAt)), JSON.Member("estimated", .count(estimated)),
            JSON.Member("targeted", .count(targeted)),
        ]
        members += OutcomeKind.allCases.map { JSON.Member($0.rawValue, .count(ledger[$0])) }
        members.append(JSON.Member("resent", .count(ledger.resent)))
        members.append(JSON.Member("balanced", .bool(isBalanced)))
        return members
    }

    func json(reasons: [ReasonCount]) -> JSON {
        let reasons = reasons.map { count in
            [
                "kind": .string(count.reason.kind.rawValue), "reason": .string(count.reason.reason),
                "count": .count(count.count),
            ] as JSON
        }
        return .object(members + [JSON.Member("reasons", .array(reasons))])
    }
}

extension DeliveryPosition {
    fileprivate var cursor: String { "\(batch).\(index)" }

    fileprivate init?(cursor: String) {
        let parts = cursor.split(separator: ".")
        guard parts.count == 2, let batch = Int64(parts[0]), let index = Int(parts[1]), batch >= 0, index >= 0,
            index <= Batch.maximumSize
        else { return nil }
        self.init(batch: batch, index: index)
    }
}

extension Delivery {
    fileprivate var json: JSON {
        [
            "device_id": .id(device), "installation": .text(installation), "user_id": .text(userID),
            "kind": .string(outcome.kind.rawValue), "reason": .text(outcome.reason.isEmpty ? nil : outcome.reason),
            "resent": .bool(isResent),
        ]
    }
}
