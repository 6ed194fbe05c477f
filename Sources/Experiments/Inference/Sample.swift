/// The sums over the people of one group for one metric.
public struct Sample: Equatable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// Each person did it or not.
        case rate
        /// Each person has an amount; most have 0.
        case mean
    }

    public let kind: Kind
    public let people: Int
    /// People who did it, or whose amount is not 0.
    public let responses: Int
    /// The sum of the amounts, and of their squares. Of a rate, the responses.
    public let sum, squares: Double

    /// A rate: how many of the people did it.
    public init(_ responses: Int, of people: Int) {
        self.init(kind: .rate, people: people, responses: responses, sum: Double(responses), squares: Double(responses))
    }

    /// A mean.
    public init(sum: Double, squares: Double, responses: Int, of people: Int) {
        self.init(kind: .mean, people: people, responses: responses, sum: sum, squares: squares)
    }

    private init(kind: Kind, people: Int, responses: Int, sum: Double, squares: Double) {
        (self.kind, self.people, self.responses, self.sum, self.squares) = (kind, people, responses, sum, squares)
    }

    /// All people of several groups as one. Nil without a group.
    public init?(pooling samples: [Sample]) {
        guard let kind = samples.first?.kind else { return nil }
        func total<Number: AdditiveArithmetic>(_ value: (Sample) -> Number) -> Number {
            samples.reduce(.zero) { $0 + value($1) }
        }
        self.init(
            kind: kind, people: total(\.people), responses: total(\.responses), sum: total(\.sum),
            squares: total(\.squares))
    }

    /// The rate or the mean; 0 without people.
    public var value: Double { people > 0 ? sum / Double(people) : 0 }

    /// Of one person: p(1 − p), or s² with n − 1.
    var variance: Double {
        switch kind {
        case .rate: value * (1 - value)
        case .mean: people > 1 ? max(0, squares - Double(people) * value * value) / Double(people - 1) : 0
        }
    }

    /// The standard deviation of one person.
    public var deviation: Double { variance.squareRoot() }

    /// Of the value.
    var varianceOfValue: Double { people > 0 ? variance / Double(people) : 0 }

    /// Of the value's logarithm, by the delta method. The value is not 0.
    var varianceOfLogarithm: Double { varianceOfValue / (value * value) }

    /// Of the rate or the mean, within ± z standard errors. Nil without people, or for a mean of nobody's amounts.
    public func interval(_ z: Double) -> Interval? {
        switch kind {
        case .rate: return wilson(z)
        case .mean:
            guard responses > 1 else { return nil }
            let half = z * varianceOfValue.squareRoot()
            return Interval(max(0, value - half), value + half)
        }
    }

    /// Wilson's interval of a rate, within ± z standard errors (Wilson 1927). Nil without people, or for a mean.
    public func wilson(_ z: Double) -> Interval? {
        guard kind == .rate, people > 0 else { return nil }
        let (n, p) = (Double(people), value)
        let scale = 1 / (1 + z * z / n)
        let centre = (p + z * z / (2 * n)) * scale
        let half = z * scale * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
        // Without these, rounding makes the bound of no response a little more than 0.
        return Interval(responses == 0 ? 0 : max(0, centre - half), responses == people ? 1 : min(1, centre + half))
    }
}
