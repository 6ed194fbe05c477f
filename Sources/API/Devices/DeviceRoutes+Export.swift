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
                format, withTokens: withTokens, isExact: try call.request.flag("exact") ?? false)
            return Response(
                headers: Self.headers(format, app),
                body: .stream { [filter] output in
                    try await output.write(writer.header)
                    var cursor: Device.ID?
                    repeat {
                        let page = try await devices.devices(
                            app: call.app, filter, after: cursor, limit: Self.exportStep, withTokens: withTokens)
                        cursor = page.next
                        // Writing thousands of lines would block all other work on the loop.
                        let bytes = await withTaskExecutorPreference(globalConcurrentExecutor) {
                            await Self.write(page.entries, writer)
                        }
                        try await output.write(bytes)
                    } while cursor != nil
                })
        }
    }

    @concurrent
    private static func write(_ entries: [DevicePage.Entry], _ writer: DeviceFileWriter) async -> [UInt8] {
        writer.write(entries)
    }

    private static func headers(_ format: DeviceFileFormat, _ app: AppRecord) -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: format == .csv ? "text/csv; charset=utf-8; header=present" : format.contentType,
            .cacheControl: "no-store",
        ]
        headers[.contentDisposition] = "attachment; filename=\"devices-\(app.id).\(format.rawValue)\""
        return headers
    }
}

extension Request {
    fileprivate var fileFormat: DeviceFileFormat {
        get throws(APIError) {
            guard let name = queryItems["format"] else { return .csv }
            if let format = DeviceFileFormat(rawValue: name) { return format }
            throw .badRequest("unknown-format", "The format must be csv or ndjson.", field: "format")
        }
    }
}
