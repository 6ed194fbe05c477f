import Campaigns
import Foundation
import JSON
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

@Suite struct StatusStoreTests {
    private func process(_ name: String) -> ProcessIdentity {
        ProcessIdentity(kind: .work, name: name, host: "host", version: "1.2", pid: 42, schema: 13)
    }

    private func runs(_ fixture: StoreFixture) async throws -> [OpenRunRecord] {
        try await fixture.stores.status.facts(seenWithin: .seconds(3_600)).runs
    }

    @Test func processWithSeveralWorkersIsListedOnceWithTheBatchesOfAll() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            let owners = [ProcessID(), ProcessID()]
            for (index, owner) in [owners[0], owners[1], owners[1], ProcessID()].enumerated() {
                let batch = try await fixture.batch(
                    of: run, app: app.id, first: Int64(index * 10 + 1), outcomes: [0])
                try await fixture.pool.execute(
                    """
                    UPDATE batches SET state = 'leased', owner = \(owner), lease_until = now() + interval '1 minute'
                    WHERE id = \(batch)
                    """)
            }
            let process = process("one")
            try await fixture.stores.processes.enter(process, owners: owners, age: .seconds(90))
            try await fixture.stores.processes.enter(process, owners: owners, age: .seconds(100))

            let list = try await fixture.stores.processes.list(seenWithin: .seconds(60))

