import Campaigns
import HTTPServer
import HTTPTypes
import Store

extension DeviceRoutes {
    /// Bytes of a file: a million devices take some 300 MB.
    static let maximumFileSize = 4 << 30

    /// A file of devices of any length. The answer comes at its end; until then what the server has taken is how far it
    /// is.
    func addImport(to routes: inout Routes) {
        routes.addForApp(
            .post, "/devices/import", for: .secret(.devicesWrite), bodyLimit: Self.maximumFileSize
        ) { call in
            guard let format = DeviceFileFormat(contentType: call.request.headers.value(.contentType) ?? "") else {
                throw APIError(
                    .unsupportedMediaType, "unsupported-media-type",
                    "A file of devices is sent as text/csv or application/x-ndjson.")
            }
            _ = try await apps.find(call.app)
            var file = DeviceImport(
                format, timeZones: timeZones,
                to: .init(app: call.app, registrations: registrations, topics: topics, loop: call.request.loop))
            do {
                try await file.run(call.request.body)
            } catch var refusal as APIError where refusal.status == .serviceUnavailable {
                refusal.detail += " " + file.report.progress
                throw refusal
            }
            return .json(file.report.json)
        }
    }
}

extension ImportReport {
    /// Why sending the file again is all right, for who has to.
    fileprivate var progress: String {
        "Of its lines \(stored) were stored and \(refused) refused before that; storing a line again does no harm."
    }
}
