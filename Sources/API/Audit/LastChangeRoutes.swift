import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Store

/// Reports the author and time of a resource's last change, to a person whose own change conflicts with it.
struct LastChangeRoutes: RouteGroup {
    private static let collections = [
        (path: "campaigns", parameter: "campaign", resource: Resource.campaign),
        (path: "segments", parameter: "segment", resource: .segment),
        (path: "templates", parameter: "template", resource: .template),
    ]

    let audit: AuditStore

    func add(to routes: inout Routes) {
        for (path, parameter, resource) in Self.collections {
            routes.addForApp(.get, "/\(path)/{\(parameter)}/last-change", for: .permission(.campaignsRead)) {
                [audit] call in
                let id: Identifier<Any> = try call.id(parameter, resource)
                let change = try await audit.lastChange(of: call.path(path, id))
                return .json(["at": .time(change?.at), "by": .text(change?.entry.actor.name)])
            }
        }
    }
}
