import APNSSimulator
import Application
import Campaigns
import EventLoop
import JSON
import MetricsTestKit
import Postgres
import Store
import Testing

extension DispatcherSuite {
    /// Belfry's automatic handling of tokens that an environment does not know.
    @Suite struct EnvironmentProbeTests {
        /// Registers numbers with Apple's one environment and tells Belfry the other.
        private static func addMisplaced(_ numbers: ClosedRange<Int>, to bench: DispatcherFixture) async throws {
            try await bench.addDevices(numbers, .development)
            try await bench.pool.execute("UPDATE devices SET environment = 0")
        }

        @Test func tokenOfTheOtherEnvironmentIsProbedOnceAndTheDeviceIsCorrected() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addMisplaced(1...3, to: bench)
                try await bench.addDevices(4...40)
                let campaign = try await bench.campaign()

                try await bench.work()

                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.accepted] == 40 && run.targeted == 40 && run.isBalanced && run.verifiedAt != nil)
                #expect((1...40).allSatisfy { bench.accepted($0) == 1 })
                let moved = try await bench.pool.query(
                    "SELECT installation FROM devices WHERE environment = 1 ORDER BY id")
                #expect(try moved.map { try $0[0, as: String.self] } == ["1", "2", "3"])

                // The next campaign knows.
                _ = try await bench.campaign()
                try await bench.work(runs: 2)
                #expect((1...3).allSatisfy { bench.requests($0) == 3 && bench.accepted($0) == 2 })
            }
        }

        @Test func mismatchOfAnEarlierHolderIsProbed() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addMisplaced(1...1, to: bench)
                try await bench.addDevices(2...40)
                let run = try await bench.plannedRun(.leave)
                let code = try #require(
                    try await bench.stores.outcomeCodes.add("BadDeviceToken")?.code)
                // Another process had three answers, and gave the batch back.
                let outcomes = [code, OutcomeCode.accepted, OutcomeCode.accepted] + [UInt8](repeating: 0, count: 37)
                try await bench.pool.execute(
                    """
                    UPDATE batches SET outcomes = \(outcomes), sent_through = 3, rejected = 1, accepted = 2, pending = 37,
                        flush_seq = 1, attempt = 1
                    """)
                let metrics = TestMetrics()

                try await bench.work(metrics: metrics)

                let ended = try await bench.runs.find(run, app: bench.app)
                #expect(ended.ledger[.accepted] == 40 && ended.ledger[.rejected] == 0 && ended.isBalanced)
                #expect((1...3).map(bench.requests) == [1, 0, 0])
                #expect(metrics.total("belfry_push_outcomes", [("kind", "rejected")]) == 0)
                let moved = try await bench.pool.query("SELECT installation FROM devices WHERE environment = 1")
                #expect(try moved.map { try $0[0, as: String.self] } == ["1"])
            }
        }

        @Test func probedPushesDeferredByAppleAreDeliveredLater() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addMisplaced(1...1, to: bench)
                try await bench.addDevices(2...20)
                // Four tries in the trial's lease, and once more later.
                bench.sandbox.faults = Faults([.init(.serviceUnavailable, .first(5))])
                let campaign = try await bench.campaign()
                try await bench.work()
                #expect(bench.accepted(1) == 1)
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 20)
                let moved = try await bench.pool.query("SELECT FROM devices WHERE environment = 1")
                #expect(moved.count == 1)
            }
        }

        @Test func tokenThatNoEnvironmentKnowsIsRejectedAndItsDeviceRetired() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...40)
                // Nobody at Apple has ever seen this one.
                try await bench.pool.execute(
                    "UPDATE devices SET token = \(DispatcherFixture.token(999)) WHERE installation = '5'")
                let campaign = try await bench.campaign()

                try await bench.work()

                #expect(
                    try await bench.deliveries()[5] == .init(kind: .rejected, reason: "BadDeviceToken", isResent: false)
                )
                #expect(bench.requests(999) == 2)
                let retired = try await bench.pool.query(
                    "SELECT installation, retired_reason FROM devices WHERE retired_at IS NOT NULL")
                #expect(retired.count == 1)
                #expect(try retired[0][0, as: String.self] == "5")
                #expect(try retired[0][1, as: Int16.self] == 3)
                #expect(try await bench.run(of: campaign).ledger[.rejected] == 1)
            }
        }

        @Test func manyUnknownTokensAreNotProbed() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addMisplaced(1...30, to: bench)
                try await bench.addDevices(31...60)
                let campaign = try await bench.campaign { $0.rejectionThresholdPercent = nil }

                try await bench.work()

                #expect(try await bench.run(of: campaign).ledger[.rejected] == 30)
                #expect((1...30).allSatisfy { bench.requests($0) == 1 })
                let touched = try await bench.pool.query(
                    "SELECT FROM devices WHERE environment = 1 OR retired_at IS NOT NULL")
                #expect(touched.isEmpty)
            }
        }

        /// A run of many small batches, planned to its end.
        private static func planSmall(_ size: Int, on bench: DispatcherFixture) async throws -> Campaign.ID {
            let campaign = try await bench.campaign { $0.rejectionThresholdPercent = nil }
            guard case .run(let key) = try await bench.starter.startDue().first else {
                throw DispatcherFixture.NotStarted()
            }
            let run = key.id
            try await bench.plan(run, size: size)
            return campaign
        }

        @Test func unknownTokensAreCountedOverAllBatchesOfTheRun() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addMisplaced(1...60, to: bench)
                let campaign = try await Self.planSmall(5, on: bench)

                try await bench.work()

                // The first ten may have been tried before there were more.
                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.rejected] >= 50 && run.ledger[.rejected] + run.ledger[.accepted] == 60)
                #expect((1...60).count { bench.requests($0) > 1 } <= 10)
                let touched = try await bench.pool.query(
                    "SELECT FROM devices WHERE environment = 1 OR retired_at IS NOT NULL")
                #expect(touched.isEmpty)
            }
        }

        @Test func fewUnknownTokensInManyBatchesAreCorrected() async throws {
            try await DispatcherFixture.run { bench in
                for first in stride(from: 1, through: 141, by: 10) {
                    try await Self.addMisplaced(first...first, to: bench)
                    try await bench.addDevices(first + 1...first + 9)
                }
                let campaign = try await Self.planSmall(10, on: bench)

                try await bench.work()

                #expect(try await bench.run(of: campaign).ledger[.accepted] == 150)
                let moved = try await bench.pool.query("SELECT FROM devices WHERE environment = 1")
                #expect(moved.count == 15)
            }
        }

        @Test func rejectionThresholdExplainsUnknownTokens() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addMisplaced(1...120, to: bench)
                try await bench.addDevices(121...140)
                let campaign = try await bench.campaign()

                try await bench.withWorker {
                    await bench.log.wait { $0.contains(where: \.isRelease) || $0.contains(where: \.isDone) }
                    let paused = try await bench.run(of: campaign)
                    #expect(paused.state == .paused)
                    let reason = try #require(paused.reason)
                    #expect(reason.description.contains("most of them as BadDeviceToken"))
                    #expect(
                        reason.description.contains(
                            "The token does not belong to this environment. Register it under its own"))
                    _ = try await bench.campaigns.resume(campaign, app: bench.app)
                    await bench.log.wait(for: \.isVerifiedFinish)
                }

                #expect(try await bench.run(of: campaign).ledger[.rejected] == 120)
                #expect((1...120).allSatisfy { bench.requests($0) == 1 })
                let touched = try await bench.pool.query(
                    "SELECT FROM devices WHERE environment = 1 OR retired_at IS NOT NULL")
                #expect(touched.isEmpty)
            }
        }
    }
}
