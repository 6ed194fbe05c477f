import Glibc

/// The pushes that one device was sent and opened, by the hour of its own clock. Old ones count less.
public struct PersonalResponse: Equatable, Sendable {
    public var sent = SIMD32<Float>()
    public var opened = SIMD32<Float>()

    public init() {}

    public init(sent: SIMD32<Float>, opened: SIMD32<Float>) {
        (self.sent, self.opened) = (sent, opened)
    }

    public func scaled(by factor: Float) -> PersonalResponse {
        PersonalResponse(sent: sent * factor, opened: opened * factor)
    }

    /// How many of its pushes would have been opened at each hour if it were as all others are.
    func expected(at rates: [SIMD32<Float>]) -> SIMD32<Float> {
        var expected = SIMD32<Float>()
        for hour in 0..<HourlyResponse.hours where sent[hour] != 0 { expected += rates[hour] * sent[hour] }
        return expected
    }

    /// How many times as often as all others it opens pushes.
    func level(_ expected: SIMD32<Float>) -> Float { (1 + opened.sum()) / (1 + expected.sum()) }

    /// How many times as often as expected it opens pushes at each hour, at its own level. `caution` is how many openings
    /// the past of all others counts for; with infinitely many, nobody differs.
    func ratios(at rates: [SIMD32<Float>], caution: Float) -> SIMD32<Float> {
        guard caution.isFinite else { return SIMD32<Float>(repeating: 1) }
        let expected = expected(at: rates)
        return (Self.smoothed(opened) + caution) / (Self.smoothed(expected) * level(expected) + caution)
    }

    /// Each hour with a half of itself and a quarter of each of its neighbours.
    private static func smoothed(_ hours: SIMD32<Float>) -> SIMD32<Float> {
        let count = HourlyResponse.hours
        var smoothed = SIMD32<Float>()
        for hour in 0..<count {
            smoothed[hour] =
                hours[hour] / 2 + hours[(hour + 1) % count] / 4 + hours[(hour + count - 1) % count] / 4
        }
        return smoothed
    }
}

/// How well each degree of caution has foretold when people open pushes.
public struct CautionEvidence: Equatable, Sendable {
    public static let candidates: [Float] = [1, 2, 5, 10, 20, .infinity]

    /// The logarithm of the likelihood of what was seen, by candidate, except for terms that all have in common.
    public private(set) var logLikelihoods: [Double]

    public init(_ logLikelihoods: [Double] = []) {
        self.logLikelihoods =
            logLikelihoods.count == Self.candidates.count
            ? logLikelihoods : Array(repeating: 0, count: Self.candidates.count)
    }

    /// The best one; without evidence, that nobody differs.
    public var caution: Float {
        let best = logLikelihoods.max() ?? 0
        return Self.candidates[logLikelihoods.lastIndex(of: best) ?? Self.candidates.count - 1]
    }

    /// What a device did afterwards, foretold by what it had done `before`.
    public mutating func add(_ new: PersonalResponse, before: PersonalResponse, rates: [SIMD32<Float>]) {
        let expected = new.expected(at: rates) * before.level(before.expected(at: rates))
        for (index, caution) in Self.candidates.enumerated() {
            let foretold = expected * before.ratios(at: rates, caution: caution)
            for hour in 0..<HourlyResponse.hours where foretold[hour] > 0 {
                logLikelihoods[index] += Double(new.opened[hour]) * log(Double(foretold[hour])) - Double(foretold[hour])
            }
        }
    }

    public static func += (sum: inout CautionEvidence, other: CautionEvidence) {
        for index in sum.logLikelihoods.indices { sum.logLikelihoods[index] += other.logLikelihoods[index] }
    }

    public func scaled(by factor: Double) -> CautionEvidence { CautionEvidence(logLikelihoods.map { $0 * factor }) }
}
