import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import Store

extension DeviceRoutes {
    /// The number of devices that one query reads.
    private static let exportStep = 1_000

    /// Exports all live devices as a file. It is not a snapshot: a device that changes meanwhile is written once, in
    /// its old or its new state.
    func addExport(to routes: inout Routes) {
        routes.addForApp(
            .get, "/devices/export", for: .permission(.devicesExport),
            query: Self.filters + ["format", "tokens", "exact"],
            audit: .afterwards
        ) { [self] call in
            let format = try call.request.fileFormat
            let withTokens = try call.request.flag("tokens") ?? false
            if withTokens { try call.require(.devicesTokens) }
            var filter = try await filter(call)
            filter.isLive = true
            let app = try await apps.find(call.app)
            let writer = DeviceFileWriter(
                format, call.installationNames, withTokens: withTokens, isExact: try call.request.flag("exact") ?? false
            )
            return .export("devices-\(app.id)", writer.table, to: call) { [filter] (cursor: Device.ID?) in
                let page = try await devices.devices(
                    app: call.app, filter, after: cursor, limit: Self.exportStep, withTokens: withTokens)
                return (page.entries.map(writer.row), page.next)
            }
        }
    }
}
