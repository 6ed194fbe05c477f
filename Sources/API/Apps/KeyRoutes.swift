import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// An app's API keys.
struct KeyRoutes: RouteGroup {
    let apps: AppStore
    let keys: APIKeyStore
    let known: KnownAPIKeys

    private static let maximumNameLength = 100

    func add(to routes: inout Routes) {
        routes.add(.get, "/v1/key", for: .anyKey) { call in .json(call.key.json(), version: 1) }
        routes.addForApp(.post, "/keys", for: .secret(.keys), takesIdempotencyKey: true) { [keys] call in
            var body = try await ObjectReader(call.request)
            body.require("name", "kind")
            let name = body.text("name", length: 1...Self.maximumNameLength)
            let kind = body.choice("kind", among: [APIKey.Kind.secret, .publishable])
            let scopes = Self.scopes(&body, kind)
            let expiresAt = Self.expiry(&body, of: call.key)
            try body.finish()
            guard let name, let kind else { throw APIError(problems: []) }
            let excess = scopes.subtracting(call.key.scopes).map(\.rawValue).sorted()
            guard excess.isEmpty else {
                throw APIError.forbidden(
                    "scope-missing",
                    "An API key can only grant scopes that it has. This key doesn't have "
                        + "\(excess.joined(separator: ", ")).")
            }
            let (key, text) = try await keys.create(
                app: call.app, kind: kind, name: name, scopes: scopes, expiresAt: expiresAt)
            return .json(key.json(showing: text), version: 1, status: .created)
                .located(at: call.path("keys", key.id))
        }
        routes.addForApp(.get, "/keys", for: .secret(.keys), query: Paging.parameters) { [apps, keys] call in
            let page: Page<APIKey.ID> = try Paging.page(call.request)
            let list = try await keys.list(app: call.app, before: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            return Paging.response(list, limit: page.limit, id: \.id) { $0.json() }
        }
        routes.addForApp(.delete, "/keys/{key}", for: .secret(.keys)) { [known] call in
            try await ObjectReader.refuseBody(call.request)
            try call.checkImmutable()
            try await known.revoke(call.id("key", .key), app: call.app)
            return .noContent
        }
        routes.addForApp(.get, "/keys/{key}", for: .secret(.keys)) { [keys] call in
            .json(try await keys.find(call.id("key", .key), app: call.app).json(), version: 1)
        }
    }

    /// Reads the time when the key expires. A key can't create one that outlives it, or somebody who found a temporary key
    /// could keep the access.
    private static func expiry(_ body: inout ObjectReader, of creator: APIKey) -> Timestamp? {
        guard !body.takeNull("expires_at"), let time = body.time("expires_at") else { return creator.expiresAt }
        if time <= .now { body.refuse("expires_at", "in-the-past", "must be in the future") }
        if let limit = creator.expiresAt, time > limit {
            body.refuse(
                "expires_at", "too-late",
                "must not be later than \(limit.rfc3339), when the key that creates it expires")
        }
        return time
    }

    /// Reads the scopes: required for a secret key, not allowed for a publishable one.
    private static func scopes(_ body: inout ObjectReader, _ kind: APIKey.Kind?) -> Set<Scope> {
        let wasGiven = body.has("scopes")
        let scopes = body.names("scopes", among: Scope.allCases.map(\.rawValue)) { Scope(rawValue: $0) } ?? []
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
