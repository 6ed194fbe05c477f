import Administration
import Application
import Campaigns
import HTTPTypes
import JSON
import Postgres
import Store
import Testing

@testable import API

@Suite struct SignInTests {
    private static let password = "three bells at noon"
    private static let email: JSON = "mina@example.com"

    private func mina(_ api: APIFixture, _ roles: [RoleAssignment] = [RoleAssignment(.admin)]) async throws
        -> UserRecord
    {
        try await api.users.create(
            EmailAddress("mina@example.com"), name: "Mina", roles: roles,
            passwordHash: try await PasswordHasher().hash(Self.password))
    }

    private func signIn(_ api: APIFixture, _ password: String = password, as browser: HTTPFields = [:]) async throws
        -> Answer
    {
        try await api.send(
            .post, "/v1/session", ["email": Self.email, "password": .string(password)], as: browser)
    }

    /// The token in the answer's cookie.
    private func token(_ answer: Answer) throws -> String {
        let field = try #require(answer.headers[.setCookie])
        let match = try #require(
            field.wholeMatch(
                of: /belfry_session=([A-Za-z0-9_-]{43}); Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600/))
        return String(match.1)
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func personSignsInAndOut(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let app = try await api.app()
            let roles = [RoleAssignment(.viewer), RoleAssignment(.sender, in: App.ID(app))]
            _ = try await mina(api, roles + [])
            _ = try await api.browser("root@example.com", [RoleAssignment(.admin)])
            let answer = try await signIn(api)
            #expect(answer.status == 200 && answer.headers[.cacheControl] == "no-store")
            let browser = APIFixture.browser(try token(answer))

            let session = try await api.send(.get, "/v1/session", as: browser)
            #expect(session.status == 200)
            #expect(try session.json["user"]?["email"] == Self.email)
            #expect(try session.json["destination"] == "simulator")
            #expect(try session.json["has_virtual_phones"] == false)
            #expect(
                try session.json["permissions"]?["all_apps"] == ["apps:read", "campaigns:read", "content:read"])
            let inApp = try #require(try session.json["permissions"]?["apps"]?.elements?.first)
            #expect(inApp["app_id"] == .string(app))
            #expect(inApp["permissions"]?.elements?.contains("campaigns:send") == true)
            #expect(try await api.send(.get, "/v1/apps/\(app)/campaigns", as: browser).status == 200)

