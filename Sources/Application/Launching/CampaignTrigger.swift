public import Campaigns
public import JSON
public import Store

/// Starts runs of campaigns that wait for an API call.
public struct CampaignTrigger: Sendable {
    private let campaigns: CampaignStore
    private let triggers: TriggerStore
    private let check: LaunchCheck

    public init(stores: Stores, contents: ContentLoader) {
        campaigns = stores.campaigns
        triggers = stores.triggers
        check = LaunchCheck(stores: stores, contents: contents)
    }

    /// Starts a run for the campaign's audience, or for the members of it in `userIDs`. `values`, an object, replace
    /// attributes with the same names in the content. A repeated key returns the run that it started first, whatever
    /// the campaign's state is now.
    public func trigger(
        _ id: Campaign.ID, app: App.ID, userIDs: [String]?, values: JSON? = nil, key: IdempotencyKey? = nil
    ) async throws -> Run.ID {
        let campaign = try await campaigns.find(id, app: app)
        if let key, let run = try await triggers.run(of: campaign, under: key) { return run }
        guard campaign.state == .scheduled, campaign.content.schedule == .triggered else {
            throw Refusal.notTriggered
        }
        guard campaign.schedulePausedAt == nil else { throw Refusal.schedulePaused }
        if values != nil, campaign.content.variants.allSatisfy({ $0.body.payload != nil }) {
            throw Refusal.valuesNeedTemplate
        }
        let launch = try await check.launch(
            campaign, by: campaign.content.schedule, narrowedTo: userIDs, values: values,
            countingWithin: LaunchCheck.countLimit
        ).orThrow()
        return try await triggers.start(
            campaign, audience: launch.audience, estimated: launch.estimated, values: values, key: key)
    }
}
