import Campaigns
import JSON
import Notifications
import Store

/// What must be right before a campaign may start, looked at when somebody presses the button: nothing is sent that would
/// be refused, and nobody waits for what cannot come.
struct LaunchCheck {
    /// For the count of the audience.
    private static let budget = Duration.milliseconds(500)

    let campaigns: CampaignStore
    let content: LaunchContentCheck
    let credentials: CredentialStore
    let segments: SegmentStore
    let counts: AudienceCountStore

    /// What would keep it from being scheduled or started now, whoever is there.
    func problems(of campaign: CampaignRecord) async throws -> [Problem] {
        var problems = try await content.problems(of: campaign.content, app: campaign.app)
        if try await credentials.list(app: campaign.app, before: nil, limit: 1).isEmpty {
            problems.append(
                .error("", "no-credential", "the app has no APNs key (.p8): add one under its credentials"))
        }
        if campaign.archivedAt != nil {
            problems.append(.error("", "campaign-archived", "the campaign is archived: take it out of the archive"))
        }
        if try await campaigns.isPast(campaign) {
            // What was to go at one moment may be started by hand all the same.
            let severity: Problem.Severity = if case .at = campaign.content.schedule { .warning } else { .error }
            problems.append(
                Problem(
                    path: "schedule", code: "schedule-past",
                    message: "lies wholly in the past, so it cannot be scheduled",
                    severity: severity))
        }
        return problems
    }

    /// Throws in words. Who is there counts `now` only: the audience of what is scheduled may still grow.
    func check(_ campaign: CampaignRecord, now: Bool) async throws {
        let problems = try await content.problems(of: campaign.content, app: campaign.app)
        guard problems.isEmpty else { throw Refusal(problems: problems) }
        guard try await !credentials.list(app: campaign.app, before: nil, limit: 1).isEmpty else {
            throw StoreRefusal.noCredential
        }
        let audience = try await segments.resolve(member: campaign.content.audience, app: campaign.app)
        guard now else { return }
        let count = try await counts.count(audience, app: campaign.app, budget: Self.budget)
        if count.isExact, count.matches == 0 { throw StoreRefusal.nobodyMatches }
    }
}
