import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Store

/// The periods of an app's global control group: what all campaigns together have caused.
struct ControlPeriodRoutes: RouteGroup {
    let apps: AppStore
    let periods: ControlPeriodStore

    func add(to routes: inout Routes) {
        routes.addForApp(
            .get, "/control-periods", for: .permission(.campaignsRead), query: Paging.parameters
        ) { call in
            let page: Page<ControlPeriod.ID> = try Paging.page(call.request)
            let list = try await periods.list(app: call.app, before: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            return Paging.response(list, page, id: \.id, json: \.json)
        }
    }
}

extension ControlPeriodRecord {
    fileprivate var json: JSON {
        [
            "id": .id(id), "starts_at": .time(startsAt), "ends_at": .time(endsAt), "counts_from_at": .time(countsFrom),
            "effect": EffectReport(counts, share: share).json(share: share, isCounted: countedAt != nil),
        ]
    }
}
