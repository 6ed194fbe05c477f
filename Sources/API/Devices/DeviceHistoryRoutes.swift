import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Postgres
import Store

/// The pushes to a device, and to a person on all of their devices.
struct DeviceHistoryRoutes: RouteGroup {
    let apps: AppStore
    let devices: DeviceStore
    let history: DeviceHistoryStore

    func add(to routes: inout Routes) {
        routes.addForApp(
            .get, "/devices/{installation}/deliveries", for: .permission(.devicesRead),
            query: Paging.parameters + DeviceRoutes.addressParameters
        ) { [devices, history] call in
            let page = try Paging.page(call.request, DeviceHistoryPosition.init(cursor:))
            let device = try await call.device(in: devices)
            let found = try await history.deliveries(
                of: device.id, app: call.app, before: page.cursor, limit: page.limit)
            return Self.response(found, page, call)
        }
        routes.addForApp(
            .get, "/people/{user_id}/deliveries", for: .permission(.devicesRead), query: Paging.parameters
        ) { [apps, history] call in
            let page = try Paging.page(call.request, DeviceHistoryPosition.init(cursor:))
            let found = try await history.deliveries(
                of: call.userID, app: call.app, before: page.cursor, limit: page.limit)
            if found.deliveries.isEmpty { _ = try await apps.find(call.app) }
            return Self.response(found, page, call)
        }
    }

    private static func response(
        _ found: DeviceHistoryPage, _ page: Page<DeviceHistoryPosition>, _ call: AppCall
    ) -> Response {
        let names = call.installationNames
        return Paging.response(found.deliveries.map { $0.json(names) }, page, next: found.next?.cursor)
    }
}

extension DeviceHistoryPosition {
    fileprivate var cursor: String { "\(runs.number).\(runs.device).\(pushes.number).\(pushes.device)" }

    fileprivate init?(cursor: String) {
        let numbers = cursor.split(separator: ".", omittingEmptySubsequences: false).compactMap { Int64($0) }
        guard numbers.count == 4, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        self.init(
            runs: Place(number: numbers[0], device: Device.ID(rawValue: numbers[1])),
            pushes: Place(number: numbers[2], device: Device.ID(rawValue: numbers[3])))
    }
}

extension DeviceDelivery {
    func json(_ names: InstallationNames) -> JSON {
        [
            "device_id": .id(device), "installation": .text(names.name(installation, of: device)),
            "campaign_id": campaign.map { .id($0) } ?? .null, "campaign_name": .text(campaignName),
            "run_id": run.map { .id($0) } ?? .null, "message_number": .string(messageNumber.description),
            "outcome": .string(outcome.rawValue), "reason": .text(reason?.isEmpty == true ? nil : reason),
            "apple": (lastAnswer?.answer ?? AppleAnswer(outcome, reason: reason ?? ""))?.json ?? .null,
            "is_resent": .bool(isResent),
            "was_deferred": .bool(wasDeferred), "due_at": .time(dueAt), "ended_at": .time(endedAt),
            "locale": .text(profile.locale), "os_version": .text(profile.osVersion),
            "app_version": .text(profile.appVersion), "delivered_at": .time(first(.delivered)),
            "opened_at": .time(first(.opened)),
            "events": .array(events.map(\.json)),
        ]
    }

    private func first(_ kind: EventKind) -> Timestamp? { events.first { $0.kind == kind }?.happenedAt }
}

extension DeviceDelivery.Event {
    var json: JSON {
        [
            "kind": .string(kind.name), "action": .text(action.isEmpty ? nil : action), "text": .text(text),
            "value": value.map { .decimal($0) } ?? .null, "at": .time(happenedAt), "is_implied": .bool(isImplied),
        ]
    }
}
