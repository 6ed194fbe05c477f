import Campaigns
import JSON
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

@Suite struct MonitoringStoreTests {
    @Test func backlogOfAnEmptyDatabaseIsZero() async throws {
        try await StoreFixture.run { fixture in
            let backlog = try await fixture.stores.backlog.backlog()
            #expect(
                backlog
                    == .init(
                        sendingRuns: 0, pausedRuns: 0, dueBatches: 0, oldestDue: 0, leasedBatches: 0, lapsedLeases: 0,
                        deferredRecipients: 0, plannerLag: 0, scheduleLateness: 0, restoreQuestions: 0,
                        workingWebhooks: 0,
                        failingWebhooks: 0, disabledWebhooks: 0, webhookMessages: 0, webhookLateness: 0))
        }
    }

    @Test func backlogCountsWhatWaitsAndHowLong() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let sending = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            // Planned, and its planner is lost for two minutes.
            try await fixture.pool.execute(
                "UPDATE runs SET planner = gen_random_uuid(), plan_lease_until = now() - interval '2 minutes'")
            let due = try await fixture.batch(of: sending, app: app.id, first: 1, outcomes: [0, 0, 1])
            let later = try await fixture.batch(of: sending, app: app.id, first: 11, outcomes: [0, 0, 0, 0])
            let held = try await fixture.batch(of: sending, app: app.id, first: 21, outcomes: [0])
            let lapsed = try await fixture.batch(of: sending, app: app.id, first: 31, outcomes: [0])
            try await fixture.pool.execute(
                "UPDATE batches SET due_at = now() - interval '5 minutes' WHERE id = \(due)")
            try await fixture.pool.execute(
                "UPDATE batches SET due_at = now() + interval '1 hour', retries = 1 WHERE id = \(later)")
            try await fixture.pool.execute(
                """
                UPDATE batches SET state = 'leased', owner = gen_random_uuid(), attempt = 1,
                    lease_until = now() + CASE WHEN id = \(held) THEN interval '1 minute' ELSE interval '-1 second' END
                WHERE id IN (\(held), \(lapsed))
                """)
            // Not of a run that is sending: paused, one of them with the question after a restore.
            for reason in ["Enough.", RunPauseStore.restoreMessage.description] {
                let paused = try await fixture.run(of: fixture.campaign(of: app, state: .paused), state: .paused)
                try await fixture.pool.execute("UPDATE runs SET reason = \(reason) WHERE id = \(paused)")
                try await fixture.batch(of: paused, app: app.id, first: 41, outcomes: [0])
            }
            _ = try await fixture.campaign(of: app, state: .scheduled)
            try await fixture.pool.execute(
                "UPDATE campaigns SET next_check_at = now() - interval '90 seconds' WHERE state = 'scheduled'")

            let backlog = try await fixture.stores.backlog.backlog()

            #expect(backlog.sendingRuns == 1 && backlog.pausedRuns == 2 && backlog.restoreQuestions == 1)
            #expect(backlog.dueBatches == 1 && backlog.leasedBatches == 2 && backlog.lapsedLeases == 1)
            #expect(backlog.deferredRecipients == 4)
            let minute = 60.0 * Double(TestTimeouts.factor)
            #expect((300...300 + minute).contains(backlog.oldestDue))
            #expect((120...120 + minute).contains(backlog.plannerLag))
            #expect((90...90 + minute).contains(backlog.scheduleLateness))
        }
    }

    @Test func webhooksAreCountedByStateAndMessagesThatAreDueToOnesThatWork() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            var ids: [Webhook.ID] = []
            for _ in 0..<4 {
                let made = try await fixture.stores.webhooks.create(
                    .init(url: "https://example.com/hook", kinds: [.runPaused]), app: app.id)
                ids.append(made.webhook.id)
            }
            for (index, minutes) in [3, 60, 90, 0].enumerated() {
                try await fixture.pool.execute(
                    """
                    INSERT INTO webhook_deliveries (app_id, webhook_id, kind, body, next_attempt_at)
                    VALUES (\(app.id), \(ids[index]), 'run.paused', '{}', now() - make_interval(mins => \(Int32(minutes)))),
                        (\(app.id), \(ids[index]), 'run.paused', '{}', NULL)
                    """)
            }
            try await fixture.pool.execute(
                "UPDATE webhooks SET failures = \(Webhook.failingAfter), failing_since = now() WHERE id = \(ids[1])")
            try await fixture.pool.execute(
                "UPDATE webhooks SET disabled_at = now(), disabled_reason = 'full' WHERE id = \(ids[2])")
            // By a person.
            try await fixture.pool.execute("UPDATE webhooks SET disabled_at = now() WHERE id = \(ids[3])")

            let backlog = try await fixture.stores.backlog.backlog()
            #expect(backlog.workingWebhooks == 1 && backlog.failingWebhooks == 1 && backlog.disabledWebhooks == 1)
            #expect(backlog.webhookMessages == 2)
            #expect((180...180 + 60 * Double(TestTimeouts.factor)).contains(backlog.webhookLateness))
        }
    }

    @Test func plannerThatWaitsForTheSendersIsNotLate() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            try await fixture.pool.execute(
                "UPDATE runs SET plan_lease_until = now() - interval '1 hour', pushes_per_second = 1")
            try await fixture.batch(of: run, app: app.id, outcomes: [0, 0])
            #expect(try await fixture.stores.backlog.backlog().plannerLag == 0)
        }
    }

    @Test func stateOfTheDatabaseHasItsSizePartitionsKeysAndTokens() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.stores.messageRanges.maintain()
            let app = try await fixture.app()
            try await fixture.pool.execute(
                """
                INSERT INTO credentials (app_id, production, development, key_id, team_id, sealed_key)
                VALUES (\(app.id), true, true, 'ABCDEFGHIJ', 'KLMNOPQRST', '')
                """)
            // The second one's key was deleted.
            try await fixture.pool.execute(
                """
                INSERT INTO provider_tokens (issued_at, key_id, team_id, sealed_token, key_hash)
                VALUES (to_timestamp(1700000000), 'ABCDEFGHIJ', 'KLMNOPQRST', '', 'a'),
                    (now(), 'ABCDEFGHIX', 'KLMNOPQRST', '', 'b')
                """)
            try await fixture.pool.execute(
                """
                INSERT INTO api_keys (kind, name, prefix, scopes, hash, expires_at, revoked_at)
                SELECT 'secret', 'key', 'bfs_', '{}', sha256(n::text::bytea), to_timestamp(n), CASE WHEN n = 3900000000 THEN now() END
                FROM unnest('{1700000000, 3900000000, 4000000000, 4100000000}'::bigint[]) AS n
                """)

            let state = try await fixture.stores.databaseState.state()

            #expect(state.size > 1_000_000 && state.partitionsAhead == 2)
            #expect(state.transactionsToWraparound > 1_000_000_000 && state.lockWaiters == 0)
            #expect(state.nextKeyEnd == 4_000_000_000)
            #expect(state.providerTokens == [.init(key: "ABCDEFGHIJ", issued: 1_700_000_000)])
            #expect(state.standbys.isEmpty)
        }
    }
}
