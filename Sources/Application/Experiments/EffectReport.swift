import Campaigns
public import Experiments
public import Store

/// The effect of a campaign: its recipients compared with its control group, which got nothing.
///
/// Docs/decisions/experiments.md has the method.
public struct EffectReport: Sendable {
    /// Of the rates, which are shown beside each other: the usual 95 %.
    private static let rateAlpha = 0.05
    /// People who reached the goal on each side, from which on a change relative to the control group is shown.
    private static let leastForRelative = 20
    private static let leastBuyersForRelative = 50

    public enum Finding: String, Sendable {
        /// People are missing on one side, so nothing can be compared.
        case sampleRatio = "sample_ratio"
        /// Too few people or conversions, or their time has not passed and nothing is certain yet.
        case notYet = "not_yet"
        case caused
        /// Fewer reached the goal than without the push.
        case harm
        /// The difference can be chance.
        case noEffectShown = "no_effect_shown"
    }

    public let counts: EffectCounts
    public let budget: ErrorBudget
    public let finding: Finding
    public let treated, control: Sample
    /// Treated minus control, as a share of people; with a goal of values, the mean amount of a person.
    public let difference: Double?
    public let interval: Interval?
    /// As a change of the control group's rate: 0.1 is a tenth more. Nil with too few conversions.
    public let relative: Interval?
    /// The smallest difference that these people show four times out of five; nil: none can be measured.
    public let detectable: Double?

    /// `share` is the control group's, in thousandths.
    public init(_ counts: EffectCounts, share: Int) {
        self.counts = counts
        let hasPassed = counts.decidesAt.map { $0 <= counts.countedAt } ?? false
        budget = counts.isOpenEnded ? .openEnded : hasPassed ? .decision : .live
        treated = Sample(counts.treatedConverted, counts.treatedAmounts, of: counts.treated, goal: counts.goal)
        control = Sample(counts.controlConverted, counts.controlAmounts, of: counts.control, goal: counts.goal)
        let found = Difference(treated, minus: control)
        let alpha = budget.alpha(variants: 2)
        let isComparable = counts.treated > 0 && counts.control > 0
        difference = isComparable ? found.value : nil
        interval = budget.interval(found, variants: 2)
        let fewest = min(counts.treatedConverted, counts.controlConverted)
        let isAmount = counts.goal.isAmount
        let hasEnough =
            min(counts.treated, counts.control) >= Verdict.leastPeople
            && (isAmount
                ? fewest >= Verdict.leastBuyers
                : counts.treatedConverted + counts.controlConverted >= Verdict.leastResponses)
        relative =
            budget == .decision && fewest >= (isAmount ? Self.leastBuyersForRelative : Self.leastForRelative)
            ? found.relativeInterval(Normal.critical(alpha)) : nil
        detectable = Sample(pooling: [treated, control]).flatMap {
            DetectableDifference.between(counts.treated, counts.control, all: $0, alpha: alpha)
        }
        let ratio = SampleRatio([counts.treated, counts.control], weights: [1_000 - share, share])
        finding =
            ratio?.isAlarming(check: 1) ?? false
            ? .sampleRatio : Self.finding(hasEnough ? interval : nil, isDecided: budget == .decision)
    }

    private static func finding(_ interval: Interval?, isDecided: Bool) -> Finding {
        guard let interval else { return .notYet }
        if interval.lower > 0 { return .caused }
        if interval.upper < 0 { return .harm }
        return isDecided ? .noEffectShown : .notYet
    }

    /// Of the rate at which people reached the goal, or of their mean amount.
    public func interval(of sample: Sample) -> Interval? { sample.interval(Normal.critical(Self.rateAlpha)) }

    /// How many reached the goal because of the campaign, or the amount that came because of it.
    public var caused: Double? { difference.map { $0 * Double(counts.treated) } }
    public var causedInterval: Interval? {
        interval.map { Interval($0.lower * Double(counts.treated), $0.upper * Double(counts.treated)) }
    }
}
