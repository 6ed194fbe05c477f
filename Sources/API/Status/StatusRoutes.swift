import Administration
import Application
import HTTPServer
import HTTPTypes
import Store

/// All processes and unfinished runs, with what needs a person. It shows names of all apps, so it is for those who may
/// read the audit log of all.
struct StatusRoutes: RouteGroup {
    let status: StatusStore

    func add(to routes: inout Routes) {
        routes.add(.get, "/v1/status", for: .permission(.auditRead)) { [status] _ in
            .json(SystemStatus(try await status.facts(seenWithin: SystemStatus.lostAreListed)).json)
        }
    }
}
