import Glibc

/// Checks whether the groups have the sizes that their weights promise. If not, something has removed people from a
/// group, and no comparison can be believed.
public struct SampleRatio: Equatable, Sendable {
    /// Fewer expected people in a group say nothing.
    static let leastExpected = 50.0

    public let chiSquare: Double
    /// The probability of such a deviation, or a larger one, by chance.
    public let probability: Double

    /// Nil if there are fewer than two groups, or too few people. Groups without weight are left out.
    public init?(_ people: [Int], weights: [Int]) {
        let groups = zip(people, weights).filter { $0.1 > 0 }
        let (total, sum) = (groups.reduce(0) { $0 + $1.0 }, groups.reduce(0) { $0 + $1.1 })
        guard groups.count > 1 else { return nil }
        let expected = groups.map { Double(total) * Double($0.1) / Double(sum) }
        guard expected.allSatisfy({ $0 >= Self.leastExpected }) else { return nil }
        chiSquare = zip(groups, expected).reduce(0) { result, group in
            let deviation = Double(group.0.0) - group.1
            return result + deviation * deviation / group.1
        }
        probability = Self.probability(chiSquare, degrees: groups.count - 1)
    }

    /// Whether the check with this number, from 1, raises the alarm. All checks of an experiment together do so by
    /// chance once in a thousand experiments.
    public func isAlarming(check number: Int) -> Bool { probability < 0.001 / Double(number * (number + 1)) }

    /// Of a χ² of at least this.
    static func probability(_ chiSquare: Double, degrees: Int) -> Double {
        let half = chiSquare / 2
        guard half > 0 else { return 1 }
        if degrees.isMultiple(of: 2) {
            var (term, sum) = (1.0, 1.0)
            for index in stride(from: 1, to: degrees / 2, by: 1) {
                term *= half / Double(index)
                sum += term
            }
            return exp(-half) * sum
        }
        var sum = 0.0
        for index in stride(from: 1, through: (degrees - 1) / 2, by: 1) {
            sum += pow(half, Double(index) - 0.5) / tgamma(Double(index) + 0.5)
        }
        return erfc(half.squareRoot()) + exp(-half) * sum
    }
}
