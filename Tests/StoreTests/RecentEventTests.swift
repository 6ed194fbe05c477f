import Campaigns
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct RecentEventTests {
    /// Planning reads only the partitions that can have recent events: those of runs of the last weeks, however late the
    /// event came.
    @Test func recentEventsOfOldRunsDecide() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let devices = try await fixture.stores.registrations.store(
                (1...2).map { try Registration.make("phone-\($0)", token: "0\($0)", app: app.id) }
            ).map { try #require($0.id) }
            let campaign = try await fixture.campaign(of: app, state: .sending)
            func passWeeks(_ count: Int) async throws {
                for _ in 0..<count {
                    try await fixture.pool.execute("UPDATE runs SET started_at = started_at - interval '7 days'")
                    try await fixture.pool.execute(
                        "UPDATE message_ranges SET opened_at = opened_at - interval '7 days' WHERE opened_at IS NOT NULL"
                    )
                    try await fixture.stores.messageRanges.maintain()
                }
            }
            try await passWeeks(6)
            let old = try await fixture.run(of: campaign, state: .finished)
            try await passWeeks(4)
            let number: Int64 = try await fixture.pool.query(
                "SELECT message_number FROM run_variants WHERE run_id = \(old)")[0][0]
            try await fixture.pool.execute(
                """
                INSERT INTO events (app_id, message_number, device_id, kind, happened_at)
                VALUES (\(app.id), \(number), \(devices[0]), 3, now() - interval '1 day')
                """)
            try await fixture.pool.execute(
                """
                INSERT INTO run_minutes (app_id, message_number, measure, minute, shard, count)
                VALUES (\(app.id), \(number), 3, date_trunc('minute', now() - interval '1 day'), 0, 1)
                """)

            let run = try await fixture.run(of: campaign)
            try await fixture.pool.execute(
                """
                UPDATE runs SET audience = '{"include":{"not":{"event":"opened","within_days":3}}}' WHERE id = \(run)
                """)
            let rules = try #require(try await fixture.stores.planRules.rules(of: fixture.key(run)))
            let since = try #require(rules.recentEventsSince)
            // The range of the run, or the one before.
            #expect((number - 2 * MessageRangeStore.width...number).contains(since) && since > 0)
            let plans = fixture.stores.plans(owner: ProcessID())
            while case .planned = try await plans.step(run, by: rules, lease: .seconds(60), to: .simulator) {}
            let recipients: [Int64] = try await fixture.pool.query(
                "SELECT recipients FROM batches WHERE run_id = \(run)")[0][0]
            #expect(recipients == [devices[1].rawValue])
        }
    }

    @Test func conditionsTellTheAgeOfTheirEvents() {
        let recent = { (days: Int?) in AudienceCondition.event(AudienceEvent(.opened, withinDays: days)) }
        #expect(AudienceCondition.tag("vip").oldestEventDays == nil)
        #expect(recent(nil).oldestEventDays == nil)
        #expect(
            AudienceCondition.any([recent(3), .all([.tag("vip"), .not(recent(30))]), recent(nil)]).oldestEventDays == 30
        )
    }
}
