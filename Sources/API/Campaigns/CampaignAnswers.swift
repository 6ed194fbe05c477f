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
        if campaign.state == .scheduled, approval?.state == .void {
            warnings.append(
                .warning(
                    "approval", "approval-void",
                    """
                    is void, because the campaign was changed after it; request a new one. If the app still asks for \
                    approvals then, the campaign fails at its time without it
                    """))
        }
        let newest = JSON.Member("approval", approval.map { .object($0.summary) } ?? .null)
        return .json(try campaign.json(and: [newest], warnings: warnings), version: campaign.version, status: status)
    }
}
