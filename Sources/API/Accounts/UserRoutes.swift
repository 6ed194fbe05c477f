import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// People who can sign in.
struct UserRoutes: RouteGroup {
    let users: UserStore
    let links: SignInLinkStore
    let known: KnownSessions
    let keys: APIKeyStore
    let knownKeys: KnownAPIKeys
    let site: Site

    func add(to routes: inout Routes) {
        routes.add(.get, "/v1/users", for: .permission(.users), query: Paging.parameters) { [users] call in
            let page: Page<User.ID> = try Paging.page(call.request)
            let list = try await users.list(before: page.cursor, limit: page.limit)
            return Paging.response(list, page, id: \.id) { $0.json() }
        }
        routes.add(.post, "/v1/users", for: .permission(.users), takesIdempotencyKey: true, answerHoldsSecret: true) {
            [self] call in
            try await create(call)
        }
        routes.add(.get, "/v1/users/{user}", for: .permission(.users)) { [users] call in
            let user = try await users.find(call.id("user", .user))
            return .json(user.json(), version: user.version)
        }
        routes.add(.patch, "/v1/users/{user}", for: .permission(.users)) { [self] call in
            var body = try await ObjectReader(call.request)
            let name = body.text("name", length: 0...UserRecord.maximumNameLength)
            let roles = body.roles()
            try body.finish()
            if roles != nil { try call.checkIsUnlimited() }
            let user = try await change(call, by: UserStore.Changes(name: name, roles: roles))
            let limited = try await keys.keys(of: user.id).filter { !$0.withheldScopes.isEmpty }.map { $0.json() }
            return .json(user.json(and: [JSON.Member("limited_keys", .array(limited))]), version: user.version)
        }
        routes.add(.post, "/v1/users/{user}/disable", for: .permission(.users)) { [self] call in
            try await ObjectReader.refuseBody(call.request)
            let user = try await change(call, by: UserStore.Changes(isDisabled: true))
            let stopped = try await keys.keys(of: user.id).map { $0.json() }
            return .json(user.json(and: [JSON.Member("stopped_keys", .array(stopped))]), version: user.version)
        }
        routes.add(.post, "/v1/users/{user}/enable", for: .permission(.users)) { [self] call in
            try await ObjectReader.refuseBody(call.request)
            try call.checkIsUnlimited()
            let user = try await change(call, by: UserStore.Changes(isDisabled: false))
            return .json(user.json(), version: user.version)
        }
        routes.add(.post, "/v1/users/{user}/password-link", for: .permission(.users), answerHoldsSecret: true) {
            [self] call in
            try await ObjectReader.refuseBody(call.request)
            try call.checkIsUnlimited()
            let user = try await users.find(call.id("user", .user))
            try call.checkMayManage(user.grants)
            return .json(["password_link": .string(try await passwordLink(for: user.id))])
        }
    }

    private func create(_ call: Call) async throws -> Response {
        var body = try await ObjectReader(call.request)
        body.require("email", "roles")
        let email = body.value("email") { (text) throws(InvalidValue) in try EmailAddress(text) }
        let name = body.text("name", length: 0...UserRecord.maximumNameLength)
        let roles = body.roles()
        try body.finish()
        guard let email, let roles else { throw APIError(problems: []) }
        try call.checkIsUnlimited()
        try call.checkMayManage(Grants(roles))
        let user = try await users.create(email, name: name ?? "", roles: roles)
        let link = try await passwordLink(for: user.id)
        return .json(
            user.json(and: [JSON.Member("password_link", .string(link))]), version: user.version, status: .created
        )
        .located(at: "/v1/users/\(user.id)")
    }

    private func change(_ call: Call, by changes: UserStore.Changes) async throws -> UserRecord {
        let id: User.ID = try call.id("user", .user)
        try call.checkMayManage(try await users.find(id).grants)
        if let roles = changes.roles { try call.checkMayManage(Grants(roles)) }
        let user = try await users.update(id, by: changes, expectedVersion: try IfMatch(call.request)?.version)
        known.forget()
        knownKeys.forget(of: user.id)
        return user
    }

    private func passwordLink(for user: User.ID) async throws -> String {
        site.link(
            "password", try await links.create(.password, for: user, lifetime: SignIn.passwordLinkLifetime))
    }
}

extension Call {
    /// Throws for a key that expires or works only from some addresses: what a person may do would have no such limit.
    fileprivate func checkIsUnlimited() throws(APIError) {
        guard caller.expiresAt != nil || !caller.allowedAddresses.isEverywhere else { return }
        throw .keyIsLimited
    }

    /// Throws unless the caller has everything that these grants give: otherwise a key that may only manage people
    /// could make an admin, or take over the account of one.
    fileprivate func checkMayManage(_ grants: Grants) throws(APIError) {
        guard !grants.isWithin(caller.grants) else { return }
        throw .managesOwnPermissionsOnly
    }
}

extension ObjectReader {
    /// Reads the roles; nil when the member is absent.
    fileprivate mutating func roles() -> [RoleAssignment]? {
        guard has("roles") else { return nil }
        let roles = closedObjects("roles") { reader in
            reader.require("role")
            let role: Role? = reader.choice("role")
            let app = reader.value("app_id") { (text) throws(InvalidValue) in try App.ID(checked: text) }
            return role.map { RoleAssignment($0, in: app) }
        }
        guard let roles else { return nil }
        if roles.count > UserRecord.maximumRoles {
            refuse("roles", "too-long", "can have at most \(UserRecord.maximumRoles) elements")
        }
        return roles.compactMap { $0 }
    }
}

extension Identifier {
    fileprivate init(checked text: String) throws(InvalidValue) {
        guard let id = Self(text) else { throw InvalidValue("not-an-id", "must be an ID, like \"1\"") }
        self = id
    }
}

extension RoleAssignment {
    var json: JSON { ["role": .string(role.rawValue), "app_id": app.map { .id($0) } ?? .null] }
}

extension UserRecord {
    fileprivate func json(and more: [JSON.Member] = []) -> JSON {
        let members: [JSON.Member] = [
            JSON.Member("id", .id(id)), JSON.Member("email", .string(email.text)), JSON.Member("name", .string(name)),
            JSON.Member("roles", .array(roles.map(\.json))), JSON.Member("has_password", .bool(hasPassword)),
            JSON.Member("version", .count(version)), JSON.Member("created_at", .time(createdAt)),
            JSON.Member("updated_at", .time(updatedAt)), JSON.Member("disabled_at", .time(disabledAt)),
        ]
        return .object(members + more)
    }
}
