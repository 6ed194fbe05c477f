import Administration
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
    private static let listParameters = Paging.parameters + ["prefix"]
    /// The time that a key still works after it was replaced, in hours: at most a month.
    static let overlapHours = 0...720
    static let defaultOverlapHours = 24

    func add(to routes: inout Routes) {
        routes.add(.get, "/v1/key", for: .key) { call in
            guard case .key(let key) = call.caller else { throw Refusal.notFound(.key) }
            return .json(key.json(), version: 1)
        }
        routes.addForApp(.post, "/keys", for: .permission(.keys), takesIdempotencyKey: true, answerHoldsSecret: true) {
            [self] call in
            try await create(call.call, app: call.app)
        }
        routes.addForApp(.get, "/keys", for: .permission(.keys), query: Self.listParameters) { [self] call in
            try await list(call.call, app: call.app)
        }
        routes.addForApp(.get, "/keys/{key}", for: .permission(.keys)) { [self] call in
            try await find(call.call, app: call.app)
        }
        routes.addForApp(.delete, "/keys/{key}", for: .permission(.keys)) { [self] call in
            try await revoke(call.call, app: call.app)
        }
        routes.addForApp(
            .post, "/keys/{key}/rotate", for: .permission(.keys), takesIdempotencyKey: true, answerHoldsSecret: true
        ) { [self] call in
            try await rotate(call.call, app: call.app)
        }
        routes.addForApp(.post, "/keys/{key}/adopt", for: .permission(.keys)) { [self] call in
            try await adopt(call.call, app: call.app)
        }
        routes.add(.post, "/v1/keys/{key}/adopt", for: .permission(.keys)) { [self] call in
            try await adopt(call, app: nil)
        }
        routes.add(
            .post, "/v1/keys/{key}/rotate", for: .permission(.keys), takesIdempotencyKey: true, answerHoldsSecret: true
        ) { [self] call in
            try await rotate(call, app: nil)
        }
        routes.add(.post, "/v1/keys", for: .permission(.keys), takesIdempotencyKey: true, answerHoldsSecret: true) {
            [self] call in
            try await create(call, app: nil)
        }
        routes.add(.get, "/v1/keys", for: .permission(.keys), query: Self.listParameters) { [self] call in
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
        let addresses = Self.addresses(&body, kind, within: call.caller.allowedAddresses)
        try body.finish()
        guard let name, let kind else { throw APIError(problems: []) }
        try Self.checkScopes(scopes, of: call.caller, in: app)
        let (key, text) = try await keys.create(
            app: app, kind: kind, name: name, scopes: scopes, expiresAt: expiresAt, allowedAddresses: addresses,
            by: call.caller.person)
        return Self.created(key, text)
    }

    private func rotate(_ call: Call, app: App.ID?) async throws -> Response {
        let hours = try await Self.overlapHours(in: call.request)
        let old = try await keys.find(call.id("key", .key), app: app)
        try Self.checkMayManage(old, call.caller)
        guard old.allowedAddresses.isWithin(call.caller.allowedAddresses) else {
            throw APIError.keyWorksFromOtherAddresses
        }
        // As long as the old one was to live, but no longer than the caller.
        let lifetime = old.expiresAt.map { Timestamp.now + ($0 - old.createdAt) }
        let expiresAt = [lifetime, call.caller.expiresAt].compactMap { $0 }.min()
        let (key, text) = try await known.rotate(
            old, expiresAt: expiresAt, overlap: .seconds(hours * 3_600),
            by: call.caller.person)
        return Self.created(key, text)
    }

    private static func overlapHours(in request: Request) async throws -> Int {
        // Many clients send a content type without a body.
        guard request.body.declaredLength != 0 else { return defaultOverlapHours }
        var body = try await ObjectReader(request)
        let hours = body.whole("overlap_hours", in: overlapHours) ?? defaultOverlapHours
        try body.finish()
        return hours
    }

    private static func created(_ key: APIKey, _ text: String) -> Response {
        .json(key.json(showing: text), version: 1, status: .created)
            .located(at: (key.app.map { "/v1/apps/\($0)" } ?? "/v1") + "/keys/\(key.id)")
    }

    private static func checkScopes(_ scopes: Set<Permission>, of caller: Caller, in app: App.ID?) throws(APIError) {
        let excess = scopes.subtracting(caller.grants.permissions(in: app)).map(\.rawValue).sorted()
        guard excess.isEmpty else {
            throw APIError.givesOwnScopesOnly(not: excess)
        }
    }

    private func list(_ call: Call, app: App.ID?) async throws -> Response {
        let page: Page<APIKey.ID> = try Paging.page(call.request)
        let prefix = call.request.queryItems["prefix"] ?? ""
        guard prefix.utf8.count <= APIKeyText.prefixLength, !prefix.utf8.contains(0) else {
            throw APIError.invalidPrefix(maximumLength: APIKeyText.prefixLength)
        }
        let list = try await keys.list(app: app, prefix: prefix, before: page.cursor, limit: page.limit)
        if list.isEmpty, let app { _ = try await apps.find(app) }
        return Paging.response(list, page, id: \.id) { $0.json() }
    }

    private func find(_ call: Call, app: App.ID?) async throws -> Response {
        .json(try await keys.find(call.id("key", .key), app: app).json(), version: 1)
    }

    private func revoke(_ call: Call, app: App.ID?) async throws -> Response {
        try await ObjectReader.refuseBody(call.request)
        try call.request.checkImmutable()
        let key = try await keys.find(call.id("key", .key), app: app)
        try Self.checkMayManage(key, call.caller)
        try await known.revoke(key.id, app: app)
        return .noContent
    }

    /// Takes the key over: it goes on when the person who created it is disabled.
    private func adopt(_ call: Call, app: App.ID?) async throws -> Response {
        try await ObjectReader.refuseBody(call.request)
        let key = try await keys.find(call.id("key", .key), app: app)
        try Self.checkMayManage(key, call.caller)
        return .json(try await keys.adopt(key.id, app: app, by: call.caller.person).json(), version: 1)
    }

    /// Throws unless the caller has everything that the key may do: otherwise somebody could stop a server of others,
    /// or make its key theirs. All phones of an app stop with its publishable key.
    private static func checkMayManage(_ key: APIKey, _ caller: Caller) throws(APIError) {
        let permissions = caller.grants.permissions(in: key.app)
        if key.kind == .publishable, permissions.isDisjoint(with: [.appsWrite, .devicesWrite]) {
            throw .phonesUseKey
        }
        let excess = key.scopes.subtracting(permissions).map(\.rawValue).sorted()
        guard !excess.isEmpty else { return }
        throw .managesOwnScopesOnly(not: excess)
    }

    /// Reads the time when the key expires. A key can't create one that outlives it, or somebody who found a temporary
    /// key could keep the access.
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

    /// Reads the addresses from which the key works. A key can't create one that works from elsewhere.
    private static func addresses(
        _ body: inout ObjectReader, _ kind: APIKey.Kind?, within limit: AllowedAddresses
    ) -> AllowedAddresses {
        let key = "allowed_addresses"
        guard !body.takeNull(key),
            let texts = body.values(
                key,
                { (text) throws(InvalidValue) in
                    try AllowedAddresses.range(text)
                    return text
                })
        else { return kind == .secret ? limit : .everywhere }
        if texts.count > AllowedAddresses.maximumCount {
            body.refuse(key, "too-many", "must contain at most \(AllowedAddresses.maximumCount)")
        }
        if kind == .publishable, !texts.isEmpty {
            body.refuse(key, "not-allowed", "must be empty, because phones use publishable keys from everywhere")
        }
        guard let addresses = try? AllowedAddresses(texts) else { return limit }
        if kind == .secret, !addresses.isWithin(limit) {
            body.refuse(
                key, "too-wide",
                "must be within the addresses of the key that creates it: \(limit.texts.list)")
        }
        return addresses
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
    func json(showing text: String? = nil) -> JSON {
        var members: [JSON.Member] = [
            JSON.Member("id", .id(id)), JSON.Member("app_id", app.map { .id($0) } ?? .null),
            JSON.Member("name", .string(name)), JSON.Member("kind", .string(kind.rawValue)),
            JSON.Member("scopes", .array(scopes.map(\.rawValue).sorted().map { .string($0) })),
            JSON.Member("withheld_scopes", .array(withheldScopes.map(\.rawValue).sorted().map { .string($0) })),
            JSON.Member("is_stopped", .bool(isStopped)),
            JSON.Member("prefix", .string(prefix)), JSON.Member("created_at", .time(createdAt)),
            JSON.Member("expires_at", .time(expiresAt)), JSON.Member("revoked_at", .time(revokedAt)),
            JSON.Member("last_used_at", .time(lastUsedAt)),
            JSON.Member("created_by", createdBy.map { .id($0) } ?? .null),
            JSON.Member("allowed_addresses", .array(allowedAddresses.texts.map { .string($0) })),
        ]
        if let text { members.append(JSON.Member("key", .string(text))) }
        return .object(members)
    }
}
