import HTTPServer
import Notifications
import Postgres

/// For those who watch over Belfry.
struct HealthRoutes: RouteGroup {
    let pendingMigrations: @Sendable () async throws -> Int

    func add(to routes: inout Routes) {
        // The process answers: whether it is of use is for /readyz.
        routes.addOpen(.get, "/healthz") { _ in .json(["status": "ok"]) }
        routes.addOpen(.get, "/readyz") { [pendingMigrations] _ in
            let pending: Int
            do {
                pending = try await pendingMigrations()
            } catch let error as PostgresError {
                throw Refusal.unavailable(
                    "database-away", "The database does not answer (\(error.sqlState)).",
                    retryAfter: ErrorRendering.retryAfterSeconds)
            }
            guard pending == 0 else {
                throw Refusal.unavailable(
                    "migrations-pending", "The database lacks \(pending) migrations.",
                    retryAfter: ErrorRendering.retryAfterSeconds)
            }
            return .json(["status": "ready"])
        }
    }
}
