import Administration
import Campaigns
import Crypto
import HTTPServer
import HTTPTypes
import JSON
import Store

/// The audit log, of one app or of everything.
struct AuditRoutes: RouteGroup {
    private static let query = Paging.parameters + ["action", "actor", "resource", "since", "until"]

    let audit: AuditStore

    func add(to routes: inout Routes) {
        routes.add(.get, "/v1/audit", for: .permission(.auditRead), query: Self.query) { [self] call in
            try await list(call, app: nil)
        }
        routes.addForApp(.get, "/audit", for: .permission(.auditRead), query: Self.query) { [self] call in
            try await list(call.call, app: call.app)
        }
    }

    private func list(_ call: Call, app: App.ID?) async throws -> Response {
        let page: Page<Audit.ID> = try Paging.page(call.request)
        var filter = AuditStore.Filter()
        filter.app = app
        filter.action = call.request.queryItems["action"]
        filter.actor = call.request.queryItems["actor"]
        filter.resource = call.request.queryItems["resource"]
        filter.since = try call.request.time("since")
        filter.until = try call.request.time("until")
        let list = try await audit.list(filter, before: page.cursor, limit: page.limit)
        return Paging.response(list, page, id: \.id, json: \.json)
    }
}

extension AuditRecord {
    fileprivate var json: JSON {
        [
            "id": .id(id), "at": .time(at), "app_id": entry.app.map { .id($0) } ?? .null,
            "actor": [
                "kind": .string(entry.actor.kind.rawValue), "id": entry.actor.id.map { .string(String($0)) } ?? .null,
                "name": .string(entry.actor.name),
            ],
            "action": .string(entry.action), "resource": .string(entry.resource), "address": .string(entry.address),
            "request_id": .string(entry.requestID), "before": Self.value(entry.before),
            "after": Self.value(entry.after), "hash": .string(Hex.encode(hash)),
        ]
    }

    private static func value(_ text: String?) -> JSON {
        guard let text else { return .null }
        return (try? JSON(parsing: text)) ?? .string(text)
    }
}
