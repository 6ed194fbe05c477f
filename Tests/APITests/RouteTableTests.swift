import HTTPTypes
import Testing

@testable import API

/// Docs/routes.md: all routes with what they declare, by group.
@Suite struct RouteTableTests {
    @Test func documentShowsTheRoutes() async throws {
        try await APIFixture.run { api in
            try expectDocument("routes.md", Self.document(api.declared))
        }
    }

    private static func document(_ routes: [Route]) -> String {
        var lines = [
            "# Routes", "",
            "A test writes this page from the routes of the program. Each section is a group: a type in `Sources/API`. Its",
            "routes are in the order in which it declares them. Changes are recorded in the audit log, and reading is not,",
            "unless a route says otherwise. [permissions.md](permissions.md) lists the permissions of each role.",
        ]
        for (group, routes) in Dictionary(grouping: routes, by: \.group).sorted(by: { $0.key < $1.key }) {
            lines += ["", "## \(group)", "", "| route | requires | query parameters | rules |", "|---|---|---|---|"]
            for route in routes {
                let access = route.access?.description ?? "nothing"
                let query = route.query.map { "`\($0)`" }.joined(separator: ", ")
                let cells = ["`\(route.name)`", access, query, rules(of: route).joined(separator: ", ")]
                lines.append("| " + cells.joined(separator: " | ") + " |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func rules(of route: Route) -> [String] {
        var rules = route.takesIdempotencyKey ? ["Idempotency-Key"] : []
        if route.answerHoldsSecret { rules.append("secret answer") }
        guard route.access != nil else { return rules }
        switch (route.method, route.audit.people, route.audit.keys) {
        case (.get, .never, .never): break
        case (_, .never, .never): rules.append("not recorded")
        case (_, _, .never): rules.append("recorded for people only")
        case (.get, _, _): rules.append("recorded")
        default: break
        }
        return rules
    }
}
