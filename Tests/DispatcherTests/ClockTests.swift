import APNS
import APNSSimulator
import Campaigns
import Postgres
import Store
import Testing

@testable import Dispatcher

extension DispatcherSuite {
    /// PostgreSQL's clock was set back by two hours: the tests store times as a clock that was ahead would have.
    @Suite struct ClockTests {
        @Test func rateLimitFromBeforeDoesNotStallACampaign() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...10)
                try await bench.pool.execute("UPDATE apps SET pushes_per_second = 100")
                try await bench.pool.execute(
                    "INSERT INTO rate_limits (app_id, run_id, next_at) VALUES (\(bench.app), 0, now() + '2 hours')")
                let campaign = try await bench.campaign { $0.pushesPerSecond = 100 }
                try await bench.work()
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 10)
                let isAhead: Bool = try await bench.pool.query(
                    "SELECT max(next_at) > now() + interval '1 minute' FROM rate_limits")[0][0]
                #expect(!isAhead)
            }
        }

        @Test func batchesThatWereDueOrLeasedAreSentSoon() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...6)
                let campaign = try await bench.campaign(.resend)
                try await bench.plan(try await bench.startedRun(), size: 2)
                try await bench.pool.execute(
                    """
                    INSERT INTO workers (id, beat, beaten_at, server_started_at, is_synchronous)
                    SELECT gen_random_uuid(), 7, now() + '2 hours', pg_postmaster_start_time(), false
                    """)
                // The first is held by a process that was lost, the second was due.
                try await bench.pool.execute(
                    """
                    UPDATE batches SET state = 'leased', owner = gen_random_uuid(), attempt = 1,
                        lease_until = now() + '2 hours 5 seconds'
                    WHERE id = (SELECT min(id) FROM batches)
                    """)
                try await bench.pool.execute(
                    "UPDATE batches SET due_at = now() + '119 minutes' WHERE id = (SELECT min(id) + 1 FROM batches)")
                var options = DispatcherFixture.options
                options.lease = .seconds(3)
                options.apns.requestDeadline = .seconds(1)

                try await bench.work(options)

                #expect(try await bench.run(of: campaign).ledger[.accepted] == 6)
            }
        }

        /// The clock was ahead for so short a time that no beat has seen it.
        @Test func timesThatNothingCanHaveStoredAreBroughtBack() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...8)
                let campaign = try await bench.campaign(.resend)
                let run = try await bench.startedRun()
                try await bench.plan(run, size: 2)
                // The first is held by a process that was lost, the second was planned, the third is a retry.
                try await bench.pool.execute(
                    """
                    UPDATE batches b SET due_at = now() + CASE o.place WHEN 1 THEN '0' ELSE '2 hours' END::interval,
                        deferred_from = CASE o.place WHEN 3 THEN b.id END,
                        state = CASE o.place WHEN 1 THEN 'leased' ELSE 'ready' END,
                        owner = CASE o.place WHEN 1 THEN gen_random_uuid() END,
                        lease_until = CASE o.place WHEN 1 THEN now() + interval '2 hours' END,
                        attempt = CASE o.place WHEN 1 THEN 1 ELSE 0 END
                    FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM batches) AS o WHERE o.id = b.id
                    """)
                let clock = bench.stores.clockCorrections
                func bound() async throws -> Int {
                    try await clock.bound(lease: .seconds(60), planLease: .seconds(20), retry: .seconds(3_600))
                }
                #expect(try await bound() == 4)
                #expect(try await bound() == 0)
                let isSoon: Bool = try await bench.pool.query(
                    "SELECT bool_and(due_at <= now() AND (lease_until IS NULL OR lease_until < now() + '61 s')) FROM batches"
                )[0][0]
                #expect(isSoon)
                _ = try await bench.campaigns.cancel(campaign, app: bench.app)
            }
        }

        @Test func delayedStartOfBeforeStartsNow() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2)
                let campaign = try await bench.campaign()
                try await bench.pool.execute(
                    """
                    UPDATE campaigns SET state = 'scheduled', starts_at = now() + '2 hours',
                        next_check_at = now() + '2 hours'
                    """)
                try await bench.work()
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 2)
            }
        }

        @Test func plannerOfBeforeDoesNotKeepTheRun() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                let campaign = try await bench.campaign()
                let run = try await bench.startedRun()
                try await bench.pool.execute(
                    """
                    UPDATE runs SET planner = gen_random_uuid(), plan_lease_until = now() + '2 hours' WHERE id = \(run)
                    """)
                try await bench.pool.execute(
                    """
                    INSERT INTO workers (id, beat, beaten_at, server_started_at, is_synchronous)
                    SELECT gen_random_uuid(), 7, now() + '2 hours', pg_postmaster_start_time(), false
                    """)
                var options = DispatcherFixture.options
                options.planLease = .seconds(2)
                try await bench.work(options)
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 3)
            }
        }

        @Test func retriesKeepTheirDelayAndTimesThatPeopleHaveChosenStay() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...4)
                _ = try await bench.campaign()
                try await bench.plan(try await bench.startedRun(), size: 2)
                // Both are due in three hours; the second is a retry, after an hour.
                try await bench.pool.execute(
                    """
                    UPDATE batches SET due_at = now() + '3 hours',
                        deferred_from = CASE WHEN id > first THEN first END
                    FROM (SELECT min(id) AS first FROM batches) AS b
                    """)
                try await bench.pool.execute(
                    """
                    INSERT INTO workers (id, beat, beaten_at, server_started_at, is_synchronous)
                    SELECT gen_random_uuid(), 7, now() + '2 hours', pg_postmaster_start_time(), false
                    """)
                let clock = bench.stores.clockCorrections
                func correct() async throws -> Duration? {
                    try await clock.correctAfterSetBack(
                        lease: .seconds(60), planLease: .seconds(20), retry: .seconds(3_600))
                }
                let difference = try #require(try await correct())
                #expect(abs(difference.components.seconds - 7_200) <= 1)
                let hours = try await bench.pool.query(
                    "SELECT round(extract(epoch FROM due_at - now()) / 3600)::integer FROM batches ORDER BY id")
                #expect(try hours.map { try $0[0] as Int32 } == [3, 1])
                #expect(try await correct() == nil)
            }
        }
    }
}
