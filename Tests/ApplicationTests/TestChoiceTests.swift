import Campaigns
import Postgres
import Store
import Testing

@testable import Application

/// The choice that a rule makes for the rest of a test's audience.
@Suite struct TestChoiceTests {
    private static func report(_ opened: [Int], of people: Int = 1_000) -> TestReport {
        let count = opened.count
        let counted = Timestamp(secondsSince1970: 1_000_000)
        return TestReport(
            TestCounts(
                goal: .opened, countedAt: counted, decidesAt: counted, isFinal: true, isOpenEnded: false,
                variants: opened.enumerated().map { place, opened in
                    TestCounts.Variant(
                        place: place, name: "\(place)", weight: 1_000 / count, planned: people, people: people,
                        opened: opened)
                }))
    }

    @Test(arguments: WinnerRule.Fallback.allCases) func winnerIsSentWhateverTheFallback(
        _ fallback: WinnerRule.Fallback
    ) {
        let rule = WinnerRule(share: 200, fallback: fallback)
        #expect(rule.choice(Self.report([50, 120]), isUnanswered: false) == .send(variant: 1, because: .winner))
    }

    @Test(
        arguments: [
            (WinnerRule.Fallback.leader, false, TestChoice.send(variant: 1, because: .leader)),
            (.first, false, .send(variant: 0, because: .first)),
            (.ask, false, .ask),
            (.ask, true, .send(variant: 1, because: .noAnswer)),
        ]) func thinEvidenceIsHandledAsTheRuleSays(
            _ fallback: WinnerRule.Fallback, _ isUnanswered: Bool, _ expected: TestChoice
        )
    {
        let rule = WinnerRule(share: 200, fallback: fallback)
        #expect(rule.choice(Self.report([50, 55]), isUnanswered: isUnanswered) == expected)
    }

    @Test func withoutAnyCountTheFirstLeads() {
        #expect(WinnerRule(share: 200).choice(nil, isUnanswered: false) == .send(variant: 0, because: .leader))
    }

    @Test func nothingIsSentThatOnlyAPersonMayDecide() {
        let rule = WinnerRule(share: 200, decision: .byHand)
        #expect(rule.choice(Self.report([50, 120]), isUnanswered: false) == .nothing)
    }

    @Test(
        arguments: [
            (WinnerRule.Decision.automatic(after: 3_600), CampaignGoal.opened, 3_600),
            (.automatic(after: 172_800), .opened, 86_400),
            (.automatic(after: 172_800), .event("purchase"), 172_800),
            (.byHand, .event("purchase"), 259_200),
        ]) func peopleHaveTheTimeOfTheTestToReachTheGoal(
            _ decision: WinnerRule.Decision, _ goal: CampaignGoal, _ seconds: Int
        )
    {
        #expect(WinnerRule(share: 100, decision: decision).seconds(for: goal) == seconds)
    }
}
