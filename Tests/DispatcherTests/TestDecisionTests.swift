import Application
import Campaigns
import Experiments
import Foundation
import JSON
import Notifications
import Postgres
import Store
import Testing

@testable import Dispatcher

extension DispatcherSuite {
    /// A/B tests of a share of the audience: the rest waits, and gets the variant of the decision, once.
    @Suite struct TestDecisionTests {
        private static func test(
            _ bench: DispatcherFixture, _ rule: WinnerRule = WinnerRule(share: 300), schedule: Schedule? = nil
        ) async throws -> Campaign.ID {
            try await bench.campaign {
                $0.variants = ["A", "B"].map {
                    CampaignVariant(name: $0, body: .payload(#"{"aps":{"alert":"\#($0)"}}"#))
                }
                $0.weights = [500, 500]
                $0.goal = .opened
                $0.winner = rule
                $0.schedule = schedule
            }
        }

        private static func untilTested(_ bench: DispatcherFixture, _ campaign: Campaign.ID) async throws -> RunRecord {
            try await bench.until {
                guard
                    let run = try await bench.runs.list(campaign: campaign, app: bench.app, before: nil, limit: 1).first
                else { return false }
                return run.awaitsDecision && run.ledger[.accepted] > 0
            }
            return try await bench.run(of: campaign)
        }

        /// Lets the time of the test pass, and counts its people for the last time.
        private static func end(_ bench: DispatcherFixture) async throws {
            try await bench.pool.execute(
                "UPDATE batches SET due_at = due_at - interval '1 day' WHERE NOT is_rest")
            try await bench.pool.execute("UPDATE events SET happened_at = happened_at - interval '1 day'")
            try await bench.pool.execute("UPDATE test_counts SET count_next_at = now()")
            _ = try await bench.stores.testCounts.countStep()
        }

        private static func open(_ bench: DispatcherFixture, share: Int, of variant: Int) async throws {
            let rows = try await bench.pool.query(
                """
                SELECT message_number, device_id FROM bi.deliveries
                WHERE variant = \(variant) AND outcome = 'accepted' ORDER BY device_id
                """)
            let events = try rows.prefix(rows.count * share / 100).map {
                Acknowledgement(
                    index: 0, messageNumber: try $0[0], device: try $0[1], kind: .opened, time: .receipt, details: nil)
            }
            _ = try await AcknowledgementStore(pool: bench.pool).store([
                AcknowledgementRequest(app: bench.app, events: events)
            ])
        }

        private static func decision(
            _ bench: DispatcherFixture, _ campaign: Campaign.ID
        ) async throws -> TestDecision {
            let record = try await bench.campaigns.find(campaign, app: bench.app)
            return try #require(try await bench.stores.testDecisions.decision(of: record))
        }

        @Test func restWaitsAndGetsTheWinner() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2_000, columns: ["user_id": "'u' || n"])
                let campaign = try await Self.test(bench)
                let salt: Int64 = try await bench.pool.query("SELECT salt FROM campaigns")[0][0]
                let tested = Set(
                    (1...2_000).filter { UnitPoint(unit: "uu\($0)", salt: salt)[.phase] < 300 })
                try await bench.work {
                    let waiting = try await Self.untilTested(bench, campaign)
                    #expect(waiting.stateName == "waiting" && waiting.isBalanced && waiting.targeted == 2_000)
                    #expect(waiting.ledger[.accepted] == tested.count)
                    #expect(waiting.ledger[.pending] == 2_000 - tested.count)
                    // It is not a run that somebody forgot to finish.
                    let facts = try await bench.stores.status.facts(seenWithin: .seconds(60))
                    #expect(facts.runs.count == 1 && facts.runs.allSatisfy { $0.completeSince == nil })
                    let variants = try await bench.runs.variants(of: waiting.key)
                    #expect(variants.reduce(0) { $0 + $1.ledger.targeted } == tested.count)
                    let undecided = try await Self.decision(bench, campaign)
                    #expect(undecided.rest == 2_000 - tested.count && undecided.decidedAt == nil)

                    try await Self.open(bench, share: 20, of: 0)
                    try await Self.open(bench, share: 50, of: 1)
                    try await Self.end(bench)
                }
                let decision = try await Self.decision(bench, campaign)
                #expect(decision.variant == 1 && decision.reason == .winner && decision.decidedBy == nil)
                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.accepted] == 2_000 && run.verifiedAt != nil)
                for number in 1...2_000 {
                    #expect(bench.accepted(number) == 1, "device \(number)")
                }
                // Who was not in the test got B.
                let others = try await bench.pool.query(
                    """
                    SELECT v.installation::bigint FROM bi.deliveries d
                    JOIN devices v ON v.app_id = d.app_id AND v.id = d.device_id WHERE d.variant = 0
                    """
                ).map { Int(try $0[0, as: Int64.self]) }
                #expect(tested.isSuperset(of: others) && others.count > tested.count / 3)
                let variants = try await bench.runs.variants(of: run.key)
                #expect(variants.reduce(0) { $0 + $1.ledger.targeted } == 2_000)
            }
        }

        /// The rest is no evidence: nobody chose at random what it got.
        @Test func peopleOfTheRestAreNotCounted() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...600)
                let campaign = try await Self.test(bench)
                try await bench.work {
                    let waiting = try await Self.untilTested(bench, campaign)
                    try await Self.end(bench)
                    try await bench.until { try await Self.decision(bench, campaign).decidedAt != nil }
                    let record = try await bench.campaigns.find(campaign, app: bench.app)
                    let counts = try #require(try await bench.stores.testCounts.counts(of: record))
                    #expect(counts.isFinal)
                    #expect(counts.variants.reduce(0) { $0 + $1.planned } == waiting.ledger[.accepted])
                }
                // Nobody opened: the evidence is thin, and the first of equal ones leads.
                let decision = try await Self.decision(bench, campaign)
                #expect(decision.variant == 0 && decision.reason == .leader)
            }
        }

        @Test func cancellingEndsTheWaitOfTheRest() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...500)
                let campaign = try await Self.test(bench)
                try await bench.work {
                    _ = try await Self.untilTested(bench, campaign)
                    _ = try await bench.campaigns.cancel(campaign, app: bench.app)
                }
                let run = try await bench.run(of: campaign)
                #expect(run.state == .cancelled && run.verifiedAt != nil && run.ledger[.pending] == 0)
                #expect(run.ledger[.cancelled] > 250 && run.ledger[.accepted] > 80)
                #expect(try await Self.decision(bench, campaign).isOver)
                let late = NewTestDecision(variant: 1, reason: .byHand)
                #expect(try await !bench.stores.testDecisions.decide(run.key, late))
            }
        }

        @Test func decisionByHandIsTakenOnce() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...500)
                let campaign = try await Self.test(bench, WinnerRule(share: 200, decision: .byHand))
                try await bench.work {
                    let run = try await Self.untilTested(bench, campaign)
                    #expect(try await bench.stores.testDecisions.undecided().isEmpty)
                    let decisions = bench.stores.testDecisions
                    let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
                        for variant in [0, 1, 0, 1] {
                            group.addTask {
                                try await decisions.decide(
                                    run.key, NewTestDecision(variant: variant, reason: .byHand))
                            }
                        }
                        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                    }
                    #expect(taken == 1)
                }
                #expect((1...500).allSatisfy { bench.accepted($0) == 1 })
                #expect(try await Self.decision(bench, campaign).reason == .byHand)
            }
        }

        @Test func nobodyDecidesForAWeekSoThatTheRestExpires() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...500)
                let campaign = try await Self.test(bench, WinnerRule(share: 200, decision: .byHand))
                try await bench.work {
                    _ = try await Self.untilTested(bench, campaign)
                    try await bench.pool.execute("UPDATE runs SET planned_at = planned_at - interval '8 days'")
                }
                let run = try await bench.run(of: campaign)
                #expect(run.verifiedAt != nil && run.ledger[.expired] > 300 && run.ledger[.pending] == 0)
                let decision = try await Self.decision(bench, campaign)
                #expect(decision.reason == .expired && decision.variant == nil)
            }
        }

        @Test func personIsAskedAndTheLeaderIsSentWithoutAnAnswer() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...500)
                try await Self.hook(bench, .testUndecided)
                let campaign = try await Self.test(bench, WinnerRule(share: 200, fallback: .ask))
                try await bench.work {
                    _ = try await Self.untilTested(bench, campaign)
                    try await Self.open(bench, share: 30, of: 1)
                    try await Self.end(bench)
                    try await bench.until { try await Self.decision(bench, campaign).askedAt != nil }
                    #expect(try await Self.decision(bench, campaign).decidedAt == nil)
                    #expect(try await bench.stores.testDecisions.undecided().isEmpty)
                    try await bench.pool.execute(
                        "UPDATE test_decisions SET asked_at = asked_at - interval '25 hours'")
                }
                let decision = try await Self.decision(bench, campaign)
                #expect(decision.variant == 1 && decision.reason == .noAnswer)
                let told = try await bench.pool.query(
                    """
                    SELECT (data ->> 'answer_by')::timestamptz - d.asked_at BETWEEN interval '48 hours' AND interval '50 hours'
                    FROM webhook_events CROSS JOIN test_decisions d
                    """
                ).map { try $0[0, as: Bool.self] }
                #expect(told == [true])
                #expect((1...500).allSatisfy { bench.accepted($0) == 1 })
            }
        }

        @Test func clearLeadIsSentBeforeTheTimeIsOverAndAWebhookIsTold() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2_000)
                try await Self.hook(bench, .testDecided)
                let rule = WinnerRule(share: 500, decision: .whenClear(within: 14_400))
                let campaign = try await Self.test(bench, rule)
                try await bench.work {
                    _ = try await Self.untilTested(bench, campaign)
                    // Fewer openings than tell when people usually open.
                    try await Self.open(bench, share: 18, of: 1)
                    // Nearly two hours, in which most people of an app usually respond: sooner is not better.
                    try await Self.advance(bench, minutes: 110)
                    try await bench.until { try await Self.undecided(bench).map(\.why) == [.early] }
                    #expect(try await Self.decider(bench).decide(Self.undecided(bench)[0]) == nil)
                    try await Self.advance(bench, minutes: 20)
                }
                let decision = try await Self.decision(bench, campaign)
                #expect(decision.variant == 1 && decision.reason == .clear)
                #expect((1...2_000).allSatisfy { bench.accepted($0) == 1 })
                let told = try await bench.pool.query(
                    "SELECT kind || ' ' || (data ->> 'variant_name') || ' ' || (data ->> 'reason') FROM webhook_events"
                ).map { try $0[0, as: String.self] }
                #expect(told == ["test.decided B clear"])
            }
        }

        @Test func smallLeadWaitsForTheTimeOfTheTest() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1_000)
                let campaign = try await Self.test(bench, WinnerRule(share: 500, decision: .whenClear(within: 14_400)))
                try await bench.work {
                    _ = try await Self.untilTested(bench, campaign)
                    try await Self.open(bench, share: 20, of: 0)
                    try await Self.open(bench, share: 25, of: 1)
                    try await Self.advance(bench, minutes: 180)
                    try await bench.until { try await Self.undecided(bench).map(\.why) == [.early] }
                    #expect(try await Self.decider(bench).decide(Self.undecided(bench)[0]) == nil)
                    try await Self.end(bench)
                }
                let decision = try await Self.decision(bench, campaign)
                #expect(decision.variant == 1 && decision.reason == .leader)
            }
        }

        private static func decider(_ bench: DispatcherFixture) -> TestDecider {
            TestDecider(
                tests: bench.stores.testCounts, decisions: bench.stores.testDecisions, bases: bench.stores.testBases)
        }

        private static func undecided(_ bench: DispatcherFixture) async throws -> [TestDecider.Undecided] {
            try await bench.stores.testDecisions.undecided()
        }

        /// Lets minutes pass since the test was sent, and counts.
        private static func advance(_ bench: DispatcherFixture, minutes: Int32) async throws {
            let time: PostgresQuery = "make_interval(mins => \(minutes))"
            try await bench.pool.execute("UPDATE batches SET due_at = due_at - \(time) WHERE NOT is_rest")
            try await bench.pool.execute("UPDATE events SET happened_at = happened_at - \(time)")
            try await bench.pool.execute("UPDATE test_counts SET count_next_at = now()")
            _ = try await bench.stores.testCounts.countStep()
        }

        private static func hook(_ bench: DispatcherFixture, _ kind: Webhook.EventKind) async throws {
            try await bench.pool.execute(
                """
                INSERT INTO webhooks (app_id, url, kinds)
                VALUES (\(bench.app), 'https://hooks.example.com/', ARRAY[\(kind.rawValue)])
                """)
        }

        /// Recipients whose time is local are sent to when their clocks next show it, not in the middle of the night.
        @Test func restOfALocalTimeMovesByWholeDays() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...300)
                try await bench.pool.execute(
                    "UPDATE devices SET time_zone = CASE WHEN id % 2 = 0 THEN 'Asia/Tokyo' ELSE 'America/Lima' END")
                let now: Int = try await bench.pool.query("SELECT floor(extract(epoch FROM now()))::bigint")[0][0]
                let time = try #require(CivilTime(seconds: now + 9 * 3_600 + 60))
                _ = try await Self.test(bench, schedule: .local(time, ifPast: .skip))
                let run = try await bench.startedRun()
                try await bench.plan(run)
                let before = try await Self.dues(bench)
                #expect(before.map(\.state) == ["waiting", "waiting"])
                // The decision is taken 30 hours later.
                try await bench.pool.execute(
                    """
                    UPDATE batches SET due_at = due_at - interval '30 hours', not_after = not_after - interval '30 hours'
                    """)
                try await bench.pool.execute("UPDATE runs SET started_at = started_at - interval '30 hours'")
                #expect(
                    try await bench.stores.testDecisions.decide(
                        bench.key(run), NewTestDecision(variant: 1, reason: .byHand)))
                let after = try await Self.dues(bench)
                #expect(after.map(\.state) == ["ready", "ready"])
                for (was, became) in zip(before, after) {
                    // It was 30 hours earlier.
                    let shift = became.due - (was.due - 30 * 3_600)
                    #expect(shift % 86_400 == 0 && shift > 0 && became.due > now)
                    #expect(became.due <= now + 86_400)
                    #expect(became.late - became.due == was.late - was.due)
                }
                let expiry: Int = try await bench.pool.query(
                    "SELECT floor(extract(epoch FROM expires_at))::bigint FROM runs")[0][0]
                #expect(expiry > (after.map(\.due).max() ?? 0) + 80_000)
            }
        }

        private static func dues(
            _ bench: DispatcherFixture
        ) async throws -> [(state: String, due: Int, late: Int)] {
            try await bench.pool.query(
                """
                SELECT state, floor(extract(epoch FROM due_at))::bigint, floor(extract(epoch FROM not_after))::bigint
                FROM batches WHERE is_rest ORDER BY first_id % 2, id
                """
            ).map { (try $0[0], try $0[1], try $0[2]) }
        }

        @Test func restExpiresAsLongAfterTheDecisionAsTheTestAfterItsStart() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...200)
                _ = try await Self.test(bench)
                let run = try await bench.startedRun()
                // Before all are planned, nothing can be decided.
                let decision = NewTestDecision(variant: 0, reason: .byHand)
                #expect(try await !bench.stores.testDecisions.decide(bench.key(run), decision))
                try await bench.plan(run)
                try await bench.pool.execute(
                    """
                    UPDATE runs SET started_at = started_at - interval '20 hours', expires_at = expires_at - interval '20 hours'
                    """)
                #expect(try await bench.stores.testDecisions.decide(bench.key(run), decision))
                let rows = try await bench.pool.query(
                    "SELECT extract(epoch FROM expires_at - now())::float8 FROM runs")
                let left: Double = try rows[0][0]
                #expect(abs(left - 86_400) < 120)
            }
        }
    }
}
