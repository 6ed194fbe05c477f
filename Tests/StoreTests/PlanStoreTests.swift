import Campaigns
import EventLoop
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

struct PlanStoreTests {
    private struct Planned: Equatable {
        let recipients: [Int64]
        let outcomes: [UInt8]
    }

    /// At 09:00 on 1 March everywhere, the planning of which begins on 28 February in UTC. It is a day of the past, so that
    /// the present one has no effect.
    @Test func birthdayOfACampaignInLocalTimeIsTheDayOnTheClocks() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            for day in ["1990-02-28", "1990-03-01", "1990-03-02"] {
                try await fixture.pool.insertDevice(
                    day, of: app.id, ["environment": "1", "attributes": "jsonb_build_object('born', \(day))"])
            }
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            let audience = #"{"include": {"attribute": "born", "op": "anniversary_in_days", "value": 0}}"#
            let occurrence = #"{"kind": "local", "at": "2023-03-01T09:00:00", "if_past": "skip"}"#
            try await fixture.pool.execute(
                """
                UPDATE runs SET device_ceiling = (SELECT max(id) FROM devices), audience = \(audience)::json,
                    occurrence = \(occurrence)::json
                """)
            let rules = try #require(try await fixture.stores.planRules.rules(of: fixture.key(run)))

            _ = try await fixture.stores.plans(owner: ProcessID())
                .step(run, by: rules, size: 100, lease: .seconds(60), to: .simulator)

