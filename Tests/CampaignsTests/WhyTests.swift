import JSON
import Testing

@testable import Campaigns

struct WhyTests {
    private static let start: Int64 = 1_000

    private static func facts(
        _ outcome: WhyFacts.Outcome? = nil, conditions: [WhyFacts.Condition] = [],
        _ change: (inout WhyFacts) -> Void = { _ in }
    ) -> WhyFacts {
        var facts = WhyFacts(
            run: WhyFacts.Run(
                startedAt: start, isPlanned: true, isCancelled: false, finishedAt: 2_000, deviceCeiling: 100,
                planCursor: 100, topic: "news", cap: FrequencyCap(count: 3, days: 7), hasQuietHours: true,
                isInLocalTime: false, areRecipientsDeleted: false),
            device: WhyFacts.Device(id: 7, kind: .alert, retiredAt: nil, changedAt: 500), outcome: outcome,
            conditions: conditions)
        change(&facts)
        return facts
    }

    private static func outcome(_ kind: OutcomeKind, _ reason: String = "") -> WhyFacts.Outcome {
        WhyFacts.Outcome(kind: kind, reason: reason, isResent: false, wasDeferred: false)
    }

    private static func last(_ why: Why) -> String { why.steps.last.map { "\($0.rule.rawValue) \($0.result)" } ?? "" }

    @Test func acceptedPushPassedEveryRuleOfTheRun() {
        let why = Why(Self.facts(Self.outcome(.accepted)))
        #expect(why.verdict == .sent)
        #expect(why.steps.allSatisfy { $0.result == .passed })
        #expect(
            why.steps.map(\.rule) == [
                .beforeStart, .audience, .permission, .topic, .quietHours, .cap, .value, .apple,
            ])
    }

    @Test func pauseOfTheRunIsNamedAndNothingIsSentByItself() {
        var outcome = Self.outcome(.pending)
        outcome.lastAnswer = LastAnswer(reason: "InvalidProviderToken", at: Instant(microseconds: 0))
        let why = Why(
            Self.facts(outcome) { facts in
                facts.run.isPaused = true
                facts.run.pauseReason = "Apple rejects the app's credential. Check it; then resume."
            })
        #expect(why.verdict == .pending)
        #expect(why.summary == "The run is paused: Apple rejects the app's credential. Check it; then resume.")
        let paused = Why(Self.facts(Self.outcome(.pending)) { $0.run.isPaused = true })
        #expect(paused.summary == "The run is paused.")
    }

    @Test(arguments: [
        ("notifications denied", "permission failed", 2), ("opted out of the topic", "topic failed", 3),
        ("opted out of all campaigns", "opt_out failed", 3),
        ("quiet hours", "quiet_hours failed", 4), ("frequency cap", "frequency_cap failed", 5),
        ("value missing", "value failed", 6), ("value not usable", "value failed", 6),
        ("payload too long", "size failed", 7),
        ("device removed", "token failed", 2), ("no credential for this environment", "credential failed", 6),
        ("local time past", "local_time failed", 4), ("something new", "sending failed", 6),
    ]) func suppressionNamesItsRuleAfterThoseThatPassed(_ reason: String, _ rule: String, _ passed: Int) {
        let why = Why(Self.facts(Self.outcome(.suppressed, reason)))
        #expect(why.verdict == .notSent)
        #expect(Self.last(why) == rule)
        #expect(why.steps.dropLast().allSatisfy { $0.result == .passed })
        #expect(why.summary == why.steps.last?.text)
        #expect(why.steps.count == passed + 1)
    }

    @Test(arguments: [
        (OutcomeKind.rejected, Why.Verdict.notSent, "apple failed"), (.unknown, .sent, "answer unknown"),
        (.expired, .notSent, "expiration failed"), (.cancelled, .notSent, "cancellation failed"),
        (.pending, .pending, "sending unknown"),
    ]) func outcomeDecides(_ kind: OutcomeKind, _ verdict: Why.Verdict, _ last: String) {
        let why = Why(Self.facts(Self.outcome(kind, "Unregistered")))
        #expect(why.verdict == verdict && Self.last(why) == last)
        // Nobody knows yet whether a value is missing for a push that was not composed.
        #expect(why.steps.contains { $0.rule == .value } == [.rejected, .unknown].contains(kind))
    }

    @Test func deviceThatIsNotARecipientIsExplainedByTheFirstRuleThatExcludesIt() {
        let late = Why(Self.facts { $0.device.id = 101 })
        #expect(late.verdict == .notConsidered && Self.last(late) == "registered_before_start failed")
        let kind = Why(Self.facts { $0.device.kind = .voip })
        #expect(kind.verdict == .notConsidered && Self.last(kind) == "token_kind failed")
        let deleted = Why(Self.facts { $0.run.areRecipientsDeleted = true })
        #expect(deleted.verdict == .unknown && Self.last(deleted) == "planned unknown")
        let planning = Why(
            Self.facts {
                $0.run.isPlanned = false
                $0.run.finishedAt = nil
                $0.run.planCursor = 6
            })
        #expect(planning.verdict == .pending)
        let cancelled = Why(
            Self.facts {
                $0.run.isPlanned = false
                $0.run.isCancelled = true
                $0.run.planCursor = 6
            })
        #expect(cancelled.verdict == .notConsidered && Self.last(cancelled) == "cancellation failed")
        let ended = Why(Self.facts { $0.device.retiredAt = 999 })
        #expect(ended.verdict == .notConsidered && Self.last(ended) == "token failed")
        let endedLater = Why(Self.facts { $0.device.retiredAt = 1_500 })
        #expect(endedLater.verdict == .notConsidered && Self.last(endedLater) == "token failed")
    }

    @Test func audienceIsCheckedWithPresentValuesAndSaysSo() {
        let unmet = [WhyFacts.Condition(depth: 0, text: "tag vip", isMet: false)]
        let certain = Why(Self.facts(conditions: unmet))
        #expect(Self.last(certain) == "audience failed" && certain.conditions == unmet)
        #expect(!certain.summary.description.contains("present values"))
        let changed = Why(Self.facts(conditions: unmet) { $0.device.changedAt = 1_500 })
        #expect(changed.summary.description.contains("present values"))
        let met = Why(Self.facts(conditions: [WhyFacts.Condition(depth: 0, text: "tag vip", isMet: true)]))
        #expect(met.verdict == .notConsidered && met.summary.description.contains("has changed since"))
    }

    @Test func partsOfAnAudienceAreInReadingOrder() {
        let condition = AudienceCondition.all([.tag("vip"), .any([.tag("a"), .tag("b")]), .not(.tag("c"))])
        let parts = condition.parts(limit: 100).map { "\($0.depth) \($0.condition.heading)" }
        #expect(parts == ["0 all of", "1 tag vip", "1 any of", "2 tag a", "2 tag b", "1 not tag c"])
        #expect(condition.parts(limit: 2).count == 2)
    }
}
