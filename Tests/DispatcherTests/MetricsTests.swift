import APNSSimulator
import Campaigns
import MetricsTestKit
import Postgres
import Store
import Testing

extension DispatcherSuite {
    @Suite struct MetricsTests {
        @Test func outcomesFlushesAndConnectionsAreReported() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...300)
                try await bench.pool.execute(
                    "UPDATE devices SET authorization_status = 1 WHERE installation IN ('3', '4')")
                bench.production.faults = Faults([
                    .init(.answer(.badDeviceToken), for: .tokens([DispatcherFixture.token(7)]))
                ])
                let campaign = try await bench.campaign()
                let metrics = TestMetrics()

                try await bench.work(metrics: metrics)

                let ledger = try await bench.run(of: campaign).ledger
                #expect(ledger[.accepted] == 297 && ledger[.rejected] == 1 && ledger[.suppressed] == 2)
                func outcomes(_ kind: String) throws -> Int64 {
                    try metrics.expectCounter("belfry_push_outcomes", [("kind", kind)]).totalValue
                }
                #expect(try outcomes("accepted") == 297)
                #expect(try outcomes("rejected") == 1)
                // The planner's, and stored before any flush.
                #expect(try outcomes("suppressed") == 0)
                #expect(try outcomes("unknown") == 0)
                #expect(throws: (any Error).self) { try outcomes("pending") }

                let flushes = try metrics.expectTimer("belfry_batch_flush_duration_seconds").values
                #expect(flushes.count >= 2 && flushes.allSatisfy { $0 > 0 })
                let connections = try metrics.expectMeter("belfry_apns_connections", [("host", "localhost")]).values
                #expect(connections.max() ?? 0 >= 1 && connections.last == 0)
            }
        }

        @Test func outcomesOfAnEarlierHolderAreNotCountedAgain() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...10)
                _ = try await bench.plannedRun(.leave)
                // Another process had accepted six and sent two more, and was lost.
                try await bench.pool.execute(
                    """
                    UPDATE batches SET outcomes = \([1, 1, 1, 1, 1, 1, 0, 0, 0, 0] as [UInt8]), accepted = 6, pending = 4,
                        sent_through = 8, state = 'leased', owner = gen_random_uuid(), attempt = 1,
                        lease_until = now() - interval '1 hour'
                    """)
                let metrics = TestMetrics()

                try await bench.work(DispatcherFixture.hastyOptions, metrics: metrics)

                func outcomes(_ kind: String) throws -> Int64 {
                    try metrics.expectCounter("belfry_push_outcomes", [("kind", kind)]).totalValue
                }
                #expect(try outcomes("accepted") == 2)
                #expect(try outcomes("unknown") == 2)
            }
        }
    }
}
