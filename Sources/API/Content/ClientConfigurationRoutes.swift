import Administration
import Application
import Campaigns
import Crypto
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// The first question of an app at each launch: how payloads name Belfry's members, which limits requests have, and
/// whether the app's categories and local plans are still the newest. One request is enough while nothing has changed.
struct ClientConfigurationRoutes: RouteGroup {
    let apps: AppStore
    let categories: CategoryStore
    let plans: LocalPlanStore

    func add(to routes: inout Routes) {
        routes.addForApp(.get, "/client-configuration", for: .publishable(or: .appsRead)) {
            [apps, categories, plans] call in
            let app = try await apps.find(call.app).settings
            return .json(
                [
                    "message_id_key": .string(app.messageIDKey),
                    "attachment_url_key": .string(app.attachmentKeys.url),
                    "attachment_type_key": .text(app.attachmentKeys.type),
                    "identity_verification": .bool(app.verifiesIdentity),
                    "limits": Self.limits,
                    "revisions": [
                        "categories": .string(Self.revision(try await categories.versions(app: call.app))),
                        "local_plans": .string(Self.revision(try await plans.activeVersions(app: call.app))),
                    ],
                ], version: 1)
        }
    }

    private static let limits: JSON = [
        "events_per_request": .count(AcknowledgementBody.maximumEvents),
        "bytes_per_request": .count(AcknowledgementBody.maximumSize),
        "event_days": .count(Int(EventClock.maximumAge.components.seconds / 86_400)),
    ]

    /// Bytes of a revision.
    private static let revisionLength = 8

    /// Another text as soon as one of them is added, edited, archived or deleted.
    private static func revision<Of>(_ versions: [(id: Identifier<Of>, version: Int)]) -> String {
        let text = versions.map { "\($0.id):\($0.version)" }.joined(separator: ",")
        return Hex.encode(SHA256.hash(Array(text.utf8)).prefix(revisionLength))
    }
}
