import Campaigns
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

/// The past of an app from which it is told what an A/B test can show.
@Suite struct TestBasisStoreTests {
    /// A campaign whose only run began some days ago.
    private static func send(
        _ fixture: StoreFixture, _ app: AppRecord, daysAgo: Int, accepted: Int, opened: Int
    ) async throws {
        let campaign = try await fixture.campaign(of: app)
        let run = try await fixture.run(of: campaign)
        try await fixture.pool.execute(
            "UPDATE runs SET started_at = now() - make_interval(days => \(Int32(daysAgo))) WHERE id = \(run)")
        try await fixture.pool.execute(
            """
            INSERT INTO message_totals
                (app_id, message_number, campaign_id, count, sent_on, dimension, measure, shard, value)
            SELECT m.app_id, m.message_number, r.campaign_id, c.count, (r.started_at AT TIME ZONE 'UTC')::date, 0,
                c.measure, 1, ''
            FROM runs r JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id
            CROSS JOIN (VALUES (11, \(accepted)), (3, \(opened))) AS c (measure, count)
            WHERE r.id = \(run)
            """)
    }

    @Test func rateIsTheMedianOfTheLastTenCampaigns() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let store = fixture.stores.testBases
            let before = try await store.basis(for: .opened, app: app.id)
            #expect(before == TestBasis(reports: TestBasis.Reports(accepted: 0, reached: 0)))

            // The eleventh is too old, today's not over, and one too small.
            try await Self.send(fixture, app, daysAgo: 60, accepted: 1_000, opened: 900)
            for opened in 1...10 {
                try await Self.send(fixture, app, daysAgo: 40, accepted: 1_000, opened: opened * 10)
            }
            try await Self.send(fixture, app, daysAgo: 0, accepted: 2_000, opened: 1_800)
            try await Self.send(fixture, app, daysAgo: 2, accepted: 99, opened: 99)
            let basis = try await store.basis(for: .opened, app: app.id)
            #expect(abs(try #require(basis.rate) - 0.055) < 1e-9)
            #expect(basis.reports == TestBasis.Reports(accepted: 2_099, reached: 1_899))
            let engaged = try await store.basis(for: .engaged, app: app.id)
            #expect(engaged.rate == nil && engaged.reports?.reached == 0)
        }
    }

    @Test func eventIsKnownOnceItWasReported() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let store = fixture.stores.testBases
            #expect(try await store.basis(for: .event("purchase"), app: app.id).hasEvent == false)
            try await fixture.pool.execute(
                "INSERT INTO custom_event_names (app_id, name) VALUES (\(app.id), 'purchase')")
            let basis = try await store.basis(for: .event("purchase"), app: app.id)
            #expect(basis == TestBasis(hasEvent: true))
        }
    }

    @Test func personWithFourDevicesCountsOnce() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            try await fixture.pool.insertDevices(
                1...5, of: app.id, ["user_id": "CASE WHEN n <= 4 THEN 'ada' END"])
            let basis = try await fixture.stores.testBases.basis(for: .opened, app: app.id)
            #expect(abs(basis.peoplePerDevice - 0.4) < 1e-9)
        }
    }
}
