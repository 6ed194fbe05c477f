import Campaigns
import Experiments
import Postgres
import Store
import Testing

@testable import Application

/// Sentences of the method, with its own figures (Docs/decisions/experiments.md).
@Suite struct TestReportTests {
    private static let begin = Timestamp(microseconds: 0)

    private static func report(
        _ reached: [Int], of people: [Int], weights: [Int]? = nil, isOver: Bool = true, isOpenEnded: Bool = false
    ) -> TestReport {
        let variants = people.indices.map { index in
            TestCounts.Variant(
                place: index, name: "ABC".map(String.init)[index],
                weight: weights?[index] ?? 1_000 / people.count, planned: people[index], people: people[index],
                engaged: reached[index])
        }
        return TestReport(
            TestCounts(
                goal: .engaged, countedAt: begin + .seconds(isOver ? 90_000 : 10),
                decidesAt: isOpenEnded ? nil : begin + .seconds(86_400), isFinal: isOver, isOpenEnded: isOpenEnded,
                variants: variants))
    }

    @Test func decisionNamesAWinnerWithItsRange() throws {
        let report = Self.report([345, 405], of: [5_000, 5_000])
        let verdict = try #require(report.verdict)
        #expect(verdict.finding == .winner && report.compared[verdict.leader].name == "B")
        let interval = try #require(verdict.leads[0].interval)
        #expect(abs(interval.lower - 0.001176) < 1e-6 && abs(interval.upper - 0.022847) < 1e-6)
        let rate = try #require(report.interval(of: report.counts.variants[0]))
        #expect(abs(rate.lower - 0.062301) < 1e-6 && abs(rate.upper - 0.076361) < 1e-6)
    }

    @Test func sameNumbersAreNoWinnerBeforeTheEnd() throws {
        let live = Self.report([345, 405], of: [5_000, 5_000], isOver: false)
        #expect(live.budget == .live && live.verdict?.finding == .notYet)
        let open = Self.report([345, 405], of: [5_000, 5_000], isOpenEnded: true)
        #expect(open.budget == .openEnded && open.verdict?.finding != .winner)
    }

    @Test func leadOfALargeTestIsSaidBeforeTheEnd() {
        let report = Self.report([30_000, 31_000], of: [500_000, 500_000], isOver: false)
        #expect(report.verdict?.finding == .aheadSoFar)
    }

    @Test func equalVariantsHaveNoWinnerAndTheReportSaysWhatItCouldNotSee() throws {
        let report = Self.report([345, 350], of: [5_000, 5_000])
        guard case .noWinner(let most) = report.verdict?.finding else {
            Issue.record("\(report.verdict.debugDescription)")
            return
        }
        #expect(most > 0.01)
        let detectable = try #require(report.detectable)
        #expect(abs(detectable - 0.0155) < 0.0005)
    }

    @Test func groupThatLostPeopleStopsTheVerdict() {
        let report = Self.report([345, 405], of: [5_000, 4_500])
        #expect(report.hasSampleRatioAlarm && report.verdict?.finding == .sampleRatio)
        #expect(!Self.report([345, 405], of: [5_000, 4_950]).hasSampleRatioAlarm)
    }

    @Test func removedVariantWithoutPeopleIsNotCompared() {
        let report = Self.report([345, 405, 0], of: [5_000, 5_000, 0], weights: [500, 500, 0])
        #expect(report.compared.map(\.place) == [0, 1])
        #expect(report.sampleRatio?.isAlarming(check: 1) == false)
    }

    @Test func testWithoutPeopleHasNoVerdictYet() {
        let report = Self.report([0, 0], of: [0, 0])
        #expect(report.verdict?.finding == .notYet && report.detectable == nil)
    }

    /// Buyers with their sums and sums of squares.
    private static func amounts(_ sums: [(buyers: Int, sum: Double, squares: Double)], of people: Int) -> TestReport {
        let variants = sums.enumerated().map { place, each in
            TestCounts.Variant(
                place: place, name: ["A", "B"][place], weight: 500, planned: people, people: people,
                converted: each.buyers,
                amounts: Amounts(sum: each.sum, squares: each.squares, uncapped: each.sum, capped: 0))
        }
        return TestReport(
            TestCounts(
                goal: .value("purchase"), countedAt: begin + .seconds(400_000), decidesAt: begin + .seconds(300_000),
                isFinal: true, isOpenEnded: false, cap: 100, variants: variants))
    }

    @Test func amountsAreComparedByTheirMeans() throws {
        // 2,000 and 3,000 buyers of 10 each: the more people buy, the higher the mean of all.
        let report = Self.amounts([(2_000, 20_000, 200_000), (3_000, 30_000, 300_000)], of: 100_000)
        #expect(report.finding == "winner" && report.leader == 1)
        let interval = try #require(report.verdict?.leads[0].interval)
        // 0.1 ± 2.053749 · sqrt((1.96 + 2.91) / 100,000)
        #expect(abs(interval.lower - 0.085669) < 1e-5 && abs(interval.upper - 0.114331) < 1e-5)
        let mean = try #require(report.interval(of: report.counts.variants[1]))
        #expect(mean.lower > 0.28 && mean.upper < 0.32)
        let detectable = try #require(report.detectable)
        #expect(detectable > 0.01 && detectable < 0.03)
    }

    @Test func fewBuyersDecideNothing() {
        let report = Self.amounts([(49, 490, 4_900), (400, 4_000, 40_000)], of: 100_000)
        #expect(report.finding == "not_yet")
    }
}