            let out = try await api.send(.delete, "/v1/session", as: browser)
            #expect(out.status == 204 && out.headers[.setCookie]?.contains("belfry_session=; ") == true)
            let after = try await api.send(.get, "/v1/session", as: browser)
            #expect(after.status == 401 && after.code == "session-ended")
        }
    }

    @Test func unknownAccountAndWrongPasswordGetTheSameAnswer() async throws {
        try await APIFixture.run { api in
            let user = try await mina(api)
            _ = try await api.browser("root@example.com", [RoleAssignment(.admin)])
            let wrong = try await signIn(api, "not the password")
            let unknown = try await api.send(
                .post, "/v1/session", ["email": "nobody@example.com", "password": "not the password"], as: [:])
            _ = try await api.users.update(user.id, by: UserStore.Changes(isDisabled: true), expectedVersion: nil)
            let disabled = try await signIn(api)
            for answer in [wrong, unknown, disabled] {
                #expect(answer.status == 401 && answer.code == "wrong-credentials")
                #expect(answer.text("detail") == wrong.text("detail"))
                #expect(answer.headers[.setCookie] == nil)
            }
        }
    }

    /// The address of all requests here is the same, so what helps the owner is the browser.
    @Test func ownerSignsInFromAKnownBrowserAfterManyWrongPasswords() async throws {
        try await APIFixture.run { api in
            _ = try await mina(api)
            let browser = APIFixture.browser(try token(try await signIn(api)))
            try await api.pool.execute("DELETE FROM known_networks")
            var statuses: [Int] = []
            for _ in 0..<25 { statuses.append(try await signIn(api, "a wrong password").status) }
            #expect(statuses.prefix(10).allSatisfy { $0 == 401 } && statuses.suffix(10).allSatisfy { $0 == 429 })
            let stranger = try await signIn(api)
            #expect(stranger.status == 429 && stranger.code == "too-many-attempts")
            #expect(stranger.headers[.retryAfter].flatMap { Int($0) }.map { (1...30).contains($0) } == true)
            #expect(try await signIn(api, as: browser).status == 200)
            // Now the address is known, too.
            #expect(try await signIn(api).status == 200)
        }
    }

    @Test func anotherSiteCanNotActForWhoeverIsSignedIn() async throws {
        try await APIFixture.run { api in
            var browser = try await api.browser("mina@example.com", [RoleAssignment(.admin)])
            let field = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let origin = try #require(HTTPField.Name("Origin"))
            let body: JSON = ["name": "Shop", "bundle_id": "com.example.Shop"]
            for site in ["cross-site", "same-site"] {
                browser[field] = site
                let answer = try await api.send(.post, "/v1/apps", body, as: browser)
                #expect(answer.status == 403 && answer.code == "cross-site")
                // A link on another site must not start an export.
                let app = try await api.send(
                    .post, "/v1/apps", ["name": "S", "bundle_id": .string("com.example.\(site)")])
                let export = try await api.send(.get, "/v1/apps/\(app.text("id"))/devices/export", as: browser)
                #expect(export.status == 403 && export.code == "cross-site")
                browser[field] = "none"
                #expect(try await api.send(.get, "/v1/apps", as: browser).status == 200)
            }
            browser[field] = nil
            for site in ["https://evil.example", "null", "http://localhost:9", "http://localhost.evil.example"] {
                browser[origin] = site
                #expect(try await api.send(.post, "/v1/apps", body, as: browser).code == "cross-site")
            }
            browser[origin] = nil
            let session = try await api.send(.get, "/v1/session", as: browser)
            #expect(try await api.send(.post, "/v1/apps", body, as: browser).code == "cross-site-token-required")
            browser[try #require(HTTPField.Name("X-Cross-Site-Token"))] = session.text("cross_site_token")
            #expect(try await api.send(.post, "/v1/apps", body, as: browser).status == 201)
            var signingIn: HTTPFields = [:]
            signingIn[field] = "cross-site"
            #expect(try await signIn(api, as: signingIn).code == "cross-site")
        }
    }

    @Test func sessionEndsWhenItIsIdleOrOldOrThePersonIsDisabled() async throws {
        try await APIFixture.run { api in
            _ = try await api.browser("root@example.com", [RoleAssignment(.admin)])
            for (index, change) in [
                "UPDATE sessions SET last_used_at = now() - interval '12 hours 1 second'",
                "UPDATE sessions SET expires_at = now()", "UPDATE users SET disabled_at = now() WHERE email LIKE 'm%'",
            ].enumerated() {
                let browser = try await api.browser("m\(index)@example.com", [RoleAssignment(.viewer)])
                try await api.pool.execute(.init(stringLiteral: change))
                #expect(try await api.send(.get, "/v1/session", as: browser).status == 401)
            }
        }
    }

    @Test func personListsAndEndsOwnSessionsOnly() async throws {
        try await APIFixture.run { api in
            _ = try await mina(api)
            let first = APIFixture.browser(try token(try await signIn(api)))
            let second = APIFixture.browser(try token(try await signIn(api)))
            let other = try await api.browser("other@example.com", [RoleAssignment(.viewer)])
            let list = try await api.send(.get, "/v1/sessions", as: first)
            let ids = try list.page.ids
            #expect(ids.count == 2)
            #expect(try list.json["data"]?.elements?.map { $0["is_current"] } == [false, true])
            #expect(try await api.send(.delete, "/v1/sessions/\(ids[0])", as: other).status == 404)
            #expect(try await api.send(.delete, "/v1/sessions/\(ids[0])", as: first).status == 204)
            #expect(try await api.send(.get, "/v1/session", as: second).status == 401)
            #expect(try await api.send(.get, "/v1/session", as: first).status == 200)
        }
    }

    @Test func passwordChangeEndsTheOtherSessions() async throws {
        try await APIFixture.run { api in
            _ = try await mina(api)
            let first = APIFixture.browser(try token(try await signIn(api)))
            let second = APIFixture.browser(try token(try await signIn(api)))
            func change(_ current: String, _ new: String) async throws -> Answer {
                try await api.send(
                    .put, "/v1/password", ["current_password": .string(current), "password": .string(new)], as: first)
            }
            #expect(try await change("wrong", "four bells at night").code == "wrong-password")
            #expect(try await change(Self.password, "short").problems == ["password: too-short"])
            #expect(try await change(Self.password, "Password123!").problems == ["password: too-common"])
            #expect(try await change(Self.password, "four bells at night").status == 204)
            #expect(try await api.send(.get, "/v1/session", as: second).status == 401)
            #expect(try await api.send(.get, "/v1/session", as: first).status == 200)
            #expect(try await signIn(api).status == 401)
            #expect(try await signIn(api, "four bells at night").status == 200)
        }
    }

    @Test func firstAdminIsCreatedOnceWithTheSetUpLink() async throws {
        try await APIFixture.run { api in
            let links = SignInLinkStore(pool: api.pool)
            let late = try await links.create(.setUp, for: nil, lifetime: .zero)
            func setUp(_ link: String, _ password: String = Self.password) async throws -> Answer {
                try await api.send(
                    .post, "/v1/set-up",
                    ["link": .string(link), "email": Self.email, "name": "Mina", "password": .string(password)], as: [:]
                )
            }
            #expect(try await api.send(.get, "/v1/set-up", as: [:]).json == ["is_needed": true])
            #expect(try await setUp("guess").code == "link-is-invalid")
            #expect(try await setUp(late).code == "link-is-invalid")
            let link = try await links.create(.setUp, for: nil, lifetime: .seconds(60))
            #expect(try await setUp(link, "belfry12345").problems == ["password: too-common"])
            let made = try await setUp(link)
            #expect(made.status == 200)
            #expect(try made.json["user"]?["roles"] == [["role": "admin", "app_id": .null]])
            #expect(try await api.send(.get, "/v1/users", as: APIFixture.browser(try token(made))).status == 200)
            #expect(try await setUp(link).code == "link-is-invalid")
            let second = try await links.create(.setUp, for: nil, lifetime: .seconds(60))
            #expect(try await setUp(second).code == "set-up-is-done")
            #expect(try await api.send(.get, "/v1/set-up", as: [:]).json == ["is_needed": false])
        }
    }

    @Test func addedPersonChoosesAPasswordWithTheLink() async throws {
        try await APIFixture.run { api in
            let admin = try await api.browser("root@example.com", [RoleAssignment(.admin)])
            let added = try await api.send(
                .post, "/v1/users", ["email": "Mina@Example.com", "name": "Mina", "roles": [["role": "marketer"]]],
                as: admin)
            #expect(added.status == 201 && added.text("email") == "mina@example.com")
            #expect(try added.json["has_password"] == false)
            #expect(try await signIn(api).status == 401)
            let link = try #require(
                added.text("password_link").wholeMatch(of: /http:\/\/push.example.com\/#password=(\S+)/)?.1)
            func choose(_ password: String) async throws -> Answer {
                try await api.send(
                    .post, "/v1/password", ["link": .string(String(link)), "password": .string(password)], as: [:])
            }
            #expect(try await choose("mina123456").problems == ["password: too-common"])
            #expect(try await choose(Self.password).status == 200)
            #expect(try await choose(Self.password).code == "link-is-invalid")
            #expect(try await signIn(api).status == 200)
            let again = try await api.send(
                .post, "/v1/users", ["email": "mina@example.com", "roles": []], as: admin)
            #expect(again.status == 409 && again.code == "email-taken")
        }
    }

    @Test func lastAdminRemains() async throws {
        try await APIFixture.run { api in
            let admin = try await api.browser("root@example.com", [RoleAssignment(.admin)])
            let id = try await api.send(.get, "/v1/users", as: admin).page.ids[0]
            #expect(try await api.send(.post, "/v1/users/\(id)/disable", as: admin).code == "last-admin")
            let demoted = try await api.send(.patch, "/v1/users/\(id)", ["roles": [["role": "viewer"]]], as: admin)
            #expect(demoted.code == "last-admin")
            let other = try await api.browser("other@example.com", [RoleAssignment(.admin)])
            #expect(try await api.send(.post, "/v1/users/\(id)/disable", as: other).status == 200)
            #expect(try await api.send(.get, "/v1/session", as: admin).status == 401)
            #expect(try await api.send(.post, "/v1/users/\(id)/enable", as: other).status == 200)
        }
    }

    /// A key that may only manage people must not become an admin by a detour.
    @Test func nobodyGivesPermissionsThatHeDoesNotHave() async throws {
        try await APIFixture.run { api in
            _ = try await api.browser("root@example.com", [RoleAssignment(.admin)])
            let id = try await api.send(.get, "/v1/users").page.ids[0]
            let key = try await api.keys.create(
                app: nil, kind: .secret, name: "people", scopes: Role.viewer.permissions.union([.users])
            ).text
            func add(_ role: JSON) async throws -> Answer {
                try await api.send(
                    .post, "/v1/users", ["email": "new@example.com", "roles": [["role": role]]], key: key)
            }
            #expect(try await add("admin").code == "permission-missing")
            #expect(try await add("viewer").status == 201)
            #expect(try await api.send(.post, "/v1/users/\(id)/password-link", key: key).code == "permission-missing")
            #expect(try await api.send(.post, "/v1/users/\(id)/disable", key: key).code == "permission-missing")
            let viewer = try await api.send(.get, "/v1/users").page.ids[0]
            let raised = try await api.send(
                .patch, "/v1/users/\(viewer)", ["roles": [["role": "sender"]]], key: key)
            #expect(raised.code == "permission-missing")
        }
    }
}
