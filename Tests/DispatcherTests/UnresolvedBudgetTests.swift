import APNS
import APNSSimulator
import Campaigns
import EventLoop
import Postgres
import Store
import TestSupport
import Testing

@testable import Dispatcher

@Suite struct UnresolvedBudgetTests {
    @Test func campaignsLeaveAQuarterToTransactionalPushes() {
        let budget = UnresolvedBudget(16_000)
        var windows = 0
        while budget.take(1_000, for: .first) { windows += 1 }
        // Some of the 12,000 is reserved for small windows.
        #expect(windows == 10)
        var smallWindows = 0
        while budget.take(UnresolvedBudget.smallWindow, for: .overdue) { smallWindows += 1 }
        #expect(smallWindows == 2_000 / UnresolvedBudget.smallWindow)
        #expect(budget.takeForPushes(4_000) && !budget.isFull)
        #expect(!budget.takeForPushes(1_000))
    }

    @Test func nobodyTakesMoreThanTheMaximumTogether() {
        let budget = UnresolvedBudget(4_000)
        #expect(budget.takeForPushes(4_000) && budget.isFull)
        #expect(!budget.take(1, for: .overdue) && !budget.takeForPushes(1))
        budget.giveBackPushes(1_000)
        #expect(budget.take(1_000, for: .first) && budget.isFull)
        budget.giveBack(1_000)
        #expect(budget.takeForPushes(1_000) && budget.isFull)
    }

    @Test func batchesWithNothingOnTheWireComeFirst() async throws {
        try await TestLoop.run { loop in
            let budget = UnresolvedBudget(4_000)
            #expect(budget.take(2_000, for: .next) && !budget.take(1_000, for: .first))
            let signal = WakeUpSignal(loop: loop)
            budget.beginWaiting(signal)
            budget.giveBack(1_000)
            // Called, so it does not wait.
            await signal.sleep(upTo: .seconds(600))
            #expect(!budget.take(1_000, for: .next))
            #expect(budget.take(1_000, for: .first))
            budget.endWaiting(signal)
            budget.giveBack(1_000)
            #expect(budget.take(1_000, for: .next))
        }
    }
}

extension DispatcherSuite {
    /// The bound of what becomes unknown if a process is lost.
    @Suite struct UnresolvedTests {
        private static func unresolved(_ pool: PostgresPool) async throws -> Int {
            try await pool.query(
                """
                SELECT coalesce(sum(
                    (SELECT count(*) FROM generate_series(0, sent_through - 1) AS index
                    WHERE outcome_code(get_byte(outcomes, index)) = \(Int16(OutcomeCode.pending)))), 0)::bigint
                FROM batches
                """)[0][0]
        }

        /// Many batches with answers that are late, lost and deferred want more than there is.
        @Test func processNeverHasMoreUnresolvedRecipientsThanItsMaximum() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...9_000)
                bench.production.faults = Faults([
                    .init(.delay(by: .milliseconds(30))),
                    .init(.delay(by: .seconds(1)), .every(7)), .init(.serviceUnavailable, .every(50)),
                ])
                let campaign = try await bench.campaign(.leave)
                try await bench.plan(try await bench.startedRun(), size: 1_000)
                var options = DispatcherFixture.options
                options.maximumUnresolved = UnresolvedBudget.limits.lowerBound
                let bound = UnresolvedBudget.maximumOfCampaigns(of: options.maximumUnresolved)

                var most = 0
                try await bench.work(options) {
                    while try await bench.run(of: campaign).verifiedAt == nil {
                        most = max(most, try await Self.unresolved(bench.pool))
                    }
                }
                #expect(most <= bound && most > bound / 2, "most: \(most)")
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 9_000)
            }
        }

        @Test func recipientsWhoseLongPayloadsFillAWindowGoWithTheNext() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1_200)
                let text = String(repeating: "x", count: 3_700)
                let campaign = try await bench.campaign(.leave) {
                    $0.setBody(.payload(#"{"aps":{"alert":"Ding"},"story":"\#(text)"}"#))
                }
                try await bench.work()
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 1_200)
                #expect(bench.record.counts.accepted == 1_200)
                let largest = bench.log.events.compactMap { event -> Int? in
                    if case .windowDeclared(_, let count) = event { count } else { nil }
                }.max()
                #expect(try #require(largest) < 600)
            }
        }
    }
}
