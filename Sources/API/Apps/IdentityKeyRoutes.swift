import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Postgres
import Store

/// The keys with which an app's server proves who its users are.
struct IdentityKeyRoutes: RouteGroup {
    let keys: IdentityKeyStore

    func add(to routes: inout Routes) {
        routes.addForApp(
            .post, "/identity-key", for: .permission(.appsWrite), takesIdempotencyKey: true, answerHoldsSecret: true
        ) { [keys] call in
            try await ObjectReader.refuseBody(call.request)
            let key = try await keys.create(app: call.app)
            return .json(
                [
                    "version": .count(Int(key.version)), "secret": .string(key.secret),
                    "created_at": .time(key.createdAt),
                ])
        }
    }
}
