import Testing

@testable import Experiments

/// Reference values, which an independent program computed and statsmodels confirmed.
struct InferenceTests {
    private static func isNear(_ a: Double, _ b: Double, within tolerance: Double = 1e-6) -> Bool {
        abs(a - b) <= tolerance
    }

    private static func isNear(_ a: Interval?, _ lower: Double, _ upper: Double) -> Bool {
        guard let a else { return false }
        return isNear(a.lower, lower) && isNear(a.upper, upper)
    }

    private static let z = Normal.critical(0.04)

    @Test func quantilesAreThoseOfTheNormalDistribution() {
        #expect(Self.isNear(Normal.critical(0.04), 2.053749))
        #expect(Self.isNear(Normal.critical(0.08 / 3), 2.216363))
        #expect(Self.isNear(Normal.critical(0.008), 2.652070))
        // All three parts of the algorithm, on both sides.
        for probability in [1e-300, 1e-20, 1e-9, 0.001, 0.074, 0.3, 0.5, 0.9, 0.999, 1 - 1e-9] {
            let z = Normal.quantile(probability)
            #expect(abs(Normal.distribution(z) / probability - 1) < 1e-9, "\(probability)")
        }
        #expect(Normal.quantile(0) == -.infinity && Normal.quantile(1) == .infinity)
    }

    @Test func wilsonIntervalsHoldAtTheEnds() {
        let z = Normal.critical(0.05)
        #expect(Self.isNear(Sample(345, of: 5_000).wilson(z), 0.062301, 0.076361))
        #expect(Self.isNear(Sample(0, of: 100).wilson(z), 0, 0.036993))
        #expect(Self.isNear(Sample(100, of: 100).wilson(z), 1 - 0.036993, 1))
        #expect(Sample(0, of: 0).wilson(z) == nil)
    }

    @Test(
        arguments: [
            (405, 5_000, 345, 5_000, 0.001176, 0.022847, 173.4375, 3.580282, -0.006922, 0.030991),
            (12, 1_000, 0, 1_000, 0.005239, 0.021398, 2.982, 6.421289, -0.028773, 0.060358),
            (31_000, 500_000, 30_000, 500_000, 0.001017, 0.002983, 14_319.75, 4.060709, 0.000056, 0.003944),
            (1_000, 95_000, 45, 5_000, -0.001728, 0.003988, 49.118788, 3.636508, -0.004891, 0.005463),
        ] as [(Int, Int, Int, Int, Double, Double, Double, Double, Double, Double)])
    func differencesOfRates(
        b: Int, nB: Int, a: Int, nA: Int, lower: Double, upper: Double, information: Double, multiplier: Double,
        liveLower: Double, liveUpper: Double
    ) {
        let difference = Difference(Sample(b, of: nB), minus: Sample(a, of: nA))
        #expect(Self.isNear(difference.interval(Self.z), lower, upper))
        #expect(Self.isNear(difference.information, information))
        #expect(Self.isNear(ConfidenceSequence.multiplier(information, alpha: 0.01), multiplier))
        #expect(Self.isNear(difference.liveInterval(0.01), liveLower, liveUpper))
    }

    @Test func multipliersOfTheSequence() {
        #expect(Self.isNear(ConfidenceSequence.multiplier(10, alpha: 0.01), 4.450503))
        #expect(Self.isNear(ConfidenceSequence.multiplier(50, alpha: 0.05), 3.056120))
        #expect(Difference(Sample(0, of: 10), minus: Sample(0, of: 10)).liveInterval(0.01) == nil)
    }

    @Test func relativeChangesOfRatesAndMeans() {
        let rates = Difference(Sample(1_000, of: 95_000), minus: Sample(45, of: 5_000))
        #expect(Self.isNear(rates.treated.value / rates.other.value - 1, 0.169591))
        #expect(Self.isNear(rates.relativeInterval(Self.z), -0.143492, 0.597116))
        let means = Difference(
            Sample(sum: 38_000, squares: 3_900_000, responses: 900, of: 95_000),
            minus: Sample(sum: 1_800, squares: 172_000, responses: 45, of: 5_000))
        #expect(Self.isNear(means.value, 0.04))
        #expect(Self.isNear(means.interval(Self.z), -0.135303, 0.215303))
        #expect(Self.isNear(means.relativeInterval(Self.z), -0.315352, 0.803217))
        #expect(Difference(Sample(1, of: 10), minus: Sample(0, of: 10)).relativeInterval(Self.z) == nil)
    }

    @Test func sampleRatios() throws {
        let halves = try #require(SampleRatio([50_500, 49_500], weights: [500, 500]))
        #expect(Self.isNear(halves.chiSquare, 10) && Self.isNear(halves.probability, 0.00156540, within: 1e-8))
        let thirds = try #require(SampleRatio([33_700, 33_000, 33_300], weights: [333, 333, 334]))
        #expect(Self.isNear(thirds.chiSquare, 7.806909) && Self.isNear(thirds.probability, 0.0201721, within: 1e-7))
        #expect(Self.isNear(SampleRatio.probability(7.815, degrees: 3), 0.0499939, within: 1e-7))
        #expect(SampleRatio([99, 0], weights: [500, 500]) == nil)
        #expect(SampleRatio([1_000, 7], weights: [1_000, 0]) == nil)
        #expect(halves.isAlarming(check: 1) == false)
        let lost = try #require(SampleRatio([50_000, 48_500], weights: [500, 500]))
        #expect(lost.isAlarming(check: 1) && lost.isAlarming(check: 10))
    }

    @Test func detectableDifferences() throws {
        #expect(
            Self.isNear(try #require(DetectableDifference.ofRates(5_000, 5_000, base: 0.069, alpha: 0.04)), 0.015409))
        #expect(
            Self.isNear(try #require(DetectableDifference.ofRates(95_000, 5_000, base: 0.01, alpha: 0.04)), 0.004443))
        #expect(DetectableDifference.ofRates(3, 3, base: 0.5, alpha: 0.04) == nil)
        let mean = try #require(DetectableDifference.ofMeans(5_000, 5_000, deviation: 10, alpha: 0.04))
        #expect(Self.isNear(mean, (2.053749 + 0.841621) * 10 * (2.0 / 5_000).squareRoot()))
    }

    @Test func expectedLoss() {
        let difference = Difference(Sample(60, of: 1_000), minus: Sample(50, of: 1_000))
        #expect(Self.isNear(difference.expectedLoss, 0.000880))
    }
}
