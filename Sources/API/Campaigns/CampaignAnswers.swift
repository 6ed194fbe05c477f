import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store

/// Answers with one campaign and all that a person should know about it: also what its content and its audience warn
/// of, which depends on the app's devices and categories.
struct CampaignAnswers: Sendable {
    let contents: ContentLoader
    let approvals: ApprovalStore

    func response(_ campaign: CampaignRecord, status: HTTPResponse.Status = .ok) async throws -> Response {
        let content = campaign.content
        var warnings = try await contents.contentWarnings(of: content, app: campaign.app)
        if content.audience.condition != nil {
            let locales = try await contents.context(of: campaign.app).locales ?? []
            warnings += content.audience.unmatchedLocales(among: locales).map { $0.inside("audience") }
        }
        let approval = try await approvals.newest(of: campaign.id, app: campaign.app)
        let newest = JSON.Member("approval", approval.map { .object($0.summary) } ?? .null)
        return .json(try campaign.json(and: [newest], warnings: warnings), version: campaign.version, status: status)
    }
}
