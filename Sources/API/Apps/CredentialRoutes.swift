import Campaigns
import Crypto
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// APNs signing keys. The API accepts a .p8 file and never returns it.
struct CredentialRoutes: RouteGroup {
    let apps: AppStore
    let credentials: CredentialStore

    /// In characters; Apple's files have 257.
    private static let maximumP8Length = 4_096

    func add(to routes: inout Routes) {
        routes.addForApp(.post, "/credentials", for: .permission(.appsWrite), takesIdempotencyKey: true) {
            [credentials] call in
            var body = try await ObjectReader(call.request)
            body.require("key_id", "team_id", "p8", "environments")
            let keyID = body.value("key_id") { (text) throws(InvalidValue) in try KeyID(text) }
            let teamID = body.value("team_id") { (text) throws(InvalidValue) in try TeamID(text) }
            let key = Self.signingKey(&body)
            let environments = Self.environments(&body)
            try body.finish()
            guard let keyID, let teamID, let key, let environments else { throw APIError(problems: []) }
            let credential = try await credentials.create(
                app: call.app, keyID: keyID, teamID: teamID, key: key, environments: environments)
            return .json(credential.json, version: 1, status: .created)
                .located(at: call.path("credentials", credential.id))
        }
        routes.addForApp(.get, "/credentials", for: .permission(.appsRead), query: Paging.parameters) {
            [apps, credentials] call in
            let page: Page<Credential.ID> = try Paging.page(call.request)
            let list = try await credentials.list(app: call.app, before: page.cursor, limit: page.limit)
            if list.isEmpty { _ = try await apps.find(call.app) }
            return Paging.response(list, limit: page.limit, id: \.id, json: \.json)
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

    private static func signingKey(_ body: inout ObjectReader) -> SigningKey? {
        guard let pem = body.text("p8", length: 1...maximumP8Length) else { return nil }
        do throws(CryptoError) {
            return try SigningKey(pem: pem)
        } catch {
            // Crypto's messages never contain the key.
            body.refuse("p8", "not-a-signing-key", "must be the text of the .p8 file from Apple. \(error.clause)")
            return nil
        }
    }

    private static func environments(_ body: inout ObjectReader) -> Set<PushEnvironment>? {
        let names = PushEnvironment.allCases.map(\.name)
        let environments = body.names("environments", among: names) { PushEnvironment(name: $0) }
        if environments?.isEmpty == true { body.refuse("environments", "empty", "must name at least one environment") }
        return environments
    }
}

extension CryptoError {
    /// The description without its full stop: a problem's message gets one anyway.
    fileprivate var clause: String {
        description.hasSuffix(".") ? String(description.dropLast()) : description
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
