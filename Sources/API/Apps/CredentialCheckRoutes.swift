import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Store

/// Asks Apple about a signing key before it is stored.
struct CredentialCheckRoutes: RouteGroup {
    let apps: AppStore
    let checker: any CredentialChecker

    func add(to routes: inout Routes) {
        routes.addForApp(.post, "/credentials/check", for: .permission(.appsWrite), audit: .never) { [self] call in
            let app = try await apps.find(call.app)
            guard let draft = try await CredentialDraft.checked(call.request) else { return .json(["data": []]) }
            let findings = await checker.check(draft, for: app.settings.bundleID)
            return .json(["data": .array(findings.map(\.json))])
        }
    }
}

extension CredentialFinding {
    fileprivate var json: JSON {
        [
            "environment": .string(environment.name), "outcome": .string(outcome.rawValue), "host": .string(host),
            "status": status.map { .count($0) } ?? .null, "reason": .text(reason), "meaning": .text(meaning),
            "meaning_localization": .localization(meaning),
            "remedy": .text(remedy), "remedy_localization": .localization(remedy),
        ]
    }
}
