public import Campaigns
import JSON
import Notifications
import Postgres
public import Store

/// Forecasts the result of a campaign if it started now. Applies the planner's rules to all devices or, if they are too
/// many for the time, to a sample of them, which is always the same.
public struct Forecaster: Sendable {
    /// The time for counting all devices; see `DispositionCounter`.
    public var budget = DispositionCounter.exactBudget
    /// Stripes of the sample, if the time does not suffice.
    public var sampledStripes = DispositionCounter.sampledStripes
    /// The pushes per second that one worker is assumed to send without a rate limit; for the estimated duration.
    static let assumedRate = 10_000

    private let campaigns: CampaignStore
    private let rules: PlanRuleStore
    private let segments: SegmentStore
    private let apps: AppStore
    private let devices: ForecastStore
    private let tests: TestBasisStore
    private let contents: ContentLoader
    private let approvals: ApprovalCheck
    private let periods: ControlPeriodStore

    public init(stores: Stores, contents: ContentLoader) {
        self.contents = contents
        campaigns = stores.campaigns
        rules = stores.planRules
        segments = stores.segments
        apps = stores.apps
        devices = stores.forecasts
        tests = stores.testBases
        approvals = ApprovalCheck(stores: stores)
        periods = stores.controlPeriods
    }

    public struct Result: Sendable {
        public let forecast: Forecast
        /// Nil when it is started manually.
        public let occurrence: Occurrence?
        /// The size of the audience. Sent, expired and suppressed add up to it, except for rounding in an estimate.
        public let audience: Int
        public let isExact: Bool
        /// The margin of error of the recipients who are sent to, at 95% confidence. Nil if their number is exact.
        public let marginOfError: Int?
        /// The number of devices scanned.
        public let devicesScanned: Int
        /// The database's clock, in seconds since 1970.
        public let countedAt: Int
        /// Nil without variants.
        public let test: TestPlan?
        /// Nil unless each recipient gets the push at the best time.
        public let bestTime: BestTimeForecast?
        public let approval: ApprovalStanding
    }

    public func forecast(_ campaign: CampaignRecord) async throws -> Result {
        let app = try await apps.find(campaign.app)
        let content = campaign.content
        let now = try await devices.now()
        let next = content.schedule?.next(after: min(now, try await handled(campaign) ?? now))
        let audience = try await segments.resolve(member: content.audience, app: app.id)
        let rules = try await self.rules.rules(
            app: app, content, audience: audience,
            occurrence: next ?? .manual(content.schedule, at: now), now: now,
            draws: campaign.forecastDraws(try await periods.holdout(of: app.id)))
        let compiled = try await contents.compiled(content, app: app.id)
        let isPersonalized = compiled.contains { $0?.isPersonalized ?? false }
        let counter = DispositionCounter(
            devices: devices, exactBudget: budget, sampledStripes: sampledStripes)
        var (count, sample) = try await counter.count(rules, of: campaign.id, sampling: isPersonalized)
        if isPersonalized {
            let composers = VariantComposers(compiled, weights: content.weights, now: max(now, next?.first ?? now))
            try await sample.compose(with: composers, app: app.id, from: devices)
            count.suppress(sample)
        }
        let forecast = Self.forecast(count.dispositions, rules, app, content, next, now)
        let basis = content.isTest ? try await tests.basis(for: content.goal, app: app.id) : nil
        return Result(
            forecast: forecast, occurrence: next,
            audience: count.audience, isExact: count.isExact, marginOfError: count.isExact ? nil : count.marginOfError,
            devicesScanned: count.devicesScanned, countedAt: now,
            test: basis.map { TestPlan(content, devices: forecast.sent, $0) },
            bestTime: rules.bestTime.map { BestTimeForecast($0.time, count) },
            approval: try await approvals.standing(
                of: campaign, by: content.schedule, to: audience, recipients: count.audience,
                above: app.settings.approvalAbove))
    }

    /// From when its schedule applies, or would apply if it were scheduled now.
    private func handled(_ campaign: CampaignRecord) async throws -> Int? {
        if campaign.state == .scheduled {
            return campaign.handledUntil.map { Int($0.secondsSince1970.rounded(.up)) }
        }
        do {
            let plan = try await campaigns.schedulePlan(
                campaign.content.schedule, of: campaign.id, app: campaign.app)
            return plan?.handledUntil
        } catch Refusal.schedulePast {
            return nil
        }
    }

    private static func forecast(
        _ counts: [DispositionCount.Disposition: Int], _ rules: PlanRules, _ app: AppRecord, _ content: CampaignContent,
        _ occurrence: Occurrence?, _ now: Int
    ) -> Forecast {
        let quiet = content.options.quietHours(ofApp: app.settings.quietHours)
        let expiresAt = (occurrence ?? .manual(content.schedule, at: now)).expiry(
            after: content.expirationSeconds, from: now, quiet: quiet)
        var groups: [Forecast.Group] = []
        var held: [HoldReason: Int] = [:]
        var suppressed: [Int: Int] = [:]
        for (disposition, count) in counts {
            guard disposition.code == 0 else {
                suppressed[disposition.code, default: 0] += count
                continue
            }
            let timing = rules.table?.timings[disposition.index]
            var group = Forecast.Group(
                dueAt: timing?.dueAt ?? max(now, occurrence?.first ?? now), count: count, expiresAt: expiresAt,
                notAfter: timing?.notAfter, index: disposition.index)
            if case .held(let reason) = timing?.verdict {
                held[reason, default: 0] += count
                group.isHeld = true
            }
            groups.append(group)
        }
        return Forecast(
            groups: groups,
            rates: ForecastRates(
                campaign: content.pushesPerSecond, app: app.settings.pushesPerSecond, unlimited: assumedRate),
            held: held.map { Forecast.Reason($0.key.text, $0.value) }.sorted { $0.reason < $1.reason },
            suppressed: suppressed.map {
                Forecast.Reason(OutcomeCode.suppressionReason(UInt8(clamping: $0.key)) ?? "other", $0.value)
            }.sorted { $0.reason < $1.reason },
            nextOccurrences: content.schedule.map {
                $0.next(Forecast.maximumNextOccurrences, after: occurrence?.first ?? now)
            } ?? [],
            reevaluate: { index, moment in
                rules.table?.reevaluated(index, at: moment) ?? ZoneTiming(dueAt: moment, verdict: .send)
            })
    }
}

extension CompiledContent {
    /// Whether rendering depends on the recipient. All variants were measured when the template was saved.
    fileprivate var isPersonalized: Bool { needs.contains { $0 != .device(.locale) } }
}
