import Administration
import Campaigns
import HTTPTypes
import JSON
import Store
import Testing

@testable import API

/// Every route against every role, every kind of key, and nobody. Docs/permissions.md has the roles.
@Suite struct PermissionTableTests {
    /// A caller, and the access that is expected from the declaration of a route alone.
    private struct Visitor: Sendable {
        let name: String
        let headers: HTTPFields
        let caller: Kind

        enum Kind: Sendable {
            case nobody, publishable
            case secret(Set<Permission>)
            case person(Set<Permission>)
        }

        func mayUse(_ access: Access?) -> Bool {
            guard let access else { return true }
            switch (access, caller) {
            case (_, .nobody): return false
            case (.key, .publishable), (.key, .secret), (.person, .person), (.publishable, .publishable): return true
            case (.key, _), (.person, _), (_, .publishable): return false
            case (.permission(let permission), .secret(let own)), (.permission(let permission), .person(let own)),
                (.permissionInAnyApp(let permission), .secret(let own)),
                (.permissionInAnyApp(let permission), .person(let own)),
                (.publishable(or: let permission), .secret(let own)),
                (.publishable(or: let permission), .person(let own)):
                return own.contains(permission)
            }
        }
    }

    @Test func everyRouteIsOpenToItsCallersAndToNobodyElse() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let visitors = try await Self.visitors(api, app: try #require(App.ID(app)))
            var asked = 0
            // Whoever signs out can ask no more.
            let routes = api.declared.sorted { $0.name != "DELETE /v1/session" && $1.name == "DELETE /v1/session" }
            for route in routes {
                for visitor in visitors {
                    var headers = visitor.headers
                    // A visitor who may delete the app must not do so.
                    headers[.ifMatch] = "\"99\""
                    let answer = try await api.send(
                        route.method, Self.path(route, app: app), key: .some(nil), headers: headers)
                    // Without a body or a resource, a request that is let in fails later, and says why.
                    let isRefused = [401, 403].contains(answer.status) || answer.text("code") == "app-not-found"
                    let wasLetIn = route.access == nil || !isRefused
                    let mayUse = visitor.mayUse(route.access)
                    #expect(wasLetIn == mayUse, "\(visitor.name): \(route.name) got \(answer.status)")
                    #expect(answer.status < 500, "\(visitor.name): \(route.name)")
                    asked += 1
                }
            }
            #expect(asked == api.declared.count * visitors.count && api.declared.count > 130)
            print("\(asked) requests: \(api.declared.count) routes, \(visitors.count) callers")
        }
    }

    /// A role in one app opens nothing of another, and nothing that is about all apps.
    @Test func rolesInOneAppEndAtItsBorder() async throws {
        try await APIFixture.run { api in
            let (own, other) = (try await api.app(), try await api.app("com.example.Other"))
            let id = try #require(App.ID(own))
            let admin = try await api.browser("admin@example.com", [RoleAssignment(.admin, in: id)])
            for route in api.declared {
                guard case .permission = route.access else { continue }
                if route.pattern.contains("{app}") {
                    let answer = try await api.send(route.method, Self.path(route, app: other), as: admin)
                    #expect(answer.status == 404 && answer.text("code") == "app-not-found", "\(route.name)")
                } else {
                    let answer = try await api.send(route.method, Self.path(route, app: other), as: admin)
                    #expect(answer.status == 403 && answer.text("code") == "roles-limited-to-apps", "\(route.name)")
                }
            }
            #expect(try await api.send(.get, "/v1/apps", as: admin).page.ids == [own])
        }
    }

    /// The description names the same callers as the routes.
    @Test func descriptionNamesTheCallers() async throws {
        try await APIFixture.run { api in
            let document = try APIFixture.document().json
            for route in api.declared {
                let operation = document["paths"]?[route.pattern]?[route.method.rawValue.lowercased()]
                let schemes = (operation?["security"]?.elements ?? []).compactMap { $0.members?.first?.key }
                let expected: [String] =
                    switch route.access {
                    case nil: []
                    case .key: ["publishableKey", "secretKey"]
                    case .person: ["session"]
                    case .publishable: ["publishableKey", "secretKey", "session"]
                    case .permission, .permissionInAnyApp: ["secretKey", "session"]
                    }
                #expect(schemes == expected, "\(route.name)")
            }
        }
    }

    @Test func documentShowsTheRoles() throws {
        try expectDocument("permissions.md", Self.document())
    }

    private static func visitors(_ api: APIFixture, app: App.ID) async throws -> [Visitor] {
        var visitors = [Visitor(name: "nobody", headers: [:], caller: .nobody)]
        func key(_ name: String, _ kind: APIKey.Kind, _ scopes: Set<Permission>, app: App.ID?, _ caller: Visitor.Kind)
            async throws
        {
            let text = try await api.keys.create(app: app, kind: kind, name: name, scopes: scopes).text
            visitors.append(Visitor(name: name, headers: [.authorization: "Bearer \(text)"], caller: caller))
        }
        try await key("publishable key", .publishable, [], app: app, .publishable)
        for permission in Permission.allCases {
            try await key("key with \(permission.rawValue)", .secret, [permission], app: nil, .secret([permission]))
        }
        for role in Role.allCases {
            let headers = try await api.browser("\(role.rawValue)@example.com", [RoleAssignment(role)])
            visitors.append(Visitor(name: role.rawValue, headers: headers, caller: .person(role.permissions)))
        }
        let nobody = try await api.browser("none@example.com", [])
        visitors.append(Visitor(name: "person without a role", headers: nobody, caller: .person([])))
        return visitors
    }

    /// A path at which nothing else is found than the app, so that a request that is let in changes nothing.
    private static func path(_ route: Route, app: String) -> String {
        route.pattern.replacing("{app}", with: app).replacing(/\{\w+\}/, with: "999999")
    }

    private static func document() -> String {
        let roles = Role.allCases
        var lines = [
            "# Permissions", "",
            "A test writes this page from the roles of the program. [routes.md](routes.md) has the permission that each route",
            "requires; another test asks every route as every role, with every kind of key, and without any. A secret API",
            "key needs the permission as a scope. A role can be given for all apps or for one; a route without `{app}`",
            "requires it for all apps, except for the list of apps.", "",
            "| permission | " + roles.map(\.rawValue).joined(separator: " | ") + " |",
            "|---|" + roles.map { _ in ":-:|" }.joined(),
        ]
        for permission in Permission.allCases {
            let marks = roles.map { $0.permissions.contains(permission) ? "✓" : "" }
            lines.append("| `\(permission.rawValue)` | " + marks.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
