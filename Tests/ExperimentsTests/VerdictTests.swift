import Testing

@testable import Experiments

struct VerdictTests {
    private static let decision = Verdict.Options(.decision, isComplete: true)

    @Test func winnerIsBetterThanEachOther() throws {
        let verdict = try #require(Verdict([Sample(345, of: 5_000), Sample(405, of: 5_000)], Self.decision))
        #expect(verdict.finding == .winner && verdict.leader == 1 && verdict.candidates == [1])
    }

    /// Of three, the third is beaten, and between the other two nothing is decided.
    @Test func beatenVariantIsNoCandidate() throws {
        let verdict = try #require(
            Verdict([Sample(345, of: 5_000), Sample(405, of: 5_000), Sample(390, of: 5_000)], Self.decision))
        #expect(verdict.leader == 1 && verdict.candidates == [1, 2])
        let (toA, toC) = (try #require(verdict.leads[0].interval), try #require(verdict.leads[1].interval))
        #expect(abs(toA.lower - 0.000317) < 1e-6 && abs(toA.upper - 0.023710) < 1e-6)
        #expect(abs(toC.lower + 0.009011) < 1e-6 && abs(toC.upper - 0.015017) < 1e-6)
        #expect(verdict.finding == .noWinner(atMost: toC.upper))
    }

    @Test func smallDifferenceDoesNotMatter() throws {
        let verdict = try #require(Verdict([Sample(30_000, of: 500_000), Sample(30_020, of: 500_000)], Self.decision))
        guard case .noDifferenceThatMatters(let most) = verdict.finding else {
            Issue.record("\(verdict.finding)")
            return
        }
        #expect(most < 0.002)
    }

    @Test func fewPeopleOrResponsesSayNothing() throws {
        for samples in [[Sample(50, of: 99), Sample(10, of: 5_000)], [Sample(15, of: 5_000), Sample(4, of: 5_000)]] {
            #expect(try #require(Verdict(samples, Self.decision)).finding == .notYet)
        }
        let amounts = [
            Sample(sum: 5_000, squares: 500_000, responses: 49, of: 5_000),
            Sample(sum: 50_000, squares: 5_000_000, responses: 500, of: 5_000),
        ]
        #expect(try #require(Verdict(amounts, Self.decision)).finding == .notYet)
    }

    @Test func alarmOfTheSampleRatioForbidsAVerdict() throws {
        var options = Self.decision
        options.hasSampleRatioAlarm = true
        let verdict = try #require(Verdict([Sample(345, of: 5_000), Sample(905, of: 5_000)], options))
        #expect(verdict.finding == .sampleRatio)
    }

    @Test func beforeAllCouldRespondNobodyHasWon() throws {
        let samples = [Sample(345, of: 5_000), Sample(905, of: 5_000)]
        let early = try #require(Verdict(samples, .init(.live, isComplete: false)))
        #expect(early.finding == .aheadSoFar)
        let close = try #require(
            Verdict([Sample(345, of: 5_000), Sample(405, of: 5_000)], .init(.live, isComplete: false)))
        #expect(close.finding == .notYet)
        #expect(try #require(Verdict(samples, .init(.openEnded, isComplete: true))).finding == .winner)
    }

    /// A removed variant still counts for the correction.
    @Test func variantsThatWereThereMakeIntervalsWider() throws {
        let samples = [Sample(345, of: 5_000), Sample(405, of: 5_000)]
        var options = Self.decision
        options.variantCount = 10
        #expect(try #require(Verdict(samples, options)).finding != .winner)
    }

    @Test func firstOfEqualOnesLeads() throws {
        let verdict = try #require(Verdict([Sample(300, of: 5_000), Sample(300, of: 5_000)], Self.decision))
        #expect(verdict.leader == 0)
        #expect(Verdict([Sample(1, of: 10)], Self.decision) == nil)
    }
}
