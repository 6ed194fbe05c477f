public import Campaigns
public import JSON
import Postgres
public import Store

/// Answers the question "may this campaign start?": the same answer for a start by hand, a due schedule, a trigger and
/// a forecast.
public struct LaunchCheck: Sendable {
    /// For counting the audience at a start: its first push waits for this, however large the audience is.
    public static let countLimit = Duration.milliseconds(80)

    private let contents: ContentLoader
    private let credentials: CredentialStore
    private let segments: SegmentStore
    private let counts: AudienceCountStore
    private let apps: AppStore
    private let rules: PlanRuleStore
    private let forecasts: ForecastStore
    private let approvals: ApprovalCheck

    public init(stores: Stores, contents: ContentLoader) {
        self.contents = contents
        apps = stores.apps
        rules = stores.planRules
        forecasts = stores.forecasts
        approvals = ApprovalCheck(stores: stores)
        credentials = stores.credentials
        segments = stores.segments
        counts = stores.audienceCounts
    }

    public struct Launch: Sendable {
        /// The first reason why the campaign may not start; nil when it may.
        public let obstacle: LaunchObstacle?
        public let audience: ResolvedAudience
        /// The approximate size of the audience; 0 when it was not counted.
        public let estimated: Int

        init(obstacle: LaunchObstacle?, audience: ResolvedAudience = .everybody, estimated: Int = 0) {
            self.obstacle = obstacle
            self.audience = audience
            self.estimated = estimated
        }

        /// Throws the obstacle as an answer to the person who starts the campaign.
        public func orThrow() throws -> Launch {
            if let obstacle { throw obstacle.error }
            return self
        }
    }

    /// Every obstacle that does not depend on the audience. `values` replace attributes in the content.
    public func obstacles(of campaign: CampaignRecord, values: JSON? = nil) async throws -> [LaunchObstacle] {
        var obstacles: [LaunchObstacle] = []
        do {
            let problems = try await contents.problems(of: campaign.content, app: campaign.app, values: values)
            if !problems.isEmpty { obstacles.append(.content(problems)) }
        } catch let error as PostgresError {
            throw error
        } catch {
            obstacles.append(.unreadable(reasonForPeople(error)))
        }
        if try await credentials.list(app: campaign.app, before: nil, limit: 1).isEmpty {
            obstacles.append(.noCredential)
        }
        if campaign.archivedAt != nil { obstacles.append(.archived) }
        return obstacles
    }

    /// `schedule` is the one by which it starts; nil: a person starts it now. `occurrence` is the one that starts; nil
    /// when a person starts the campaign. The audience is narrowed to `userIDs`, and counted within `limit`. Without one,
    /// or if the limit does not suffice, an empty audience is no obstacle: that of a scheduled campaign may still grow,
    /// and a run of nobody ends immediately.
    public func launch(
        _ campaign: CampaignRecord, _ occurrence: Occurrence? = nil, by schedule: Schedule?,
        narrowedTo userIDs: [String]? = nil, values: JSON? = nil, countingWithin limit: Duration?
    ) async throws -> Launch {
        if let obstacle = try await obstacles(of: campaign, values: values).first { return Launch(obstacle: obstacle) }
        let whole: ResolvedAudience
        let audience: ResolvedAudience
        do {
            whole = try await segments.resolve(member: campaign.content.audience, app: campaign.app)
            audience = try whole.narrowed(to: userIDs)
        } catch let error as Problems {
            return Launch(obstacle: .audience(error.problems))
        }
        let app = try await apps.find(campaign.app)
        let above = app.settings.approvalAbove
        guard limit != nil || above != nil else { return Launch(obstacle: nil, audience: audience) }
        let count = try await count(
            audience, of: campaign, in: app, at: occurrence, by: schedule, within: limit ?? Self.countLimit)
        if limit != nil, count.isExact, count.matches == 0 {
            return Launch(obstacle: .audienceEmpty, audience: audience)
        }
        let standing = try await approvals.standing(
            of: campaign, by: schedule, to: whole, recipients: ApprovalCheck.recipients(count, above: above),
            above: above)
        return Launch(
            obstacle: standing.allows ? nil : .notApproved(standing), audience: audience, estimated: count.matches)
    }

    /// The size of the audience as the planner will find it, whose birthdays are those of its day: at an occurrence, or at
    /// the next one of the schedule; without one, now.
    public func count(
        _ audience: ResolvedAudience, of campaign: CampaignRecord, in app: AppRecord, at occurrence: Occurrence? = nil,
        by schedule: Schedule?, within limit: Duration
    ) async throws -> (matches: Int, isExact: Bool) {
        try await counts.quickCount(
            audience, app: campaign.app, days: try await days(of: campaign, in: app, audience, occurrence, schedule),
            within: limit)
    }

    /// The days by which the planner will evaluate the audience; nil when it does not depend on them.
    private func days(
        of campaign: CampaignRecord, in app: AppRecord, _ audience: ResolvedAudience, _ occurrence: Occurrence?,
        _ schedule: Schedule?
    ) async throws -> AudienceDays? {
        guard audience.dependsOnDay else { return nil }
        let now = try await forecasts.now()
        return try await rules.rules(
            app: app, campaign.content, audience: audience,
            occurrence: occurrence ?? schedule?.next(after: now) ?? .manual(campaign.content.schedule, at: now),
            now: now
        ).days
    }
}
