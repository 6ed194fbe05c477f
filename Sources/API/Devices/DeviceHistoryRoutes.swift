import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Store

/// The pushes of one device.
struct DeviceHistoryRoutes: RouteGroup {
    let devices: DeviceStore
    let history: DeviceHistoryStore

    func add(to routes: inout Routes) {
        routes.addForApp(
            .get, "/devices/{installation}/deliveries", for: .permission(.devicesRead),
            query: Paging.parameters + DeviceRoutes.addressParameters
        ) { [devices, history] call in
            let page: Page<Batch.ID> = try Paging.page(call.request)
            guard let device = try await devices.device(app: call.app, call.deviceAddress) else {
                throw Refusal.notFound(.device)
            }
            let list = try await history.deliveries(
                of: device.id, app: call.app, before: page.cursor?.rawValue, limit: page.limit)
            return Paging.response(list, limit: page.limit, id: { Batch.ID(rawValue: $0.batch) }, json: \.json)
        }
    }
}

extension DeviceDelivery {
    fileprivate var json: JSON {
        [
            "campaign_id": campaign.map { .id($0) } ?? .null, "campaign_name": .text(campaignName),
            "run_id": run.map { .id($0) } ?? .null,
            "outcome": .string(outcome.rawValue), "reason": .text(reason), "was_deferred": .bool(wasDeferred),
            "due_at": .time(dueAt), "delivered_at": .time(deliveredAt), "opened_at": .time(openedAt),
        ]
    }
}
