public import Campaigns
import Experiments
public import JSON
public import Store

/// The power of an A/B test before it starts: the people of each variant, and the smallest difference that they show.
///
/// Docs/decisions/experiments.md has the method.
public struct TestPlan: Sendable {
    /// Above this part of the expected rate, only a difference shows that hardly any text makes.
    static let largestRelativeDifference = 0.2
    /// An app with a lower rate of responses probably does not report them.
    static let leastReported = 0.01
    /// Accepted pushes from which that is said.
    static let leastAccepted = 1_000

    public struct Variant: Equatable, Sendable {
        public let place: Int
        public let name: String
        public let people: Int
    }

    public let goal: CampaignGoal
    public let variants: [Variant]
    /// The rate that is expected without a difference: the part of the people who reach the goal.
    public let rate: Double
    /// With a goal of values, what a person is expected to amount to; nil: the past does not tell.
    public let amount: Double?
    /// Whether no earlier campaign tells the rate.
    public let isUsualRate: Bool
    /// Whether the campaign repeats, so that nobody knows how many people it will have.
    public let isRepeated: Bool
    /// The smallest difference that shows in four tests out of five. Nil: none can be measured, or the campaign repeats.
    public let detectable: Double?
    public let problems: [Problem]

    /// `devices` would be sent to. The variants with a weight share their people.
    public init(_ content: CampaignContent, devices: Int, _ basis: TestBasis) {
        goal = content.goal
        let tested = content.winner.map { Double($0.share) / Double(VariantMap.bucketCount) } ?? 1
        let people = Double(devices) * basis.peoplePerDevice * tested
        let whole = Double(max(1, content.weights.reduce(0, +)))
        variants = zip(content.variants, content.weights).enumerated().compactMap { place, each in
            guard each.1 > 0 else { return nil }
            return Variant(
                place: place, name: each.0.name, people: Int((people * Double(each.1) / whole).rounded()))
        }
        rate = basis.rate ?? goal.usualRate
        isUsualRate = basis.rate == nil
        isRepeated = content.schedule?.isRepeated ?? false
        let sizes = variants.map(\.people).sorted()
        amount = goal.isAmount ? basis.amounts.map { [rate] in $0.mean * rate } : nil
        let power = Power(content, rate: rate, basis.amounts)
        detectable = isRepeated || sizes.count < 2 ? nil : power.detectable(sizes[0], sizes[1])
        let isUnknown = isRepeated || goal.isAmount && amount == nil
        let ofSize = isUnknown ? nil : Self.problem(ofSize: sizes.first ?? 0, detectable, amount ?? rate)
        problems = [ofSize, Self.problem(ofGoal: goal, basis)].compactMap { $0 }
    }

    private static func problem(ofSize people: Int, _ detectable: Double?, _ rate: Double) -> Problem? {
        let leastPeople = Verdict.leastPeople
        guard people >= leastPeople else {
            return .warning(
                "variants", "test-too-small",
                "have too few people: the smallest gets about \(people), and a comparison needs \(leastPeople) in each; "
                    + "widen the audience, test a larger part, or test fewer variants")
        }
        guard let detectable, detectable <= largestRelativeDifference * rate else {
            return .warning(
                "variants", "test-shows-little",
                "have too few people for a small difference: only a variant that is better by more than a fifth is "
                    + "likely to be found; widen the audience, test a larger part, or test fewer variants")
        }
        return nil
    }

    private static func problem(ofGoal goal: CampaignGoal, _ basis: TestBasis) -> Problem? {
        if let name = goal.eventName, !basis.hasEvent {
            return .warning(
                "goal.event_name", "goal-event-unknown",
                "no event of this app has the name \(name) yet; check the spelling")
        }
        guard let reports = basis.reports, reports.accepted >= leastAccepted,
            Double(reports.reached) < leastReported * Double(reports.accepted)
        else { return nil }
        return .warning(
            "goal", "goal-hardly-reported",
            "can't be measured: devices reported it for only \(reports.reached) of \(reports.accepted) pushes in the "
                + "last 30 days; let the app report it, or choose another goal")
    }
}

/// The power of two variants of a test.
private struct Power {
    /// How many times the people a test needs without a fixed time for its decision.
    private static let costOfLooks = 1.9

    private let content: CampaignContent
    private let rate: Double
    /// Of a person's amount; nil: people are compared by whether they did something.
    private let deviation: Double?
    private let isUnknown: Bool

    init(_ content: CampaignContent, rate: Double, _ amounts: TestBasis.Amounts?) {
        (self.content, self.rate) = (content, rate)
        isUnknown = content.goal.isAmount && amounts == nil
        deviation =
            content.goal.isAmount
            ? amounts.map { max(0, rate * $0.meanSquare - (rate * $0.mean) * (rate * $0.mean)).squareRoot() } : nil
    }

    /// A decision by hand has no fixed time, so that only the wider ranges for looks hold. Nil: not known, or none.
    func detectable(_ a: Int, _ b: Int) -> Double? {
        guard !isUnknown else { return nil }
        let count = content.variants.count
        guard content.winner?.decision == .byHand else {
            return difference(a, b, alpha: ErrorBudget.decision.alpha(variants: count))
        }
        func worth(_ people: Int) -> Int { Int(Double(people) / Self.costOfLooks) }
        return difference(worth(a), worth(b), alpha: ErrorBudget.openEnded.alpha(variants: count))
    }

    private func difference(_ a: Int, _ b: Int, alpha: Double) -> Double? {
        guard let deviation else { return DetectableDifference.ofRates(a, b, base: rate, alpha: alpha) }
        return DetectableDifference.ofMeans(a, b, deviation: deviation, alpha: alpha)
    }
}

extension CampaignGoal {
    /// The rate of people that is assumed of an app without a past.
    fileprivate var usualRate: Double {
        switch self {
        case .opened, .engaged: 0.05
        case .event, .value: 0.01
        }
    }
}
