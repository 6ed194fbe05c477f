public import Campaigns
import JSON
import Notifications
public import Postgres

/// Starts runs of campaigns that wait for a call.
public struct TriggerStore: Sendable {
    private static let constraint = "runs_trigger_key"

    private let pool: PostgresPool
    private let campaigns: CampaignStore
    private let segments: SegmentStore
    private let counts: AudienceCountStore
    private let content: LaunchContentCheck

    /// `media` finds what templates name.
    public init(pool: PostgresPool, media: (any MediaFinder)? = nil) {
        self.pool = pool
        campaigns = CampaignStore(pool: pool)
        segments = SegmentStore(pool: pool)
        counts = AudienceCountStore(pool: pool)
        content = LaunchContentCheck(pool: pool, media: media)
    }

    /// Starts a run of a campaign that is armed for it: for its audience, or for those of these people who are in it. Who
    /// repeats the key gets the run that it had the first time, whatever became of the campaign since. `Problems` are of
    /// a content or an audience that was fine when it was saved.
    public func trigger(
        _ id: Campaign.ID, app: App.ID, userIDs: [String]?, key: IdempotencyKey? = nil
    ) async throws -> Run.ID {
        let campaign = try await campaigns.find(id, app: app)
        if let key, let run = try await run(of: campaign, under: key) { return run }
        guard campaign.state == .scheduled, campaign.content.schedule == .triggered else {
            throw StoreRefusal.notTriggered
        }
        let problems = try await content.problems(of: campaign.content, app: app)
        guard problems.isEmpty else { throw Problems(problems) }
        let audience = try await segments.resolve(member: campaign.content.audience, app: app).narrowed(to: userIDs)
        let count = try await counts.count(audience, app: app, budget: RunStartStore.countBudget)
        if count.isExact, count.matches == 0 { throw StoreRefusal.nobodyMatches }
        do {
            return try await start(campaign, audience, estimated: count.matches, key)
        } catch let error as PostgresError where error.isUniqueViolation(constraint: Self.constraint) {
            guard let key, let run = try await run(of: campaign, under: key) else { throw error }
            return run
        }
    }

    private func run(of campaign: CampaignRecord, under key: IdempotencyKey) async throws -> Run.ID? {
        let rows = try await pool.query(
            """
            SELECT id, trigger_body_hash FROM runs
            WHERE campaign_id = \(campaign.id) AND trigger_key = \(key.text)
            """)
        guard let row = rows.first else { return nil }
        guard try row[1, as: [UInt8].self] == key.bodyHash else { throw StoreRefusal.idempotencyKeyInUse }
        return try row[0]
    }

    private func start(
        _ campaign: CampaignRecord, _ audience: ResolvedAudience, estimated: Int, _ key: IdempotencyKey?
    ) async throws -> Run.ID {
        let started: Run.ID? = try await pool.transaction { connection in
            let claimed = try await connection.query(
                """
                UPDATE campaigns SET runs_started = runs_started + 1
                WHERE app_id = \(campaign.app) AND id = \(campaign.id) AND version = \(campaign.version)
                    AND state = 'scheduled' AND EXISTS (SELECT FROM credentials WHERE app_id = \(campaign.app))
                RETURNING floor(extract(epoch FROM now()))::bigint
                """)
            guard let now = claimed.first else { return nil }
            let run = NewRun(
                campaign: campaign.id, app: campaign.app, occurrence: .at(try now[0]), question: nil,
                audience: audience, estimated: estimated, trigger: key)
            guard let row = try await connection.query(run.statement).first else {
                throw StoreRefusal.notFound(.campaign)
            }
            return try row[0]
        }
        if let started { return started }
        // Somebody has edited or unscheduled it meanwhile, or there is no key.
        let current = try await campaigns.find(campaign.id, app: campaign.app)
        guard current.version == campaign.version else {
            throw StoreRefusal.versionConflict(current: current.version)
        }
        throw StoreRefusal.noCredential
    }
}
