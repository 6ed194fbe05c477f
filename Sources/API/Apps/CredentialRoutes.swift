import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// APNs signing keys. The API accepts a .p8 file and never returns it.
struct CredentialRoutes: RouteGroup {
    let apps: AppStore
    let credentials: CredentialStore

    func add(to routes: inout Routes) {
        routes.addForApp(.post, "/credentials", for: .permission(.appsWrite), takesIdempotencyKey: true) {
            [credentials] call in
            let draft = try await CredentialDraft(call.request)
            let credential = try await credentials.create(
                app: call.app, keyID: draft.keyID, teamID: draft.teamID, key: draft.key,
                environments: draft.environments)
            return .json(credential.json, version: 1, status: .created)
                .located(at: call.path("credentials", credential.id))
        }
        routes.addForApp(.get, "/credentials", for: .permission(.appsRead), query: Paging.parameters) {
            [apps, credentials] call in
            let page: Page<Credential.ID> = try Paging.page(call.request)
            let list = try await credentials.list(app: call.app, before: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            return Paging.response(list, page, id: \.id, json: \.json)
        }
        routes.addForApp(.delete, "/credentials/{credential}", for: .permission(.appsWrite)) { [credentials] call in
            try await ObjectReader.refuseBody(call.request)
            try call.request.checkImmutable()
            try await credentials.delete(call.id("credential", .credential), app: call.app)
            return .noContent
        }
        routes.addForApp(.get, "/credentials/{credential}", for: .permission(.appsRead)) { [credentials] call in
            .json(try await credentials.find(call.id("credential", .credential), app: call.app).json, version: 1)
        }
    }
}

extension Credential {
    fileprivate var json: JSON {
        let names = PushEnvironment.allCases.filter(environments.contains).map { JSON.string($0.name) }
        return [
            "id": .id(id), "app_id": .id(app), "key_id": .string(keyID.text), "team_id": .string(teamID.text),
            "environments": .array(names), "created_at": .time(createdAt),
        ]
    }
}
