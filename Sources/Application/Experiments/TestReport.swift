import Campaigns
public import Experiments
public import Store

/// An A/B test in numbers: rates with their intervals, the differences, and the verdict on the goal.
///
/// Docs/decisions/experiments.md has the method.
public struct TestReport: Sendable {
    /// Of the rates, which are shown beside each other and never compared: the usual 95 %.
    private static let rateAlpha = 0.05

    public let counts: TestCounts
    public let budget: ErrorBudget
    /// Nil while fewer than two variants have people.
    public let verdict: Verdict?
    /// The variants of the verdict, by its numbers: those that can be compared.
    public let compared: [TestCounts.Variant]
    /// The largest sample-ratio check: over the planned and over those who were sent a push.
    public let sampleRatio: SampleRatio?
    public let hasSampleRatioAlarm: Bool
    /// The smallest difference that these people show four times out of five; nil: none can be measured.
    public let detectable: Double?

    public init(_ counts: TestCounts) {
        self.counts = counts
        let hasPassed = counts.decidesAt.map { $0 <= counts.countedAt } ?? false
        budget = counts.isOpenEnded ? .openEnded : hasPassed ? .decision : .live
        compared = counts.variants.filter { $0.weight > 0 || $0.people > 0 }
        let weights = compared.map(\.weight)
        let checks = [compared.map(\.planned), compared.map(\.people)].map { SampleRatio($0, weights: weights) }
        sampleRatio = checks.compactMap { $0 }.min { $0.probability < $1.probability }
        hasSampleRatioAlarm = checks.enumerated().contains { $1?.isAlarming(check: $0 + 1) ?? false }
        let samples = compared.map { Sample(of: $0, goal: counts.goal) }
        verdict = Verdict(
            samples,
            Verdict.Options(
                budget, isComplete: hasPassed, variantCount: counts.variants.count,
                hasSampleRatioAlarm: hasSampleRatioAlarm))
        detectable = Self.detectable(samples, alpha: budget.alpha(variants: counts.variants.count))
    }

    /// The place of the variant with the highest rate; nil while nothing can be compared.
    public var leader: Int? { verdict.map { compared[$0.leader].place } }

    /// The verdict as the API names it.
    public var finding: String { verdict?.finding.code ?? "not_yet" }

    /// Of the two smallest variants, at the rate or the amounts of all.
    private static func detectable(_ samples: [Sample], alpha: Double) -> Double? {
        let sizes = samples.map(\.people).sorted().prefix(2)
        guard let a = sizes.first, let b = sizes.last, sizes.count == 2, let all = Sample(pooling: samples) else {
            return nil
        }
        return DetectableDifference.between(a, b, all: all, alpha: alpha)
    }

    /// The rate at which people reached the goal, or their mean amount.
    public func sample(of variant: TestCounts.Variant) -> Sample { Sample(of: variant, goal: counts.goal) }

    /// Of the same.
    public func interval(of variant: TestCounts.Variant) -> Interval? {
        sample(of: variant).interval(Normal.critical(Self.rateAlpha))
    }
}

extension Sample {
    fileprivate init(of variant: TestCounts.Variant, goal: CampaignGoal) {
        self.init(variant.reached(goal), variant.amounts, of: variant.people, goal: goal)
    }

    init(_ reached: Int, _ amounts: Amounts, of people: Int, goal: CampaignGoal) {
        if goal.isAmount {
            self.init(sum: amounts.sum, squares: amounts.squares, responses: reached, of: people)
        } else {
            self.init(reached, of: people)
        }
    }
}

extension Verdict.Finding {
    fileprivate var code: String {
        switch self {
        case .sampleRatio: "sample_ratio"
        case .notYet: "not_yet"
        case .aheadSoFar: "ahead_so_far"
        case .winner: "winner"
        case .noDifferenceThatMatters: "no_difference_that_matters"
        case .noWinner: "no_winner"
        }
    }
}
