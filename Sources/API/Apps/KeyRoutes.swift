import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// API keys of an app, and those of administrators, which belong to no app.
struct KeyRoutes: RouteGroup {
    let apps: AppStore
    let keys: APIKeyStore
    let known: KnownAPIKeys

    private static let maximumNameLength = 100

    func add(to routes: inout Routes) {
        routes.add(.get, "/v1/key", for: .key) { call in
            guard case .key(let key) = call.caller else { throw Refusal.notFound(.key) }
            return .json(key.json(), version: 1)
        }
        routes.addForApp(.post, "/keys", for: .permission(.keys), takesIdempotencyKey: true) { [self] call in
            try await create(call.call, app: call.app)
        }
        routes.addForApp(.get, "/keys", for: .permission(.keys), query: Paging.parameters) { [self] call in
            try await list(call.call, app: call.app)
        }
        routes.addForApp(.get, "/keys/{key}", for: .permission(.keys)) { [self] call in
            try await find(call.call, app: call.app)
        }
        routes.addForApp(.delete, "/keys/{key}", for: .permission(.keys)) { [self] call in
            try await revoke(call.call, app: call.app)
        }
        routes.add(.post, "/v1/keys", for: .permission(.keys), takesIdempotencyKey: true) { [self] call in
            try await create(call, app: nil)
        }
        routes.add(.get, "/v1/keys", for: .permission(.keys), query: Paging.parameters) { [self] call in
            try await list(call, app: nil)
        }
        routes.add(.get, "/v1/keys/{key}", for: .permission(.keys)) { [self] call in
            try await find(call, app: nil)
        }
        routes.add(.delete, "/v1/keys/{key}", for: .permission(.keys)) { [self] call in
            try await revoke(call, app: nil)
        }
    }

    private func create(_ call: Call, app: App.ID?) async throws -> Response {
        var body = try await ObjectReader(call.request)
        body.require("name", "kind")
        let name = body.text("name", length: 1...Self.maximumNameLength)
        let kind = body.choice("kind", among: [APIKey.Kind.secret, .publishable])
        if app == nil, kind == .publishable {
            body.refuse("kind", "not-allowed", "must be secret, because a publishable key belongs to an app")
        }
        let scopes = Self.scopes(&body, kind)
        let expiresAt = Self.expiry(&body, within: call.caller.expiresAt)
        try body.finish()
        guard let name, let kind else { throw APIError(problems: []) }
        let excess = scopes.subtracting(call.caller.grants.permissions(in: app)).map(\.rawValue).sorted()
        guard excess.isEmpty else {
            throw APIError.forbidden(
                "scope-missing",
                "A key can have only scopes that its creator has. You don't have \(excess.joined(separator: ", "))."
            )
        }
        let (key, text) = try await keys.create(
            app: app, kind: kind, name: name, scopes: scopes, expiresAt: expiresAt)
        return .json(key.json(showing: text), version: 1, status: .created)
            .located(at: (app.map { "/v1/apps/\($0)" } ?? "/v1") + "/keys/\(key.id)")
    }

    private func list(_ call: Call, app: App.ID?) async throws -> Response {
        let page: Page<APIKey.ID> = try Paging.page(call.request)
        let list = try await keys.list(app: app, before: page.cursor, limit: page.limit)
        if list.isEmpty, let app { _ = try await apps.find(app) }
        return Paging.response(list, limit: page.limit, id: \.id) { $0.json() }
    }

    private func find(_ call: Call, app: App.ID?) async throws -> Response {
        .json(try await keys.find(call.id("key", .key), app: app).json(), version: 1)
    }

    private func revoke(_ call: Call, app: App.ID?) async throws -> Response {
        try await ObjectReader.refuseBody(call.request)
        try call.request.checkImmutable()
        try await known.revoke(call.id("key", .key), app: app)
        return .noContent
    }

    /// Reads the time when the key expires. A key can't create one that outlives it, or somebody who found a temporary key
    /// could keep the access.
    private static func expiry(_ body: inout ObjectReader, within limit: Timestamp?) -> Timestamp? {
        guard !body.takeNull("expires_at"), let time = body.time("expires_at") else { return limit }
        if time <= .now { body.refuse("expires_at", "in-the-past", "must be in the future") }
        if let limit, time > limit {
            body.refuse(
                "expires_at", "too-late",
                "must not be later than \(limit.rfc3339), when the key that creates it expires")
        }
        return time
    }

    /// Reads the scopes: required for a secret key, not allowed for a publishable one.
    private static func scopes(_ body: inout ObjectReader, _ kind: APIKey.Kind?) -> Set<Permission> {
        let wasGiven = body.has("scopes")
        let scopes = body.names("scopes", among: Permission.allCases.map(\.rawValue)) { Permission(rawValue: $0) } ?? []
        switch kind {
        case .secret where !wasGiven: body.refuse("scopes", "missing", "is required: the list of what the key may do")
        case .publishable where !scopes.isEmpty:
            body.refuse("scopes", "not-allowed", "must be empty, because the permissions of publishable keys are fixed")
        case .secret, .publishable, nil: break
        }
        return scopes
    }
}

extension APIKey {
    /// The key's text is returned only once, in the response that creates it.
    fileprivate func json(showing text: String? = nil) -> JSON {
        var members: [JSON.Member] = [
            JSON.Member("id", .id(id)), JSON.Member("app_id", app.map { .id($0) } ?? .null),
            JSON.Member("name", .string(name)), JSON.Member("kind", .string(kind.rawValue)),
            JSON.Member("scopes", .array(scopes.map(\.rawValue).sorted().map { .string($0) })),
            JSON.Member("prefix", .string(prefix)), JSON.Member("created_at", .time(createdAt)),
            JSON.Member("expires_at", .time(expiresAt)), JSON.Member("revoked_at", .time(revokedAt)),
        ]
        if let text { members.append(JSON.Member("key", .string(text))) }
        return .object(members)
    }
}
