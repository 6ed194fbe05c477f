import Administration
import Application
import Campaigns
import Crypto
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// Routes for media: people upload or link files, devices fetch them.
struct MediaRoutes: RouteGroup {
    private let apps: AppStore
    private let uploads: MediaLibrary
    private let media: MediaStore
    private let probe: any MediaProbe
    private let addresses: MediaURLResolver

    init(apps: AppStore, library uploads: MediaLibrary, probe: any MediaProbe, addresses: MediaURLResolver) {
        self.apps = apps
        self.uploads = uploads
        media = uploads.store
        self.probe = probe
        self.addresses = addresses
    }

    /// In bytes: the maximum size of a video.
    private static let bodyLimit = MediaKind.allCases.map(\.maximumSize).max() ?? 0
    /// In bytes, for a body that only links a file.
    private static let linkLimit = 16 * 1024

    func add(to routes: inout Routes) {
        routes.addForApp(
            .post, "/media", for: .permission(.contentWrite), query: ["name"], bodyLimit: Self.bodyLimit,
            audit: .afterwards
        ) {
            call in
            let isLink = call.request.headers.value(.contentType)?.hasPrefix("application/json") == true
            return try await isLink ? link(call) : upload(call)
        }
        routes.addForApp(.get, "/media", for: .permission(.contentRead), query: Paging.parameters) {
            [apps, media] call in
            let page: Page<Media.ID> = try Paging.page(call.request)
            let list = try await media.list(app: call.app, before: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            return Paging.response(list, page, id: \.id) { json($0) }
        }
        routes.addForApp(.get, "/media/{media}", for: .permission(.contentRead)) { [media] call in
            .json(json(try await media.find(call.id("media", .media), app: call.app)), version: 1)
        }
        routes.addForApp(.delete, "/media/{media}", for: .permission(.contentWrite)) { [uploads] call in
            try await ObjectReader.refuseBody(call.request)
            try call.request.checkImmutable()
            try await uploads.delete(call.id("media", .media), app: call.app)
            return .noContent
        }
        routes.addOpen(.get, "/media/{capability}/{name}", toDevices: true) { [uploads] in
            try await MediaContent(library: uploads).response(to: $0)
        }
    }

    // MARK: Adding

    private func upload(_ call: AppCall) async throws -> Response {
        let name = call.request.queryItems["name"]
        if let name {
            guard 1...MediaRecord.maximumNameLength ~= name.unicodeScalars.count else {
                throw APIError.invalidName(maximumLength: MediaRecord.maximumNameLength)
            }
            if let problem = NameText.problem(name) {
                throw APIError.invalidName(problem.message)
            }
        }
        let body = call.request.body
        let (added, isNew) = try await uploads.add(
            app: call.app, name: name, declaredSize: body.declaredLength, from: body)
        return answer(json(added), about: added, call, isNew)
    }

    private func link(_ call: AppCall) async throws -> Response {
        var body = try await ObjectReader(call.request, upTo: Self.linkLimit)
        body.require("external_url")
        let url = body.value("external_url") { (text) throws(InvalidValue) in try MediaURL(text) }
        let name = body.text("name", length: 1...MediaRecord.maximumNameLength)
        try body.finish()
        guard let url else { throw APIError(problems: []) }
        let result = await probe.probe(at: url)
        let (type, size) = try Self.accepted(result)
        let (added, isNew) = try await media.add(
            app: call.app, name: name ?? String(url.text.prefix(MediaRecord.maximumNameLength)), externalURL: url,
            type: type, size: size)
        var warnings: [Problem] = []
        if case .unreachable(let reason) = result { warnings.append(Self.unseen(Message(verbatim: reason))) }
        return answer(json(added, warnings), about: added, call, isNew)
    }

    private func answer(_ json: JSON, about media: MediaRecord, _ call: AppCall, _ isNew: Bool) -> Response {
        let response = Response.json(json, version: 1, status: isNew ? .created : .ok)
        return isNew ? response.located(at: call.path("media", media.id)) : response
    }

    private static func accepted(_ result: MediaProbeResult) throws(APIError) -> (MediaType?, Int?) {
        switch result {
        case .unreachable: return (nil, nil)
        case .forbidden(let rule):
            throw APIError(problems: [
                Problem(
                    path: "external_url", code: "not-public",
                    message: "must have a public address, so that devices can fetch the file; this one is \(rule)")
            ])
        case .found(let prefix, let size):
            do throws(InvalidValue) {
                let type = try MediaType.detect(prefix)
                if let size { try type.check(size: size) }
                return (type, size)
            } catch {
                throw APIError(problems: [error.problem(at: "external_url")])
            }
        }
    }

    private static func unseen(_ reason: Message) -> Problem {
        Problem(
            path: "external_url", code: "media-not-verified",
            message: "could not be checked: \(reason). Devices may not be able to fetch it either", severity: .warning)
    }

    // MARK: JSON

    private func json(_ media: MediaRecord, _ found: [Problem] = []) -> JSON {
        let url = addresses.url(of: media)
        var warnings = found
        if media.storage == .external, media.type == nil, found.isEmpty {
            warnings.append(Self.unseen("it was not available when it was added"))
        }
        if !url.hasPrefix("https://") {
            warnings.append(
                Problem(
                    path: "url", code: "not-https",
                    message: "must be an https URL, because iOS loads no others; set BELFRY_PUBLIC_URL",
                    severity: .warning))
        }
        return [
            "id": .id(media.id), "app_id": .id(media.app), "name": .string(media.name), "url": .string(url),
            "kind": .text(media.type?.kind.rawValue), "format": .text(media.type?.rawValue),
            "content_type": .text(media.type?.mimeType), "type_hint": .text(media.type?.typeHint),
            "size": media.size.map { .count($0) } ?? .null,
            "sha256": .text(media.hash.map { Hex.encode($0) }), "storage": .string(media.storage.rawValue),
            "warnings": .array(warnings.map(\.json)), "created_at": .time(media.createdAt),
        ]
    }
}