            let planned = try await fixture.pool.query(
                "SELECT d.installation FROM batches b JOIN devices d ON d.id = ANY (b.recipients)")
            #expect(try planned.map { try $0[0, as: String.self] } == ["1990-03-01"])
        }
    }

    /// Also when the table's order differs from the ids.
    @Test func batchesAreSortedAndContainSuppressions() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            // Every third device is in the other environment, every seventh is denied, every fifth is retired.
            try await fixture.pool.insertDevices(
                1...14_000, of: app.id,
                [
                    "environment": "(n % 3 = 0)::integer",
                    "authorization_status": "CASE WHEN n % 7 = 0 THEN 1 ELSE 2 END",
                    "retired_at": "CASE WHEN n % 5 = 0 THEN now() END",
                    "retired_reason": "CASE WHEN n % 5 = 0 THEN 1 END",
                ])
            // Every second row moves to the end of the table.
            try await fixture.pool.execute("UPDATE devices SET nickname = 'moved' WHERE id % 2 = 0")
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            try await fixture.pool.execute("UPDATE runs SET device_ceiling = (SELECT max(id) FROM devices)")
            let rules = try #require(try await fixture.stores.planRules.rules(of: fixture.key(run)))
            let plans = fixture.stores.plans(owner: ProcessID())
            func step(_ size: Int) async throws -> PlanStore.Step {
                try await plans.step(run, by: rules, size: size, lease: .seconds(60), to: .simulator)
            }
            #expect(try await step(12_000) == .planned(devicesScanned: 12_000, recipients: 9_600))
            #expect(try await step(12_000) == .finished)
            #expect(try await step(12_000) == .leaseLost)

            let rows = try await fixture.pool.query(
                """
                SELECT recipients, outcomes, first_id, last_id, size, pending, suppressed, environment FROM batches
                ORDER BY environment, first_id
                """)
            var found: [Int16: Planned] = [:]
            for row in rows {
                let batch = Planned(recipients: try row[0], outcomes: try row[1])
                #expect(batch.recipients == batch.recipients.sorted() && batch.recipients.count <= Batch.maximumSize)
                #expect(try [row[2], row[3]] == [batch.recipients.first, batch.recipients.last])
                #expect(try row[4, as: Int.self] == batch.recipients.count)
                #expect(try row[5, as: Int.self] == batch.outcomes.count { $0 == OutcomeCode.pending })
                #expect(try row[6, as: Int.self] == batch.outcomes.count { $0 == OutcomeCode.suppressedDenied })
                let before = found[try row[7]] ?? Planned(recipients: [], outcomes: [])
                found[try row[7]] = Planned(
                    recipients: before.recipients + batch.recipients, outcomes: before.outcomes + batch.outcomes)
            }
            #expect(rows.count == 5)
            let first: Int64 = try await fixture.pool.query("SELECT min(id) FROM devices")[0][0]
            for environment: Int16 in 0...1 {
                let numbers = (1...14_000).filter { $0 % 5 != 0 && ($0 % 3 == 0) == (environment == 1) }
                #expect(
                    found[environment]
                        == Planned(
                            recipients: numbers.map { first + Int64($0) - 1 },
                            outcomes: numbers.map {
                                $0 % 7 == 0 ? OutcomeCode.suppressedDenied : OutcomeCode.pending
                            }))
            }
        }
    }

    /// PostgreSQL takes the app for an empty one: its statistics are from before the import.
    @Test func planningTakesNoLongerWithoutStatistics() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            try await fixture.pool.execute("ANALYZE devices, device_activity")
            try await fixture.pool.insertDevices(1...20_000, of: app.id)
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            try await fixture.pool.execute("UPDATE runs SET device_ceiling = (SELECT max(id) FROM devices)")
            let rules = try #require(try await fixture.stores.planRules.rules(of: fixture.key(run)))
            let began = MonotonicTime.now()
            let step = try await fixture.stores.plans(owner: ProcessID())
                .step(run, by: rules, lease: .seconds(60), to: .simulator)
            #expect(step == .finished)
            // It took 25 seconds and more when each device read the whole range.
            #expect(MonotonicTime.now() - began < .seconds(5))
        }
    }

    @Test func sparseStepPlansTheSameBatches() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            try await fixture.pool.insertDevices(
                1...900, of: app.id, ["locale": "(ARRAY['en', 'de', 'fr'])[1 + n % 3]"])
            func batches(isSparse: Bool) async throws -> [[UInt8]] {
                let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
                try await fixture.pool.execute("UPDATE runs SET device_ceiling = (SELECT max(id) FROM devices)")
                let rules = try #require(try await fixture.stores.planRules.rules(of: fixture.key(run)))
                _ = try await fixture.stores.plans(owner: ProcessID())
                    .step(run, by: rules, isSparse: isSparse, lease: .seconds(60), to: .simulator)
                return try await fixture.pool.query(
                    """
                    SELECT profiles || outcomes || recipients::text::bytea FROM batches WHERE run_id = \(run)
                    ORDER BY first_id
                    """
                ).map { try $0[0] }
            }
            let dense = try await batches(isSparse: false)
            #expect(try await batches(isSparse: true) == dense)
            #expect(dense.count == 1 && Set(dense[0].prefix(900)).count == 3)
        }
    }

    @Test func lostPlanIsFinishedByAnotherOwnerWithoutDuplicates() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            try await fixture.pool.insertDevices(1...500, of: app.id)
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            try await fixture.pool.execute("UPDATE runs SET device_ceiling = (SELECT max(id) FROM devices)")
            let rules = try #require(try await fixture.stores.planRules.rules(of: fixture.key(run)))
            let (lost, heir) = (ProcessID(), ProcessID())
            func step(_ owner: ProcessID) async throws -> PlanStore.Step {
                try await fixture.stores.plans(owner: owner)
                    .step(run, by: rules, size: 200, lease: .seconds(60), to: .simulator)
            }
            #expect(try await step(lost) == .planned(devicesScanned: 200, recipients: 200))
            #expect(try await step(heir) == .leaseLost)
            try await fixture.pool.execute("UPDATE runs SET plan_lease_until = now() - interval '1 second'")
            #expect(try await step(heir) == .planned(devicesScanned: 200, recipients: 200))
            #expect(try await step(lost) == .leaseLost)
            #expect(try await step(heir) == .finished)
            #expect(try await step(lost) == .leaseLost)

            let batches = try await fixture.pool.query("SELECT recipients FROM batches ORDER BY first_id")
            let planned = try batches.flatMap { try $0[0, as: [Int64].self] }
            let devices = try await fixture.pool.query("SELECT id FROM devices ORDER BY id").map {
                try $0[0, as: Int64.self]
            }
            #expect(batches.count == 3 && planned == devices)
        }
    }
}
