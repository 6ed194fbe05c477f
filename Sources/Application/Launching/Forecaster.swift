public import Campaigns
import EventLoop
import JSON
import Notifications
import Postgres
public import Store

/// What would become of a campaign if it started as it stands: by the same judgement as the planner's, over all devices or,
/// where they are too many for the time, over stripes of them.
public struct Forecaster: Sendable {
    /// For looking at devices.
    public var budget = Duration.milliseconds(1_200)
    /// Pushes a second that one worker sends to Apple without a limit of ours; for how long it takes.
    static let unpacedRate = 10_000

    private let campaigns: CampaignStore
    private let rules: PlanRuleStore
    private let segments: SegmentStore
    private let apps: AppStore
    private let devices: ForecastStore
    private let contents: Contents

    public init(stores: Stores, contents: Contents) {
        self.contents = contents
        campaigns = stores.campaigns
        rules = stores.planRules
        segments = stores.segments
        apps = stores.apps
        devices = stores.forecasts
    }

    public struct Result: Sendable {
        public let forecast: Forecast
        /// Nil when it starts by hand.
        public let occurrence: Occurrence?
        /// Everybody in the audience; sent, expired and suppressed add up to it, but for rounding of an estimate.
        public let audience: Int
        public let isExact: Bool
        /// Devices that were looked at.
        public let looked: Int
    }

    public func forecast(_ campaign: CampaignRecord) async throws -> Result {
        let app = try await apps.find(campaign.app)
        let content = campaign.content
        let now = try await devices.now()
        let next = content.schedule?.next(after: min(now, try await handled(campaign) ?? now))
        let rules = try await self.rules.rules(
            app: app, content, audience: try await segments.resolve(member: content.audience, app: app.id),
            occurrence: next ?? .byHand(content.schedule, at: now), now: now)
        let compiled = try await contents.compiled(content, app: app.id).flatMap { $0.isPersonal ? $0 : nil }
        var (count, sample) = try await count(rules, sampling: compiled != nil)
        if let compiled {
            try await sample.compose(compiled, app: app.id, now: max(now, next?.first ?? now), from: devices)
            count.leaveOut(sample)
        }
        return Result(
            forecast: Self.forecast(count.standings, rules, app, content, next, now), occurrence: next,
            audience: count.audience, isExact: count.isExact, looked: count.looked)
    }

    /// From when on its schedule counts, or would count if it were scheduled now.
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

    /// Where somebody stands after judgement: his timing, and why he does not get it, if he does not.
    private struct Standing: Hashable {
        let place: Int
        let code: Int
    }

    /// How many stand where.
    private struct Count {
        var standings: [Standing: Int] = [:]
        var audience = 0
        var isExact = true
        var looked = 0

        /// Those who get nothing by what the template would say to them.
        mutating func leaveOut(_ sample: CompositionSample) {
            for (standing, count) in standings where standing.code == 0 {
                for (code, share) in sample.leftOut(of: count, at: standing.place) {
                    let number = min(share, standings[standing] ?? 0)
                    standings[standing, default: 0] -= number
                    standings[Standing(place: standing.place, code: code), default: 0] += number
                }
                if sample.tallies[standing.place]?.composed != count { isExact = false }
            }
        }
    }

    /// Of all, as those who are looked at stand for them, and some of those to whom it would go.
    private func count(_ rules: PlanRules, sampling: Bool) async throws -> (Count, CompositionSample) {
        var sample = CompositionSample()
        guard let (first, last) = try await devices.idRange(of: rules.app) else { return (Count(), sample) }
        var walk = StripeSampler(first: first, last: last, seed: .random(in: 0 ... .max))
        var counts: [Standing: Int] = [:]
        let start = MonotonicTime.now()
        while let (after, through) = walk.next, walk.tallies.isEmpty || .now() - start < budget {
            let began = MonotonicTime.now()
            let before = walk.tallies.count
            let groups = try await devices.groups(
                by: rules, after: after, through: through, sampledBelow: sampling ? sample.threshold : nil)
            var tally = StripeTally()
            tally.ids = through - after
            tally.looked = Int(through - after)
            walk.note(tally, took: .now() - began)
            // The walk began anew with broader stripes: this one is looked at again.
            guard walk.tallies.count > before else { continue }
            for group in groups {
                let standing = Standing(place: group.place, code: group.code)
                counts[standing, default: 0] += group.count
                sample.add(group.sample, hashes: group.hashes, at: standing.place)
            }
        }
        let ids = walk.tallies.reduce(0) { $0 + $1.ids }
        let scale = Double(walk.totalIDs) / Double(max(1, ids))
        func scaled(_ number: Int) -> Int { Int((Double(number) * scale).rounded()) }
        let count = Count(
            standings: counts.mapValues(scaled), audience: scaled(counts.values.reduce(0, +)),
            isExact: walk.isComplete, looked: Int(ids))
        return (count, sample)
    }

    private static func forecast(
        _ counts: [Standing: Int], _ rules: PlanRules, _ app: AppRecord, _ content: CampaignContent,
        _ occurrence: Occurrence?, _ now: Int
    ) -> Forecast {
        let quiet = content.ignoresQuietHours ? nil : app.settings.quietHours
        let expiresAt = (occurrence ?? .byHand(content.schedule, at: now)).expiry(
            after: content.expirationSeconds, from: now, quiet: quiet)
        var groups: [Forecast.Group] = []
        var held: [HoldReason: Int] = [:]
        var suppressed: [Int: Int] = [:]
        for (standing, count) in counts {
            guard standing.code == 0 else {
                suppressed[standing.code, default: 0] += count
                continue
            }
            let timing = rules.table?.timings[standing.place]
            var group = Forecast.Group(
                dueAt: timing?.dueAt ?? max(now, occurrence?.first ?? now), count: count, expiresAt: expiresAt,
                notAfter: timing?.notAfter, place: standing.place)
            if case .held(let reason) = timing?.verdict {
                held[reason, default: 0] += count
                group.isHeld = true
            }
            groups.append(group)
        }
        return Forecast(
            groups: groups,
            rates: ForecastRates(
                campaign: content.pushesPerSecond, app: app.settings.pushesPerSecond, unpaced: unpacedRate),
            held: held.map { Forecast.Reason($0.key.rawValue, $0.value) }.sorted { $0.reason < $1.reason },
            suppressed: suppressed.map {
                Forecast.Reason(OutcomeCode.suppressionReason(UInt8(clamping: $0.key)) ?? "other", $0.value)
            }.sorted { $0.reason < $1.reason },
            later: content.schedule.map { $0.next(Forecast.laterCount, after: occurrence?.first ?? now) } ?? [],
            judge: { place, moment in rules.table?.again(place, at: moment) ?? ZoneTiming(dueAt: moment, verdict: .send)
            })
    }
}

extension CompiledContent {
    /// Whether one person may get it and the next not: all variants were measured when it was saved.
    fileprivate var isPersonal: Bool { needs.contains { $0 != .device(.locale) } }
}