            let found = try #require(list.first)
            #expect(list.count == 1 && found.identity == process && found.leasedBatches == 3 && found.endedAt == nil)
            // The age counts where the row is new.
            #expect((found.seenAt - found.startedAt) > .seconds(89))
        }
    }

    @Test func processThatEndsSaysSoAndOldRowsAreDeleted() async throws {
        try await StoreFixture.run { fixture in
            let processes = fixture.stores.processes
            let (old, ended) = (process("old"), process("ended"))
            for each in [old, ended] { try await processes.enter(each, owners: [], age: .zero) }
            try await processes.end(ended)
            try await fixture.pool.execute(
                "UPDATE processes SET seen_at = now() - interval '30 days 1 second' WHERE id = \(old.id)")
            #expect(try await processes.list(seenWithin: .seconds(60)).map(\.identity.name) == ["ended"])
            #expect(try await processes.list(seenWithin: .seconds(60)).first?.endedAt != nil)

            try await processes.enter(process("new"), owners: [], age: .zero)

            let rows = try await fixture.pool.query("SELECT name FROM processes ORDER BY name")
            #expect(try rows.map { try $0[0, as: String.self] } == ["ended", "new"])
        }
    }

    /// What a process that is only listed may not do: make others wait for it after a failover.
    @Test func listedProcessIsNoWorker() async throws {
        try await StoreFixture.run { fixture in
            let owner = ProcessID()
            try await fixture.stores.processes.enter(process("web"), owners: [owner], age: .zero)
            try await fixture.pool.execute(
                "UPDATE processes SET seen_at = now() - interval '1 day', started_at = now() - interval '2 days'")

            let seen = try #require(
                try await fixture.stores.identity.observe(as: ProcessID(), remembering: [], asOf: .now))

            #expect(seen.silentProcesses == 0 && !seen.isClockSetBack)
            #expect(try await fixture.pool.query("SELECT FROM workers").isEmpty)
        }
    }

    @Test func runWaitsWhileItsDueBatchesAreNotTaken() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let run = try await fixture.run(of: campaign)
            try await fixture.pool.execute("UPDATE campaigns SET updated_at = now() - interval '1 day'")
            let first = try await fixture.batch(of: run, app: app.id, outcomes: [0])
            let second = try await fixture.batch(of: run, app: app.id, first: 5, outcomes: [0])
            func due(_ interval: String) async throws {
                try await fixture.pool.execute("UPDATE batches SET due_at = now() + \(interval)::text::interval")
            }
            try await due("1 hour")
            #expect(try await runs(fixture).map(\.waitingSince) == [nil])
            // Without a lease, none has lapsed.
            #expect(try await runs(fixture).map(\.lapsedSince) == [nil])

            try await due("-10 minutes")
            let waiting = try #require(try await runs(fixture).first)
            let since = try #require(waiting.waitingSince)
            #expect(Timestamp.now - since > .seconds(590) && Timestamp.now - since < .seconds(3_600))
            #expect(waiting.campaignName == "Sale" && waiting.appName == "Shop" && !waiting.isPaused)

            // Somebody works at the run, even if not at this batch.
            try await fixture.pool.execute(
                """
                UPDATE batches SET state = 'leased', owner = \(ProcessID()), lease_until = now() + interval '1 minute'
                WHERE id = \(first)
                """)
            #expect(try await runs(fixture).map(\.waitingSince) == [nil])
            // The last batch was just completed.
            try await fixture.pool.execute(
                """
                UPDATE batches SET state = 'done', owner = NULL, lease_until = NULL, pending = 0, accepted = 1,
                    outcomes = '\\x01', ended_at = now() WHERE id = \(first)
                """)
            let later = try #require(try await runs(fixture).first?.waitingSince)
            #expect(Timestamp.now - later < .seconds(500))
            // A resumed run begins to wait then.
            try await fixture.pool.execute("UPDATE batches SET ended_at = due_at WHERE id = \(first)")
            try await fixture.pool.execute("UPDATE campaigns SET updated_at = now()")
            #expect(Timestamp.now - (try #require(try await runs(fixture).first?.waitingSince)) < .seconds(500))

            try await fixture.pool.execute(
                """
                UPDATE batches SET state = 'leased', owner = \(ProcessID()), lease_until = now() - interval '1 minute'
                WHERE id = \(second)
                """)
            let lapsed = try #require(try await runs(fixture).first)
            #expect(lapsed.lapsedSince != nil && lapsed.waitingSince == nil && lapsed.completeSince == nil)
        }
    }

    @Test func runIsUnplannedUntilAPlannerHasItAndCompleteWhenAllHaveAnOutcome() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            #expect(try await runs(fixture).first?.unplannedSince != nil)

            try await fixture.pool.execute(
                "UPDATE runs SET planner = \(ProcessID()), plan_lease_until = now() + interval '20 seconds'")
            #expect(try await runs(fixture).map(\.unplannedSince) == [nil])

            // Planners wait while enough is due; at one push a second, one batch is.
            try await fixture.pool.execute(
                "UPDATE runs SET plan_lease_until = now() - interval '1 second', pushes_per_second = 1")
            #expect(try await runs(fixture).first?.unplannedSince != nil)
            try await fixture.batch(of: run, app: app.id, outcomes: [0])
            #expect(try await runs(fixture).map(\.unplannedSince) == [nil])

            try await fixture.pool.execute("UPDATE runs SET planned_at = now()")
            #expect(try await runs(fixture).map(\.completeSince) == [nil])
            try await fixture.pool.execute(
                "UPDATE batches SET state = 'done', pending = 0, accepted = 1, outcomes = '\\x01', ended_at = now()")
            #expect(try await runs(fixture).first?.completeSince != nil)
        }
    }

    @Test func pausedRunTellsItsReasonAndWhetherItAsksAfterARestore() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let one = try await fixture.run(of: campaign)
            let two = try await fixture.run(of: campaign)
            try await fixture.stores.runPauses.pause(fixture.key(one), because: "Apple refuses the key.")
            try await fixture.pool.execute("UPDATE runs SET generation = 1 WHERE id = \(two)")
            #expect(try await fixture.stores.runPauses.pauseRunsFromBeforeRestore() == 1)

            let found = try await runs(fixture)

            #expect(found.map(\.isPaused) == [true, true] && found.map(\.asksAfterRestore) == [false, true])
            #expect(found.first?.reason?.description == "Apple refuses the key.")
            #expect(found.allSatisfy { $0.waitingSince == nil && $0.unplannedSince == nil && $0.completeSince == nil })
        }
    }

    @Test func dueCampaignsAndTheDatabasesIdentityAreRead() async throws {
        try await StoreFixture.run { fixture in
            let fresh = try await fixture.stores.status.facts(seenWithin: .seconds(60))
            #expect(fresh.campaignDueSince == nil && fresh.isConfirmed && fresh.processes.isEmpty)

            let app = try await fixture.app()
            _ = try await fixture.campaign(of: app, state: .scheduled)
            #expect(try await fixture.stores.status.facts(seenWithin: .seconds(60)).campaignDueSince == nil)
            try await fixture.pool.execute("UPDATE campaigns SET next_check_at = now() - interval '5 minutes'")
            try await fixture.pool.execute("UPDATE database_identity SET timeline = 0")

            let later = try await fixture.stores.status.facts(seenWithin: .seconds(60))
            #expect(later.campaignDueSince != nil && !later.isConfirmed)
        }
    }
}
