import Campaigns
import EventLoop
import Store

/// Counts what the planner would decide about the devices of an app: about all of them if that takes a second or they
/// are few, otherwise about a sample. The sample depends on the campaign alone, so the same count has the same result
/// again.
///
/// Docs/decisions/planning.md explains why the sample is always the same.
struct DispositionCounter: Sendable {
    /// The time for counting all devices.
    static let exactBudget = Duration.seconds(1)
    /// Up to this many IDs, all devices are counted, however long it takes within `longestCount`.
    static let alwaysExact: Int64 = 50_000
    static let longestCount = Duration.seconds(10)
    /// IDs that one statement evaluates when all are counted.
    static let step: Int64 = 250_000
    /// Stripes of `StripeSampler.firstWidth` IDs in a sample: about 65,000 IDs.
    static let sampledStripes = 64

    let devices: ForecastStore
    let exactBudget: Duration
    let sampledStripes: Int

    /// Counts the audience, extrapolated from the scanned devices, and samples the recipients.
    func count(
        _ rules: PlanRules, of campaign: Campaign.ID, sampling: Bool
    ) async throws -> (DispositionCount, RenderingSample) {
        guard let (first, last) = try await devices.idRange(of: rules.app) else {
            return (DispositionCount(), RenderingSample())
        }
        if let exact = try await countAll(rules, first: first, last: last, sampling: sampling) { return exact }
        return try await countSample(
            rules, first: first, last: last, seed: Self.seed(of: campaign), sampling: sampling)
    }

    /// Nil when the time did not suffice.
    private func countAll(
        _ rules: PlanRules, first: Int64, last: Int64, sampling: Bool
    ) async throws -> (DispositionCount, RenderingSample)? {
        let budget =
            last - first < Self.alwaysExact ? max(exactBudget, Self.longestCount) : exactBudget
        let end = MonotonicTime.now() + budget
        var (count, sample) = (DispositionCount(), RenderingSample())
        var after = first - 1
        while after < last {
            let left = end - .now()
            let through = min(last, after + Self.step)
            guard left > .zero,
                let groups = try await devices.groups(
                    by: rules, after: after, through: through, sampledBelow: sampling ? sample.threshold : nil,
                    deadline: left)
            else { return nil }
            count.add(groups, to: &sample)
            after = through
        }
        count.devicesScanned = Int(last - first + 1)
        return (count, sample)
    }

    private func countSample(
        _ rules: PlanRules, first: Int64, last: Int64, seed: UInt64, sampling: Bool
    ) async throws -> (DispositionCount, RenderingSample) {
        var walk = StripeSampler(first: first, last: last, seed: seed, hasFixedWidth: true)
        var (count, sample) = (DispositionCount(), RenderingSample())
        let end = MonotonicTime.now() + Self.longestCount
        while walk.tallies.count < sampledStripes, let (after, through) = walk.next {
            let left = end - .now()
            // A database this slow still gives an answer from the stripes so far, which two make an estimate.
            guard left > .zero || walk.tallies.count < 2,
                let groups = try await devices.groups(
                    by: rules, after: after, through: through, sampledBelow: sampling ? sample.threshold : nil,
                    deadline: max(left, .seconds(1)))
            else { break }
            let sent = groups.reduce(0) { $0 + ($1.code == 0 ? $1.count : 0) }
            walk.record(
                StripeTally(ids: through - after, devicesScanned: Int(through - after), matches: sent), took: .zero)
            count.add(groups, to: &sample)
        }
        let estimate = AudienceEstimate(walk.tallies, stripes: walk.stripes, ids: walk.totalIDs, sampleSize: 0)
        let ids = walk.tallies.reduce(0) { $0 + $1.ids }
        count.scale(by: Double(walk.totalIDs) / Double(max(1, ids)))
        count.isExact = walk.isComplete
        count.marginOfError = estimate.marginOfError ?? 0
        count.devicesScanned = Int(ids)
        return (count, sample)
    }

    /// Campaigns begin at different stripes, so that no device counts in all estimates.
    private static func seed(of campaign: Campaign.ID) -> UInt64 {
        UInt64(bitPattern: campaign.rawValue) &* 0x9E37_79B9_7F4A_7C15
    }
}

extension DispositionCount {
    fileprivate mutating func add(_ groups: [ForecastStore.Group], to sample: inout RenderingSample) {
        for group in groups {
            dispositions[Disposition(index: group.index, code: group.code), default: 0] += group.count
            audience += group.count
            if group.code == 0 {
                places[group.place, default: 0] += group.count
                personal += group.personal
            }
            sample.add(group.sample, hashes: group.hashes, at: group.index)
        }
    }

    fileprivate mutating func scale(by factor: Double) {
        func scaled(_ count: Int) -> Int { Int((Double(count) * factor).rounded()) }
        dispositions = dispositions.mapValues(scaled)
        places = places.mapValues(scaled)
        audience = scaled(audience)
        personal = scaled(personal)
    }
}
