/// The verdict on the primary metric of an experiment: a function of the sums of its variants.
public struct Verdict: Equatable, Sendable {
    /// The minimum number of people per variant and of responses per pair; for amounts, of buyers per variant.
    public static let leastPeople = 100
    public static let leastResponses = 20
    public static let leastBuyers = 50

    public enum Finding: Equatable, Sendable {
        /// Something removed people from a group: no comparison can be believed.
        case sampleRatio
        /// Too few people or responses, or not decided yet.
        case notYet
        /// Better than each of the others so far, by what has been reported.
        case aheadSoFar
        /// Really better than each of the others.
        case winner
        /// If the others differ, then by less than what matters: by at most this.
        case noDifferenceThatMatters(atMost: Double)
        /// The difference can be chance. It is at most this.
        case noWinner(atMost: Double)
    }

    /// The leader's difference to another variant.
    public struct Lead: Equatable, Sendable {
        public let variant: Int
        /// Nil while nothing can be said.
        public let interval: Interval?

        /// Whether this variant is worse than the leader.
        public var isBeaten: Bool { (interval?.lower ?? 0) > 0 }
    }

    public let finding: Finding
    /// The variant with the highest value; of equal ones the first.
    public let leader: Int
    /// The leader's differences to the others, in the order of the variants.
    public let leads: [Lead]
    /// The expected loss of sending the leader to everybody, in units of the metric.
    public let expectedLoss: Double

    /// Variants that can still be the best; the true best one is among them with the certainty of the budget.
    public var candidates: [Int] { ([leader] + leads.filter { !$0.isBeaten }.map(\.variant)).sorted() }

    public struct Options: Sendable {
        public var budget: ErrorBudget
        /// Whether the time in which people could respond has passed for all of them. Before, more responses can also
        /// mean that they came sooner.
        public var isComplete: Bool
        /// The smallest difference that matters; nil: a tenth of the pooled value.
        public var smallest: Double?
        /// The most variants that the experiment has had, if some were removed.
        public var variantCount: Int?
        public var hasSampleRatioAlarm: Bool

        public init(
            _ budget: ErrorBudget, isComplete: Bool, smallest: Double? = nil, variantCount: Int? = nil,
            hasSampleRatioAlarm: Bool = false
        ) {
            (self.budget, self.isComplete, self.smallest) = (budget, isComplete, smallest)
            (self.variantCount, self.hasSampleRatioAlarm) = (variantCount, hasSampleRatioAlarm)
        }
    }

    /// Nil for fewer than two variants.
    public init?(_ samples: [Sample], _ options: Options) {
        guard samples.count > 1 else { return nil }
        var best = 0
        for (index, sample) in samples.enumerated() where sample.value > samples[best].value { best = index }
        let others = samples.indices.filter { $0 != best }
        let count = max(samples.count, options.variantCount ?? 0)
        let found = others.map { index in
            Lead(
                variant: index,
                interval: options.budget.interval(Difference(samples[best], minus: samples[index]), variants: count))
        }
        (leader, leads) = (best, found)
        expectedLoss = others.reduce(0) { $0 + Difference(samples[best], minus: samples[$1]).expectedLoss }
        finding = Self.finding(samples, leader: best, found, options)
    }

    private static func finding(_ samples: [Sample], leader: Int, _ leads: [Lead], _ options: Options) -> Finding {
        if options.hasSampleRatioAlarm { return .sampleRatio }
        let isEnough =
            samples.allSatisfy { $0.people >= leastPeople }
            && leads.allSatisfy { hasResponses(samples[leader], samples[$0.variant]) && $0.interval != nil }
        guard isEnough else { return .notYet }
        let isAhead = leads.allSatisfy(\.isBeaten)
        guard options.isComplete else { return isAhead ? .aheadSoFar : .notYet }
        if isAhead { return .winner }
        guard options.budget == .decision else { return .notYet }
        let most = leads.filter { !$0.isBeaten }.compactMap(\.interval?.extent).max() ?? 0
        let smallest = options.smallest ?? tenthOfPooledValue(samples)
        return most <= smallest ? .noDifferenceThatMatters(atMost: most) : .noWinner(atMost: most)
    }

    private static func hasResponses(_ a: Sample, _ b: Sample) -> Bool {
        switch a.kind {
        case .rate: a.responses + b.responses >= leastResponses
        case .mean: a.responses >= leastBuyers && b.responses >= leastBuyers
        }
    }

    private static func tenthOfPooledValue(_ samples: [Sample]) -> Double {
        (Sample(pooling: samples)?.value ?? 0) / 10
    }
}
