/// A confidence interval.
public struct Interval: Equatable, Sendable {
    public var lower, upper: Double

    public init(_ lower: Double, _ upper: Double) {
        (self.lower, self.upper) = (lower, upper)
    }

    /// The largest distance from 0.
    public var extent: Double { max(abs(lower), abs(upper)) }
}
