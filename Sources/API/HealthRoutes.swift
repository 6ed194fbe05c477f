import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// For those who watch over Belfry.
struct HealthRoutes: RouteGroup {
    let instance: InstanceStore
    /// The last migration that this program knows.
    let schemaVersion: Int

    func add(to routes: inout Routes) {
        // The process answers: whether it is of use is for /readyz.
        routes.addOpen(.get, "/healthz") { _ in .json(["status": "ok"]) }
        routes.addOpen(.get, "/readyz") { [instance, schemaVersion] _ in
            let found = try await instance.schemaVersion()
            guard found == schemaVersion else {
                throw APIError.unavailable(
                    "schema-differs",
                    "The database's schema is at migration \(found); this program wants \(schemaVersion).",
                    retryAfter: ErrorRendering.retryAfterSeconds)
            }
            return .json(["status": "ready"])
        }
    }
}
