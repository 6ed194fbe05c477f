import Glibc
import Testing

@testable import Experiments

/// Simulated experiments in which the variants do not differ: how often does one win, if somebody looks all the time?
struct SimulationTests {
    private static let experiments = 10_000
    private static let looks = 10

    /// SplitMix64, so that each run of the test draws the same.
    private struct Generator {
        var state: UInt64

        /// Above 0, and at most 1.
        mutating func next() -> Double {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
            return Double((z ^ z >> 31) >> 11 + 1) * 0x1p-53
        }

        /// The cumulative number of responses at each look. Response times are uniform.
        mutating func responses(of people: Int, rate: Double) -> [Int] {
            var arrivals = Array(repeating: 0, count: SimulationTests.looks)
            var person = 0
            while true {
                person += Int(log(next()) / log(1 - rate)) + 1
                guard person <= people else { break }
                arrivals[min(SimulationTests.looks - 1, Int(next() * Double(SimulationTests.looks)))] += 1
            }
            return arrivals.reduce(into: []) { $0.append(($0.last ?? 0) + $1) }
        }
    }

    /// The share of experiments that name a winner, at any look or at the end, and of those that exclude the first.
    private static func wins(_ groups: [(people: Int, rate: Double)], seed: UInt64) throws -> (
        any: Double, lost: Double
    ) {
        var generator = Generator(state: seed)
        var (wins, lost) = (0, 0)
        for _ in 0..<experiments {
            let responses = groups.map { generator.responses(of: $0.people, rate: $0.rate) }
            func samples(_ look: Int) -> [Sample] {
                zip(groups, responses).map { Sample($0.1[look], of: $0.0.people) }
            }
            let isAhead = try (0..<looks - 1).contains { look in
                let verdict = try #require(Verdict(samples(look), .init(.live, isComplete: false)))
                return verdict.finding == .aheadSoFar
            }
            let last = try #require(Verdict(samples(looks - 1), .init(.decision, isComplete: true)))
            if isAhead || last.finding == .winner { wins += 1 }
            if !last.candidates.contains(0) { lost += 1 }
        }
        return (Double(wins) / Double(experiments), Double(lost) / Double(experiments))
    }

    @Test func atMostFiveOfAHundredExperimentsNameAFalseWinner() throws {
        let equal = try Self.wins([(1_000, 0.08), (1_000, 0.08)], seed: 1).any
        #expect((0.02...0.05).contains(equal), "\(equal)")
        let uneven = try Self.wins([(9_000, 0.03), (1_000, 0.03)], seed: 2).any
        #expect((0.01...0.05).contains(uneven), "\(uneven)")
    }

    @Test func amongFiveEqualVariantsHardlyOneWinsAndTheBestIsRarelyExcluded() throws {
        let (any, lost) = try Self.wins(Array(repeating: (2_000, 0.05), count: 5), seed: 3)
        #expect(any <= 0.01, "\(any)")
        #expect((0.01...0.04).contains(lost), "\(lost)")
    }

    /// A fifth more: by the table of the method, 78 of 100 experiments with 5,000 people each find it.
    @Test func realDifferenceIsFound() throws {
        let found = try Self.wins([(5_000, 0.08), (5_000, 0.096)], seed: 4).any
        #expect((0.75...0.85).contains(found), "\(found)")
    }
}
