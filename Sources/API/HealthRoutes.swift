import Application
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// Health checks for monitoring and load balancers.
struct HealthRoutes: RouteGroup {
    let instance: InstanceStore
    let readiness: ReadinessCheck
    /// The last migration that this program knows.
    let schemaVersion: Int

    func add(to routes: inout Routes) {
        // Only whether the process answers. /readyz checks the database too.
        routes.addOpen(.get, "/healthz") { _ in .json(["status": "ok"]) }
        routes.addOpen(.get, "/readyz") { [instance, readiness, schemaVersion] _ in
            let found = try await instance.schemaVersion()
            guard found == schemaVersion else {
                throw APIError.schemaVersionMismatch(found: found, required: schemaVersion)
            }
            try await readiness.run()
            return .json(["status": "ready"])
        }
    }
}
