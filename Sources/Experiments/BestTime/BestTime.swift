/// Chooses the hour of a window at which a device is likeliest to open a push.
///
/// Docs/decisions/experiments.md has the method.
public struct BestTime: Sendable {
    /// Differences below this are rounding.
    private static let least: Float = 1e-6

    /// The hours of the day at which a push may be due.
    public let hours: [Int]
    /// The place in `hours` of the hour that is best for all together; without a past, the middle of the window.
    public let usual: Int
    private let rates: [SIMD32<Float>]
    private let caution: Float

    /// `hours` has at least one.
    public init(_ response: HourlyResponse, caution: Float, hours: [Int]) {
        (self.hours, self.caution) = (hours, caution)
        rates = response.rates
        let scores = hours.map { [rates] in rates[$0].sum() }
        usual = Self.best(of: scores, usual: (hours.count - 1) / 2)
    }

    /// The place in `hours` that is best for a device.
    public func place(for person: PersonalResponse) -> Int {
        let ratios = person.ratios(at: rates, caution: caution)
        return Self.best(of: hours.map { (rates[$0] * ratios).sum() }, usual: usual)
    }

    /// Of equal ones the usual.
    private static func best(of scores: [Float], usual: Int) -> Int {
        guard let highest = scores.max(), scores[usual] < highest * (1 - least) else { return usual }
        return scores.firstIndex(of: highest) ?? usual
    }
}

/// The groups of a run at each person's best time, by which one sees whether it is worth it. They are stored as the
/// variants of a test are.
public enum TimeGroup: Int, CaseIterable, Sendable {
    /// Each at its own best hour.
    case best
    /// All at the hour that is best for all together.
    case usual
    /// At any hour of the window: without it, only hours that seem good would be known.
    case any

    public static let weights = [900, 50, 50]

    public var name: String {
        switch self {
        case .best: "Best time"
        case .usual: "Same hour"
        case .any: "Any hour"
        }
    }
}
