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
                func outcomes(_ kind: String) -> Int64 { metrics.total("belfry_push_outcomes", [("kind", kind)]) }
                #expect(outcomes("accepted") == 297)
                #expect(outcomes("rejected") == 1)
                // The planner's, and stored before any flush.
                #expect(outcomes("suppressed") == 0)
                #expect(outcomes("unknown") == 0)
                #expect(outcomes("pending") == 0)
                #expect(metrics.total("belfry_push_outcomes", [("reason", "BadDeviceToken")]) == 1)

                let flushes = try metrics.expectTimer("belfry_batch_flush_duration_seconds").values
                #expect(flushes.count >= 2 && flushes.allSatisfy { $0 > 0 })
                let connections = try metrics.expectMeter("belfry_apns_connections", [("host", "localhost")]).values
                #expect(connections.max() ?? 0 >= 1 && connections.last == 0)
            }
        }

        @Test func answersOfAppleAreReportedByStatusReasonAndKey() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...300)
                bench.production.faults = Faults([
                    .init(.answer(.badDeviceToken), for: .tokens([DispatcherFixture.token(7)])),
                    .init(.goAway(.init(lastStream: .all)), .nth(150)),
                ])
                _ = try await bench.campaign()
                let metrics = TestMetrics()

                try await bench.work(metrics: metrics)

                #expect(metrics.total("belfry_apns_answers", [("status", "200"), ("reason", "")]) == 299)
                #expect(metrics.total("belfry_apns_answers", [("status", "400"), ("reason", "BadDeviceToken")]) >= 1)
                #expect(metrics.total("belfry_apns_goaways") == 1)
                #expect(metrics.total("belfry_apns_connections_opened") >= 2)
                #expect(metrics.total("belfry_apns_connection_failures") == 0)
                #expect(metrics.total("belfry_runs_finished", [("ledger", "verified")]) == 1)
                let key: String = try await bench.pool.query("SELECT key_id FROM credentials LIMIT 1")[0][0]
                let accepted = metrics.recorders.filter { $0.label == "belfry_apns_last_accepted_timestamp_seconds" }
                #expect(accepted.contains { $0.dimensions.contains { $0 == ("key", key) } && $0.values.last ?? 0 > 0 })
                let trips = metrics.timers.filter { $0.label == "belfry_apns_round_trip_duration_seconds" }
                #expect(trips.contains { $0.values.count >= 1 && $0.values.allSatisfy { $0 > 0 } })
                for name in ["belfry_apns_streams", "belfry_apns_streams_maximum"] {
                    #expect(try metrics.expectMeter(name, [("host", "localhost")]).values.last ?? 0 == 0)
                }
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

                func outcomes(_ kind: String) -> Int64 { metrics.total("belfry_push_outcomes", [("kind", kind)]) }
                #expect(outcomes("accepted") == 2)
                #expect(outcomes("unknown") == 2)
            }
        }
    }
}

extension TestMetrics {
    /// The sum of all counters of this name whose labels have these values.
    func total(_ label: String, _ dimensions: [(String, String)] = []) -> Int64 {
        counters.filter { counter in
            counter.label == label
                && dimensions.allSatisfy { wanted in counter.dimensions.contains { $0 == wanted } }
        }.reduce(0) { $0 + $1.totalValue }
    }
}
