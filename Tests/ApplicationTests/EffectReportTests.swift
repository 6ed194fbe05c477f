import Campaigns
import Experiments
import Postgres
import Store
import Testing

@testable import Application

/// Findings about the effect of a campaign.
@Suite struct EffectReportTests {
    private static func report(
        _ treated: (Int, of: Int), _ control: (Int, of: Int), share: Int = 50, isOver: Bool = true,
        isOpenEnded: Bool = false
    ) -> EffectReport {
        let counted = Timestamp(secondsSince1970: 1_000_000)
        return EffectReport(
            EffectCounts(
                goal: .event("purchase"), countedAt: counted, decidesAt: isOver ? counted : nil, isFinal: isOver,
                isOpenEnded: isOpenEnded, treated: treated.of, treatedConverted: treated.0, control: control.of,
                controlConverted: control.0), share: share)
    }

    /// The vectors of the method.
    @Test func effectAndItsRangesAreThoseOfTheMethod() throws {
        let report = Self.report((1_000, of: 95_000), (45, of: 5_000))
        let interval = try #require(report.interval)
        #expect(abs(interval.lower + 0.001728) < 1e-6 && abs(interval.upper - 0.003988) < 1e-6)
        let relative = try #require(report.relative)
        #expect(abs(relative.lower + 0.143492) < 1e-6 && abs(relative.upper - 0.597116) < 1e-6)
        #expect(report.finding == .noEffectShown)
        #expect(abs(try #require(report.caused) - 145) < 0.5)
        #expect(abs(try #require(report.causedInterval?.upper) - 378.9) < 0.5)
    }

    @Test func effectAndHarmAreSaidWhenTheRangeLeavesZero() {
        #expect(Self.report((2_000, of: 95_000), (45, of: 5_000)).finding == .caused)
        #expect(Self.report((500, of: 95_000), (45, of: 5_000)).finding == .harm)
    }

    @Test func beforeTheTimeOfAllTheRangeIsWider() throws {
        let early = Self.report((1_000, of: 95_000), (45, of: 5_000), isOver: false)
        #expect(early.budget == .live && early.finding == .notYet && early.relative == nil)
        let interval = try #require(early.interval)
        #expect(abs(interval.lower + 0.004891) < 1e-6 && abs(interval.upper - 0.005463) < 1e-6)
        let openEnded = Self.report((1_000, of: 95_000), (45, of: 5_000), isOpenEnded: true)
        #expect(openEnded.budget == .openEnded)
    }

    @Test func fewPeopleSayNothing() {
        #expect(Self.report((20, of: 950), (0, of: 50)).finding == .notYet)
        #expect(Self.report((10, of: 9_500), (2, of: 500)).finding == .notYet)
        #expect(Self.report((0, of: 0), (0, of: 0)).difference == nil)
    }

    @Test func missingPeopleAreAnAlarm() {
        #expect(Self.report((2_000, of: 95_000), (45, of: 4_000)).finding == .sampleRatio)
    }

    private static func amounts(_ treated: Amounts, _ control: Amounts, buyers: (Int, Int)) -> EffectReport {
        let counted = Timestamp(secondsSince1970: 1_000_000)
        return EffectReport(
            EffectCounts(
                goal: .value("purchase"), countedAt: counted, decidesAt: counted, isFinal: true, isOpenEnded: false,
                treated: 95_000, treatedConverted: buyers.0, control: 5_000, controlConverted: buyers.1,
                treatedAmounts: treated, controlAmounts: control), share: 50)
    }

    /// The vectors of the method: means of 95,000 and 5,000 people.
    @Test func effectOnAmountsHasTheRangesOfTheMethod() throws {
        let report = Self.amounts(
            Amounts(sum: 38_000, squares: 3_900_000, uncapped: 38_000, capped: 0),
            Amounts(sum: 1_800, squares: 172_000, uncapped: 1_800, capped: 0), buyers: (900, 60))
        let interval = try #require(report.interval)
        #expect(abs(interval.lower + 0.135303) < 1e-6 && abs(interval.upper - 0.215303) < 1e-6)
        let relative = try #require(report.relative)
        #expect(abs(relative.lower + 0.315352) < 1e-6 && abs(relative.upper - 0.803217) < 1e-6)
        #expect(report.finding == .noEffectShown)
        #expect(abs(try #require(report.caused) - 3_800) < 1e-6)
    }

    @Test func amountsOfFewBuyersSayNothing() {
        let much = Amounts(sum: 380_000, squares: 3_900_000, uncapped: 380_000, capped: 0)
        let little = Amounts(sum: 100, squares: 1_000, uncapped: 100, capped: 0)
        #expect(Self.amounts(much, little, buyers: (9_000, 49)).finding == .notYet)
        #expect(Self.amounts(much, little, buyers: (9_000, 50)).finding == .caused)
    }
}
