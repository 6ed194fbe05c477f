import Campaigns
import JSON
import Store
import Testing

@testable import Application

/// The power of an A/B test before it starts, with figures of the method (Docs/decisions/experiments.md).
@Suite struct TestPlanTests {
    private static func plan(
        _ devices: Int, weights: [Int] = [500, 500], goal: CampaignGoal = .opened, schedule: Schedule? = nil,
        _ basis: TestBasis
    ) -> TestPlan {
        var content = CampaignContent(name: "Sale", payload: "{}")
        content.variants = weights.indices.map {
            CampaignVariant(name: ["A", "B", "C"][$0], body: .payload("{}"))
        }
        content.weights = weights
        content.goal = goal
        content.schedule = schedule
        return TestPlan(content, devices: devices, basis)
    }

    @Test func equalVariantsShowTheDifferenceOfTheMethod() throws {
        let plan = Self.plan(10_000, TestBasis(rate: 0.069))
        #expect(plan.variants.map(\.people) == [5_000, 5_000])
        #expect(!plan.isUsualRate)
        #expect(abs(try #require(plan.detectable) - 0.015409) < 1e-6)
        // 1.5 of 6.9 points are more than a fifth.
        #expect(plan.problems.map(\.code) == ["test-shows-little"])
        #expect(Self.plan(100_000, TestBasis(rate: 0.069)).problems.isEmpty)
    }

    @Test func devicesOfOnePersonCountOnce() {
        let plan = Self.plan(10_000, weights: [950, 50], TestBasis(peoplePerDevice: 0.8))
        #expect(plan.variants.map(\.people) == [7_600, 400])
    }

    @Test func onlyTheTestedPartCounts() throws {
        var content = CampaignContent(name: "Sale", payload: "{}")
        content.variants = ["A", "B"].map { CampaignVariant(name: $0, body: .payload("{}")) }
        content.weights = [500, 500]
        content.winner = WinnerRule(share: 200)
        let plan = TestPlan(content, devices: 50_000, TestBasis(rate: 0.069))
        #expect(plan.variants.map(\.people) == [5_000, 5_000])
        #expect(abs(try #require(plan.detectable) - 0.015409) < 1e-6)
        content.winner = WinnerRule(share: 200, decision: .byHand)
        // Without a fixed time, the same people show less.
        #expect(try #require(TestPlan(content, devices: 50_000, TestBasis(rate: 0.069)).detectable) > 0.019)
    }

    @Test func variantWithoutWeightHasNobodyAndIsNotCompared() throws {
        let plan = Self.plan(20_000, weights: [500, 0, 500], TestBasis())
        #expect(plan.variants.map(\.place) == [0, 2] && plan.variants.map(\.people) == [10_000, 10_000])
        #expect(plan.detectable != nil)
    }

    @Test func rateIsAssumedWithoutAPast() {
        #expect(Self.plan(10_000, TestBasis()).rate == 0.05)
        let event = Self.plan(10_000, goal: .event("purchase"), TestBasis())
        #expect(event.rate == 0.01 && event.isUsualRate)
    }

    @Test func fewerThanAHundredPeopleAreTooFew() {
        let basis = TestBasis(rate: 0.6)
        #expect(Self.plan(198, basis).problems.map(\.code) == ["test-too-small"])
        #expect(Self.plan(200, basis).problems.map(\.code) == ["test-shows-little"])
    }

    @Test func goalThatIsHardlyReportedCanNotBeMeasured() {
        func codes(_ reached: Int, of accepted: Int) -> [String] {
            Self.plan(
                1_000_000, TestBasis(reports: TestBasis.Reports(accepted: accepted, reached: reached))
            ).problems.map(\.code)
        }
        #expect(codes(9, of: 1_000) == ["goal-hardly-reported"])
        #expect(codes(10, of: 1_000) == [])
        #expect(codes(0, of: 999) == [])
    }

    @Test func eventThatNobodyReportedIsNamed() {
        let plan = Self.plan(1_000_000, goal: .event("purchace"), TestBasis(hasEvent: false))
        #expect(plan.problems.map(\.path) == ["goal.event_name"])
    }

    @Test func nobodyKnowsHowManyPeopleARepeatedCampaignWillHave() {
        let plan = Self.plan(100, schedule: .triggered, TestBasis())
        #expect(plan.detectable == nil && plan.problems.isEmpty)
    }

    @Test func amountsNeedMorePeopleThanRatesAndAPast() throws {
        let basis = TestBasis(rate: 0.01, amounts: TestBasis.Amounts(mean: 40, meanSquare: 4_000))
        let plan = Self.plan(100_000, goal: .value("purchase"), basis)
        #expect(plan.amount == 0.4)
        // 2.895370 · sqrt(40 - 0.16) · sqrt(2 / 50,000)
        #expect(abs(try #require(plan.detectable) - 0.115581) < 1e-4)
        #expect(plan.problems.map(\.code) == ["test-shows-little"])
        let unknown = Self.plan(100_000, goal: .value("purchase"), TestBasis(rate: 0.01))
        #expect(unknown.amount == nil && unknown.detectable == nil && unknown.problems.isEmpty)
    }
}
