import Campaigns
import Notifications
import Store

/// What must be right before a campaign may start, looked at when somebody presses the button: nothing is sent that would
/// be refused, and nobody waits for what cannot come.
struct LaunchCheck {
    /// For the count of the audience.
    private static let budget = Duration.milliseconds(500)

    let apps: AppStore
    let contents: Contents
    let credentials: CredentialStore
    let segments: SegmentStore
    let counts: AudienceCountStore

    /// Throws in words. Who is there counts `now` only: the audience of what is scheduled may still grow.
    func check(_ campaign: CampaignRecord, now: Bool) async throws {
        let app = try await apps.find(campaign.app)
        let problems = try await CampaignDraft(campaign.content).storedProblems(contents, app: app)
        guard problems.isEmpty else { throw Refusal(problems: problems) }
        guard try await !credentials.list(app: app.id, before: nil, limit: 1).isEmpty else {
            throw StoreRefusal.noCredential
        }
        do {
            let audience = try await segments.resolve(campaign.content.audience, app: app.id)
            guard now else { return }
            let count = try await counts.count(audience, app: app.id, budget: Self.budget)
            if count.isExact, count.matches == 0 { throw StoreRefusal.nobodyMatches }
        } catch let error as Problems {
            throw Refusal(problems: error.problems.map { $0.at("audience") })
        }
    }
}
