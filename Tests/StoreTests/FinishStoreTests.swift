import Campaigns
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

/// A run is verified only if nothing is missing from its ledger, and nothing is in it twice.
struct FinishStoreTests {
    /// 90 devices, planned in three steps. Of the first batch five recipients were deferred, and then two of these again.
    private struct FinishedRun {
        let fixture: StoreFixture
        let run: Run.ID

        init(_ fixture: StoreFixture) async throws {
            self.fixture = fixture
            let app = try await fixture.app()
            try await fixture.pool.insertDevices(1...90, of: app.id)
            run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            try await fixture.pool.execute("UPDATE runs SET device_ceiling = (SELECT max(id) FROM devices)")
            let rules = try #require(try await fixture.stores.planRules.rules(of: fixture.key(run)))
            let plans = fixture.stores.plans(owner: ProcessID())
            while try await plans.step(run, by: rules, size: 30, lease: .seconds(60), to: .simulator) != .finished {}
            try await fixture.pool.execute(
                """
                UPDATE batches SET state = 'done', pending = 0, accepted = size, sent_through = size,
                    outcomes = decode(repeat('01', size), 'hex')
                """)
            try await deferRecipients(of: "(SELECT min(id) FROM batches)", count: 5)
            try await deferRecipients(of: "(SELECT max(id) FROM batches)", count: 2)
        }

        private func deferRecipients(of batch: PostgresQuery, count: Int32) async throws {
            try await fixture.pool.execute(
                """
                WITH source AS (
                    UPDATE batches SET accepted = accepted - \(count), deferred = \(count),
                        outcomes = decode(repeat('02', \(count)) || repeat('01', size - \(count)), 'hex')
                    WHERE id = \(batch) RETURNING *
                )
                INSERT INTO batches (run_id, app_id, environment, deferred_from, first_id, last_id, size, pending, accepted,
                    sent_through, state, outcomes, recipients)
                SELECT run_id, app_id, environment, id, recipients[1], recipients[\(count)], \(count), 0, \(count),
                    \(count), 'done', decode(repeat('01', \(count)), 'hex'), recipients[1:\(count)]
                FROM source
                """)
        }

        func finish() async throws -> [FinishStore.Discrepancy] {
            let finished = try await fixture.finishRuns()
            try #require(finished.map(\.run) == [run])
            let row = try await fixture.pool.query("SELECT verified_at IS NOT NULL, finished_at IS NOT NULL FROM runs")[
                0]
            #expect(try [row[0], row[1]] == [finished[0].isVerified, true])
            return finished[0].discrepancies
        }
    }

    @Test func undamagedRunIsVerified() async throws {
        try await StoreFixture.run { fixture in
            let run = try await FinishedRun(fixture)
            let planned = try await fixture.pool.query("SELECT planned_total FROM runs")
            #expect(try planned[0][0] == 90)
            #expect(try await run.finish() == [])
        }
    }

    /// Ways to damage a run, and what its verification finds.
    private static let damages: [(String, [FinishStore.Discrepancy])] = [
        // A planned batch is lost; with it go the batches that its recipients were deferred to.
        ("DELETE FROM batches WHERE id = (SELECT min(id) + 1 FROM batches)", [.planned]),
        ("DELETE FROM batches WHERE id = (SELECT min(id) FROM batches)", [.planned]),
        ("DELETE FROM batches", [.planned]),
        // A planned batch is there twice.
        (
            """
            INSERT INTO batches (run_id, app_id, planned_after, environment, first_id, last_id, size, pending, accepted,
                sent_through, state, outcomes, recipients)
            SELECT run_id, app_id, planned_after, environment, first_id, last_id, size, pending, accepted, sent_through, state,
                outcomes, recipients
            FROM batches WHERE id = (SELECT min(id) + 1 FROM batches)
            """, [.planned]
        ),
        // A step was planned again from another device on.
        (
            """
            WITH again AS (
                INSERT INTO batches (run_id, app_id, planned_after, environment, first_id, last_id, size, pending, accepted,
                    sent_through, state, outcomes, recipients)
                SELECT run_id, app_id, planned_after + 1, environment, first_id, last_id, size, pending, accepted,
                    sent_through, state, outcomes, recipients
                FROM batches WHERE id = (SELECT min(id) + 1 FROM batches)
                RETURNING size
            )
            UPDATE runs SET planned_total = planned_total + (SELECT size FROM again)
            """, [.overlap]
        ),
        // A batch of deferred recipients is lost, is there twice, or belongs to nobody's deferral.
        ("DELETE FROM batches WHERE id = (SELECT max(id) FROM batches)", [.deferred]),
        (
            """
            INSERT INTO batches (run_id, app_id, environment, deferred_from, first_id, last_id, size, pending, accepted,
                sent_through, state, outcomes, recipients)
            SELECT run_id, app_id, environment, deferred_from, first_id, last_id, size, pending, accepted, sent_through, state,
                outcomes, recipients
            FROM batches WHERE id = (SELECT max(id) FROM batches)
            """, [.deferred]
        ),
        (
            """
            UPDATE batches SET deferred_from = (SELECT min(id) + 1 FROM batches)
            WHERE id = (SELECT max(id) FROM batches)
            """, [.deferred]
        ),
        // A recipient is lost from a batch, consistently with its counters.
        (
            """
            UPDATE batches SET size = size - 1, accepted = accepted - 1, sent_through = sent_through - 1,
                outcomes = substring(outcomes FROM 1 FOR size - 1), recipients = recipients[1:size - 1],
                profiles = substring(profiles FROM 1 FOR size - 1), last_id = recipients[size - 1]
            WHERE id = (SELECT min(id) + 1 FROM batches)
            """, [.planned]
        ),
        // An outcome was changed, or a counter.
        (
            """
            UPDATE batches SET outcomes = set_byte(outcomes, 7, 3) WHERE id = (SELECT min(id) + 1 FROM batches)
            """, [.counters]
        ),
        (
            """
            UPDATE batches SET accepted = accepted - 1, unknown = unknown + 1 WHERE id = (SELECT min(id) + 1 FROM batches)
            """, [.counters]
        ),
        // An outcome without a code.
        (
            """
            UPDATE batches SET outcomes = set_byte(outcomes, 7, 127) WHERE id = (SELECT min(id) + 1 FROM batches)
            """, [.counters]
        ),
    ]

    @Test(arguments: damages) func damagedRunIsNotVerified(
        _ damage: String, _ discrepancies: [FinishStore.Discrepancy]
    ) async throws {
        try await StoreFixture.run { fixture in
            let run = try await FinishedRun(fixture)
            try await fixture.pool.execute(PostgresQuery(unescaped: damage))
            #expect(try await run.finish() == discrepancies)
        }
    }
}

extension StoreFixture {
    /// Finishes all runs that can be finished.
    func finishRuns() async throws -> [FinishStore.Finished] {
        var finished: [FinishStore.Finished] = []
        for run in try await stores.finishes.finishableRuns() {
            if let end = try await stores.finishes.finish(run) { finished.append(end) }
        }
        return finished
    }
}
