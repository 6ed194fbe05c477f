import Application
import HTTPServer
import HTTPTypes
import JSON
import Notifications

/// Health checks for monitoring and load balancers.
struct HealthRoutes: RouteGroup {
    let readiness: ReadinessCheck

    func add(to routes: inout Routes) {
        // Only whether the process answers. /readyz checks the database too.
        routes.addOpen(.get, "/healthz", toDevices: true) { _ in .json(["status": "ok"]) }
        routes.addOpen(.get, "/readyz") { [readiness] _ in
            switch try await readiness.run() {
            case .ready: return .json(["status": "ready"])
            case .stopping: throw APIError.shuttingDown
            case .otherSchema(let found, let required):
                throw APIError.schemaVersionMismatch(found: found, required: required)
            }
        }
    }
}
