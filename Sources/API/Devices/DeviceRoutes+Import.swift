import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Postgres
import Store

extension DeviceRoutes {
    /// In bytes; a file of a million devices has about 300 MB.
    static let maximumFileSize = 4 << 30

    /// Imports a device file. The response follows its end; until then, a client that names its import can ask how far
    /// it has come.
    func addImport(to routes: inout Routes) {
        routes.addForApp(
            .post, "/devices/import", for: .permission(.devicesWrite),
            query: DeviceFileOptions.parameters + ["import", "as_of", "replace_opt_outs", "overwrite_newer"],
            bodyLimit: Self.maximumFileSize, audit: .afterwards
        ) { call in
            let format = try call.request.deviceFileFormat
            let options = try DeviceFileOptions(call.request)
            let name = try call.request.queryItems["import"].map { try Self.importName($0, call.app) }
            _ = try await apps.find(call.app)
            var file = DeviceImport(
                format, options,
                to: .init(
                    app: call.app, registrations: registrations, topics: topics, loop: call.request.loop,
                    terms: try ImportTerms(call.request)),
                checkPermission: {
                    guard try await call.call.isStillPermitted() else { throw APIError.accessEnded }
                }
            ) { progress in
                if let name { imports.set(progress, of: name) }
            }
            defer { if let name { imports.remove(name) } }
            do {
                try await file.run(call.request.body)
            } catch {
                guard var refusal = ErrorRendering.refusal(for: error), file.report.lines > 0 else { throw error }
                refusal.detail = .sentences([refusal.detail, file.report.progress])
                throw refusal
            }
            return .json(file.report.json)
        }
        routes.addForApp(.get, "/devices/import/{import}/progress", for: .permission(.devicesWrite)) { call in
            let text = call.request.parameters["import"] ?? ""
            // It has ended, has not begun, or runs in another process: a client that asks in time must not see an
            // error.
            guard let progress = imports[try Self.importName(text, call.app)] else {
                return .json(["is_running": false] as JSON)
            }
            return .json(progress.json)
        }
    }

    /// Shows what an import would make of a file, from its beginning.
    func addImportPreview(to routes: inout Routes) {
        routes.addForApp(
            .post, "/devices/import/preview", for: .permission(.devicesWrite),
            query: DeviceFileOptions.parameters + ["part"], bodyLimit: DeviceFilePreview.maximumSize, audit: .never
        ) { call in
            let (format, options) = (try call.request.deviceFileFormat, try DeviceFileOptions(call.request))
            let start = try await UnpackedStart(
                of: call.request.body, limit: DeviceFilePreview.maximumSize,
                isPart: try call.request.flag("part") ?? false)
            let preview = try DeviceFilePreview(start, format, options)
            return .json(preview.json)
        }
    }

    private static func importName(_ text: String, _ app: App.ID) throws(APIError) -> ImportsInProgress.Name {
        guard let name = ImportsInProgress.Name(text, of: app) else {
            throw .invalidImportName
        }
        return name
    }
}

extension Request {
    /// The types that a device file may be sent as. What it is, its content says.
    fileprivate static let deviceFileTypes: [String: FileFormat] = [
        "text/csv": .csv, "text/tab-separated-values": .csv, "application/octet-stream": .csv,
        "application/gzip": .csv, "application/x-gzip": .csv, "application/x-ndjson": .ndjson,
        "application/json": .ndjson, "application/jsonl": .ndjson, "application/x-jsonlines": .ndjson,
    ]

    fileprivate var deviceFileFormat: FileFormat {
        get throws(APIError) {
            let type = (headers.value(.contentType) ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
            guard let format = Self.deviceFileTypes[type] else {
                throw APIError.notADeviceFile
            }
            return format
        }
    }
}

extension ImportTerms {
    fileprivate init(_ request: Request) throws(APIError) {
        let asOf = request.queryItems["as_of"] == "now" ? Timestamp.now : try request.time("as_of")
        guard asOf.map({ $0 <= .now }) ?? true else {
            throw .asOfInTheFuture
        }
        self.init(
            asOf: asOf.map { Instant(microseconds: $0.microseconds) },
            replacesOptOuts: try request.flag("replace_opt_outs") ?? false,
            overwritesNewer: try request.flag("overwrite_newer") ?? false)
    }
}

extension ImportReport {
    /// The number of lines stored before a failure, and a note that the file can be sent again.
    fileprivate var progress: Message {
        "Before that, \(stored) lines were stored and \(refused) failed. Send the whole file again; storing a line "
            + "twice changes nothing."
    }
}
