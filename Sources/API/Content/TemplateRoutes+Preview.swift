import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

extension TemplateRoutes {
    func addPreviews(to routes: inout Routes) {
        routes.addForApp(
            .post, "/templates/preview", for: .permission(.campaignsRead), bodyLimit: Self.bodyLimit, audit: .never
        ) { [self] call in try await previewUnsaved(call) }
        routes.addForApp(.post, "/templates/{template}/preview", for: .permission(.campaignsRead), audit: .never) {
            [self] call in
            try await previewStored(call)
        }
    }

    // Swift 6.3.1 crashes ("splitting coroutine") when it optimizes these as closures, or inlines them into closures.
    @inline(never)
    private func previewUnsaved(_ call: AppCall) async throws -> Response {
        var body = try await ObjectReader(call.request)
        body.require("content")
        let content = body.content("content")
        let person = try await person(&body, call)
        try body.finish()
        guard let content, let person else { throw APIError(problems: []) }
        return try await preview(content, for: person, app: call.app)
    }

    @inline(never)
    private func previewStored(_ call: AppCall) async throws -> Response {
        var body = try await ObjectReader(call.request)
        let version = body.whole("version", in: 1...Int(Int32.max))
        let person = try await person(&body, call)
        try body.finish()
        guard let person else { throw APIError(problems: []) }
        return try await previewStored(call.template, version, for: person, app: call.app)
    }

    @inline(never)
    private func previewStored(
        _ template: Template.ID, _ version: Int?, for person: RecipientProfile, app: App.ID
    ) async throws -> Response {
        let stored = try await contents.stored(template, app: app, version: version)
        return try await preview(stored.content, for: person, app: app)
    }

    /// The profile of a device or of a made-up recipient; without either, an empty profile. Nil if there is a problem.
    private func person(
        _ body: inout ObjectReader, _ call: AppCall
    ) async throws -> RecipientProfile? {
        let hasDevice = body.has("installation")
        if hasDevice, body.has("recipient") {
            body.refuse("recipient", "mutually-exclusive", "can't be combined with `installation`")
        }
        let person = body.has("recipient") ? body.recipient("recipient") : RecipientProfile()
        guard hasDevice else { return person }
        guard let installation = body.text("installation", length: 1...200) else { return nil }
        // The preview shows who has the device, and what is known about this person.
        try call.require(.devicesRead)
        let device = try await devices.devices([installation], app: call.app).first
        if device == nil { body.refuse("installation", "unknown-device", "is not a device of this app") }
        return device?.person
    }

    @inline(never)
    private func preview(
        _ content: TemplateContent, for person: RecipientProfile, app: App.ID
    ) async throws -> Response {
        try answer(content, for: person, in: try await contents.context(for: content, app: app))
    }

    @inline(never)
    private func answer(
        _ content: TemplateContent, for person: RecipientProfile, in context: ContentContext
    ) throws -> Response {
        let now = Int(Timestamp.now.secondsSince1970)
        let report = content.report(in: context)
        do throws(Problems) {
            let preview = try CompiledContent.preview(content, for: person, in: context, now: now)
            return .json(preview.json(report))
        } catch {
            // Content that doesn't compile has no preview. The report contains these problems and all others.
            throw APIError(problems: report.problems.filter { $0.severity == .error }.map { $0.inside("content") })
        }
    }
}

extension ContentPreview {
    fileprivate func json(_ report: ContentReport) -> JSON {
        [
            "selected": .count(selected), "would_send": .bool(variants[selected].isSent && !report.hasErrors),
            "variants": .array(variants.map(\.json)),
            "problems": .array(report.problems.map { $0.inside("content").json }),
        ]
    }
}

extension ContentPreview.Variant {
    fileprivate var json: JSON {
        let more: [JSON.Member] = [
            JSON.Member("payload", payload ?? .null), JSON.Member("length", .count(length)),
            JSON.Member("would_send", .bool(isSent)),
            JSON.Member("missing", .array(missing.map { .string($0.description) })),
            JSON.Member("unusable", .array(unusable.map { .string($0.description) })),
            JSON.Member("problems", .array(problems.map { $0.inside("content").json })),
        ]
        return .object(size.members + more)
    }
}
