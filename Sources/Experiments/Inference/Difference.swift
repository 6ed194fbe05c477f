import Glibc

/// The difference of two groups, `treated` − `other`, and its intervals.
public struct Difference: Sendable {
    public let treated, other: Sample

    public init(_ treated: Sample, minus other: Sample) {
        (self.treated, self.other) = (treated, other)
    }

    public var value: Double { treated.value - other.value }

    /// The interval of ± z: of rates Newcombe's method 10 (1998), which works without responses; of means Welch's.
    /// Nil without people in one group.
    public func interval(_ z: Double) -> Interval? {
        guard treated.people > 0, other.people > 0 else { return nil }
        guard let b = treated.wilson(z), let a = other.wilson(z) else {
            let half = z * (treated.varianceOfValue + other.varianceOfValue).squareRoot()
            return Interval(value - half, value + half)
        }
        let (pB, pA) = (treated.value, other.value)
        return Interval(value - hypot(pB - b.lower, a.upper - pA), value + hypot(b.upper - pB, pA - a.lower))
    }

    /// The interval of ln(treated / other) as a relative change: 0.1 is a tenth more. Nil if one value is not above 0.
    public func relativeInterval(_ z: Double) -> Interval? {
        guard treated.value > 0, other.value > 0 else { return nil }
        let half = z * (treated.varianceOfLogarithm + other.varianceOfLogarithm).squareRoot()
        let centre = log(treated.value / other.value)
        return Interval(exp(centre - half) - 1, exp(centre + half) - 1)
    }

    /// V: what has been learned so far, in responses rather than in recipients: all recipients are there at once, and
    /// only the responses arrive. 0 without a response.
    public var information: Double {
        let (n, m) = (Double(treated.people), Double(other.people))
        guard n > 0, m > 0 else { return 0 }
        let share = Double(treated.responses + other.responses) / (n + m)
        return n * m / (n + m) * share * (1 - share)
    }

    /// The interval that holds at every look, as often as somebody looks. Nil before the first response.
    public func liveInterval(_ alpha: Double) -> Interval? {
        let information = information
        guard information > 0 else { return nil }
        return interval(ConfidenceSequence.multiplier(information, alpha: alpha))
    }

    /// The expected loss of choosing `treated`: by how much `other` is better on average, counting 0 where it is not.
    var expectedLoss: Double {
        let error = (treated.varianceOfValue + other.varianceOfValue).squareRoot()
        guard error > 0 else { return max(0, -value) }
        let t = value / error
        return error * (Normal.density(t) - t * Normal.distribution(-t))
    }
}

/// Robbins' normal mixture: a bound for a sum at all times at once, and not at one that was fixed before.
enum ConfidenceSequence {
    /// V₀: the information at which the sequence is tightest is near it. Nothing has to be tuned.
    private static let scale = 10.0

    /// m(V, α), in the place of z.
    static func multiplier(_ information: Double, alpha: Double) -> Double {
        ((1 + scale / information) * log((1 + information / scale) / (alpha * alpha))).squareRoot()
    }
}
