import Campaigns
import HTTPServer
import HTTPTypes
import Postgres
import Store

extension DeviceRoutes {
    /// In bytes; a file of a million devices has about 300 MB.
    static let maximumFileSize = 4 << 30

    /// Imports a device file. The response follows its end; until then, the number of accepted bytes shows the
    /// progress.
    func addImport(to routes: inout Routes) {
        routes.addForApp(
            .post, "/devices/import", for: .permission(.devicesWrite),
            query: ["as_of", "replace_opt_outs", "overwrite_newer"],
            bodyLimit: Self.maximumFileSize, audit: .afterwards
        ) { call in
            guard let format = FileFormat(contentType: call.request.headers.value(.contentType) ?? "") else {
                throw APIError(
                    .unsupportedMediaType, "unsupported-media-type",
                    "A device file must be sent as text/csv or application/x-ndjson.")
            }
            _ = try await apps.find(call.app)
            var file = DeviceImport(
                format,
                to: .init(
                    app: call.app, registrations: registrations, topics: topics, loop: call.request.loop,
                    terms: try ImportTerms(call.request)))
            do {
                try await file.run(call.request.body)
            } catch {
                guard var refusal = ErrorRendering.refusal(for: error), file.report.lines > 0 else { throw error }
                refusal.detail += " " + file.report.progress
                throw refusal
            }
            return .json(file.report.json)
        }
    }
}

extension ImportTerms {
    fileprivate init(_ request: Request) throws(APIError) {
        let asOf = request.queryItems["as_of"] == "now" ? Timestamp.now : try request.time("as_of")
        self.init(
            asOf: asOf.map { Instant(microseconds: $0.microseconds) },
            replacesOptOuts: try request.flag("replace_opt_outs") ?? false,
            overwritesNewer: try request.flag("overwrite_newer") ?? false)
    }
}

extension ImportReport {
    /// The number of lines stored before a failure, and a note that the file can be sent again.
    fileprivate var progress: String {
        "Before that, \(stored) lines were stored and \(refused) failed. Send the whole file again; storing a line "
            + "twice changes nothing."
    }
}
