import Application
import Campaigns
import Postgres
import Store
import Testing

extension DispatcherSuite {
    /// Starts by hand that can be undone for some seconds.
    @Suite struct DelayedStartTests {
        @Test func delayedStartWaitsAndThenSendsOnce() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                let made = try await bench.campaigns.create(
                    app: bench.app, CampaignContent(name: "Now", payload: #"{"aps":{"alert":"Now"}}"#))
                let started = try await bench.campaigns.start(made.id, app: bench.app, delay: 300)
                #expect(started.state == .scheduled && started.startsAt != nil)
                #expect(try await bench.starter.startDue().isEmpty)

                try await Self.endDelay(of: made.id, bench)
                let due = try #require(try await bench.campaigns.find(made.id, app: bench.app).startsAt)
                _ = try await bench.startedRun()
                #expect(try await bench.starter.startDue().isEmpty)

                let after = try await bench.campaigns.find(made.id, app: bench.app)
                #expect(after.state == .sending && after.startsAt == nil)
                let run = try await bench.run(of: made.id)
                // The run may start in a later second than the one that was due.
                let moments = [due, run.startedAt].map { Occurrence.at(Int($0.secondsSince1970)) }
                #expect(run.occurrence.map(moments.contains) ?? true)
                // The person's request is in the log, the start itself is nobody's.
                #expect(try await bench.stores.audit.list(AuditStore.Filter(), before: nil, limit: 1).isEmpty)
            }
        }

        /// The schedule must neither start it earlier nor put the start off.
        @Test func scheduledCampaignStartsByHandBeforeItsTime() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                var content = CampaignContent(name: "Later", payload: #"{"aps":{"alert":"Later"}}"#)
                content.schedule = .at(4_000_000_000)
                let made = try await bench.campaigns.create(app: bench.app, content)
                _ = try await bench.campaigns.schedule(made.id, app: bench.app)
                _ = try await bench.campaigns.start(made.id, app: bench.app, delay: 10)
                try await Self.endDelay(of: made.id, bench)
                _ = try await bench.startedRun()
                #expect(try await bench.campaigns.find(made.id, app: bench.app).state == .sending)
            }
        }

        @Test func undoneStartSendsNothing() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                let made = try await bench.campaigns.create(
                    app: bench.app, CampaignContent(name: "Now", payload: #"{"aps":{"alert":"Now"}}"#))
                _ = try await bench.campaigns.start(made.id, app: bench.app, delay: 10)
                try await Self.endDelay(of: made.id, bench)
                let undone = try await bench.campaigns.unschedule(made.id, app: bench.app)
                #expect(undone.state == .draft && undone.startsAt == nil)
                #expect(try await bench.starter.startDue().isEmpty)
            }
        }

        private static func endDelay(of campaign: Campaign.ID, _ bench: DispatcherFixture) async throws {
            try await bench.pool.execute(
                "UPDATE campaigns SET starts_at = now(), next_check_at = now() WHERE id = \(campaign)")
        }
    }
}
