import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

private enum RunOrder: String, CaseIterable {
    case newest, oldest
}

/// Routes for runs: their ledgers, state changes and rate limit.
struct RunRoutes: RouteGroup {
    let apps: AppStore
    let campaigns: CampaignStore
    let runs: RunStore
    let reports: RunReports

    func add(to routes: inout Routes) {
        routes.addForApp(.get, "/campaigns/{campaign}/runs", for: .permission(.campaignsRead), query: Paging.parameters)
        {
            [campaigns, runs] call in
            let page: Page<Run.ID> = try Paging.page(call.request)
            let campaign: Campaign.ID = try call.id("campaign", .campaign)
            let list = try await runs.list(campaign: campaign, app: call.app, before: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await campaigns.find(campaign, app: call.app) }
            return Paging.response(list, page, id: \.id) { .object($0.members) }
        }
        routes.addForApp(
            .get, "/runs", for: .permission(.campaignsRead),
            query: Paging.parameters + ["state", "since", "until", "sort"]
        ) { [apps, runs] call in
            let page: Page<Run.ID> = try Paging.page(call.request)
            let list = try await runs.list(
                app: call.app, state: try call.request.runState, since: try call.request.time("since"),
                until: try call.request.time("until"),
                oldestFirst: try call.request.choice("sort", otherwise: RunOrder.newest) == .oldest,
                after: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            return Paging.response(list, page, id: \.id) { .object($0.members) }
        }
        routes.addForApp(.get, "/runs/{run}", for: .permission(.campaignsRead)) { [reports] call in
            let report = try await reports.report(call.id("run", .run), app: call.app)
            return .json(report.json(), version: report.run.version)
        }
        for transition in RunTransition.allCases {
            routes.addForApp(.post, "/runs/{run}/\(transition.rawValue)", for: .permission(.campaignsSend)) {
                [runs] call in
                try await ObjectReader.refuseBody(call.request)
                let run = try await runs.transition(
                    call.id("run", .run), app: call.app, by: transition, expectedVersion: call.expectedVersion)
                return .json(.object(run.members), version: run.version)
            }
        }
        routes.addForApp(.patch, "/runs/{run}", for: .permission(.campaignsSend)) { [runs] call in
            var body = try await ObjectReader(call.request)
            let isUnlimited = body.takeNull("pushes_per_second")
            if !isUnlimited { body.require("pushes_per_second") }
            let pushesPerSecond = body.whole("pushes_per_second", in: 1...CampaignOptions.maximumPushesPerSecond)
            try body.finish()
            let run = try await runs.setRateLimit(
                call.id("run", .run), app: call.app, to: pushesPerSecond, expectedVersion: call.expectedVersion)
            return .json(.object(run.members), version: run.version)
        }
    }
}

extension Request {
    /// The requested state of runs; nil if the parameter is absent.
    fileprivate var runState: String? {
        get throws(APIError) {
            guard let text = queryItems["state"] else { return nil }
            let states = RunRecord.State.allCases.map(\.rawValue) + [RunRecord.waiting]
            if states.contains(text) { return text }
            throw .invalidState(states.joined(separator: ", "))
        }
    }
}
