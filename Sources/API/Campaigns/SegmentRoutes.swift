import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// Routes for segments (named parts of audiences) and for counting audiences.
struct SegmentRoutes: RouteGroup {
    /// In bytes: room for the maximum number of user ids in an audience, each of maximum length.
    static let bodyLimit = 3 * 1024 * 1024
    /// The maximum number of segments and campaigns in `used_by`.
    static let maximumUsers = 100

    let apps: AppStore
    let segments: SegmentStore
    let check: AudienceCheck
    let counts: AudienceCountStore

    private let common = ResourceRoutes<Segment>(
        resource: .segment, path: "/segments", reading: .campaignsRead, writing: .campaignsWrite)

    func add(to routes: inout Routes) {
        addEditing(to: &routes)
        addReading(to: &routes)
        addCounting(to: &routes)
    }

    private func addEditing(to routes: inout Routes) {
        routes.addForApp(
            .post, "/segments", for: .permission(.campaignsWrite), bodyLimit: Self.bodyLimit, takesIdempotencyKey: true
        ) { [segments, check] call in
            var body = try await ObjectReader(call.request)
            body.require("name", "audience")
            var draft = SegmentDraft()
            try await draft.read(&body, check, app: call.app)
            let (name, audience) = try draft.finished()
            let made = try await segments.create(app: call.app, name: name, audience: audience)
            return .json(.object(made.members), version: made.version, status: .created)
                .located(at: call.path("segments", made.id))
        }
        routes.addForApp(
            .patch, "/segments/{segment}", for: .permission(.campaignsWrite), bodyLimit: Self.bodyLimit
        ) { [segments, check] call in
            let match = try IfMatch.required(call.request, of: "segment")
            let current = try await segments.find(call.segment, app: call.app)
            try match.check(current.version)
            var body = try await ObjectReader(call.request)
            var draft = SegmentDraft(name: current.name, audience: current.audience)
            try await draft.read(&body, check, app: call.app)
            let (name, audience) = try draft.finished()
            let edited = try await segments.update(
                current.id, app: call.app, version: current.version, name: name, audience: audience)
            return .json(.object(edited.members), version: edited.version)
        }
        routes.addForApp(
            .post, "/segments/{segment}/duplicate", for: .permission(.campaignsWrite), takesIdempotencyKey: true
        ) { [segments] call in
            let original = try await segments.find(call.segment, app: call.app)
            let name = try await call.nameOfCopy(of: original.name)
            let made = try await segments.create(app: call.app, name: name, audience: original.audience)
            return .json(.object(made.members), version: made.version, status: .created)
                .located(at: call.path("segments", made.id))
        }
        common.addArchiving(to: &routes) { [segments] isArchived, id, app, version in
            try await segments.setArchived(isArchived, id, app: app, expectedVersion: version)
        } response: { segment, _ in
            .json(.object(segment.members), version: segment.version)
        }
        common.addDeletion(to: &routes) { [segments] id, app, version in
            try await segments.delete(id, app: app, expectedVersion: version)
        }
    }

    private func addReading(to routes: inout Routes) {
        common.addList(to: &routes, of: segments, apps) { _ in { .object($0.members) } }
        routes.addForApp(.get, "/segments/{segment}", for: .permission(.campaignsRead)) { [segments] call in
            let segment = try await segments.find(call.segment, app: call.app)
            let users = try await segments.usedBy(segment.id, app: call.app, limit: Self.maximumUsers)
            let more = JSON.Member("used_by", .array(users.map(\.json)))
            return .json(.object(segment.members + [more]), version: segment.version)
        }
    }

    private func addCounting(to routes: inout Routes) {
        routes.addForApp(.get, "/segments/{segment}/count", for: .permission(.campaignsRead)) {
            [segments, counts] call in
            let audience = try await segments.find(call.segment, app: call.app).audience
            let resolved = try await segments.resolve(member: audience, app: call.app)
            return .json(
                try await counts.count(resolved, app: call.app).json(
                    of: audience, call.installationNames, withSample: call.seesDevices))
        }
        routes.addForApp(
            .post, "/audiences/count", for: .permission(.campaignsRead), bodyLimit: Self.bodyLimit, audit: .never
        ) { [apps, segments, check, counts] call in
            _ = try await apps.find(call.app)
            var body = try await ObjectReader(call.request)
            body.require("audience")
            let audience = try await body.audience("audience", check, app: call.app)
            try body.finish()
            guard let audience else { throw APIError(problems: []) }
            let resolved = try await segments.resolve(member: audience, app: call.app)
            return .json(
                try await counts.count(resolved, app: call.app).json(
                    of: audience, call.installationNames, withSample: call.seesDevices))
        }
    }
}

/// Reads a segment from a request body.
private struct SegmentDraft {
    private var name: String?
    private var audience: Audience?

    init() {}

    init(name: String, audience: Audience) {
        self.name = name
        self.audience = audience
    }

    /// Replaces the members that the body contains. Throws all problems together.
    mutating func read(_ body: inout ObjectReader, _ check: AudienceCheck, app: App.ID) async throws {
        name = body.text("name", length: 1...EntryName.maximumLength) ?? name
        if body.has("audience") {
            audience = try await body.audience("audience", check, app: app)
            if audience?.isEverybody == true {
                body.refuse(
                    "audience", "audience-unrestricted",
                    "must have a condition; an audience of all devices needs no segment")
            }
        }
        try body.finish()
    }

    func finished() throws(APIError) -> (name: String, audience: Audience) {
        guard let name, let audience else { throw APIError(problems: []) }
        return (name, audience)
    }
}

extension ObjectReader {
    /// Reads an audience and checks it for the app.
    mutating func audience(_ key: String, _ check: AudienceCheck, app: App.ID) async throws -> Audience? {
        guard let json = take(key) else { return nil }
        let (audience, problems) = try await check.check(json, app: app)
        refuse(problems.map { $0.inside(key) })
        return audience
    }
}

extension AppCall {
    fileprivate var segment: Segment.ID {
        get throws { try id("segment", .segment) }
    }
}
