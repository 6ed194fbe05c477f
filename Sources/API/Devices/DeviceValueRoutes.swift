import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Store

/// The values that devices have, to complete conditions and placeholders while somebody writes them.
struct DeviceValueRoutes: RouteGroup {
    let apps: AppStore
    let values: DeviceValueStore

    func add(to routes: inout Routes) {
        routes.addForApp(.get, "/device-values", for: .permission(.devicesRead)) { [apps, values] call in
            let (devices, found) = try await values.sample(app: call.app)
            if devices == 0 { _ = try await apps.find(call.app) }
            func list(_ kind: DeviceValues.Kind) -> [JSON] { found.filter { $0.kind == kind }.map(\.json) }
            return .json([
                "devices": .count(devices), "fields": .array(list(.field)), "attributes": .array(list(.attribute)),
                "tags": .array(found.first { $0.kind == .tag }?.values.map(\.json) ?? []),
            ])
        }
    }
}

extension DeviceValues {
    fileprivate var json: JSON {
        [
            "name": .string(name), "type": .string(type), "count": .count(count),
            "values": .array(values.map(\.json)),
        ]
    }
}

extension DeviceValues.Value {
    fileprivate var json: JSON { ["value": .string(text), "count": .count(count)] }
}
