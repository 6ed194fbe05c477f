import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Store

/// Adds virtual phones to an app, in the demo only.
struct VirtualPhoneRoutes: RouteGroup {
    let apps: AppStore
    let phones: (any VirtualPhones)?

    /// In characters; a key has about 50.
    private static let maximumKeyLength = 200

    func add(to routes: inout Routes) {
        // The phone registers in a transaction of its own.
        routes.addForApp(.post, "/virtual-phones", for: .permission(.devicesWrite), audit: .afterwards) { [self] call in
            let app = try await apps.find(call.app)
            guard let phones else { throw Refusal.noVirtualPhones }
            var body = try await ObjectReader(call.request)
            body.require("key")
            let key = body.text("key", length: 1...Self.maximumKeyLength)
            try body.finish()
            guard let key else { throw APIError(problems: []) }
            let installation = try await phones.add(to: app, publishableKey: key)
            return .json(["installation": .string(installation)])
        }
    }
}
