import Campaigns
import Crypto
import JSON
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Application
@testable import Store

/// Starts that are judged by the days and the clock of the database.
@Suite struct EarlyStartTests {
    private static func app(_ fixture: StoreFixture) async throws -> AppRecord {
        let app = try await fixture.app()
        _ = try await fixture.credentials.create(
            app: app.id, keyID: KeyID("ABC1234567"), teamID: TeamID("DEF1234567"), key: .generate(),
            environments: [.production])
        return app
    }

    /// A push that has started too early can't be called back.
    @Test func nothingStartsWhileTheClockIsSuddenlyAhead() async throws {
        try await StoreFixture.run { fixture in
            let app = try await Self.app(fixture)
            try await fixture.pool.insertDevice("a", of: app.id)
            let now = try await fixture.stores.forecasts.now()
            var content = CampaignContent(name: "Sale", payload: #"{"aps":{"alert":"Hello"}}"#)
            content.schedule = .at(now)
            let made = try await fixture.campaigns.create(app: app.id, content)
            _ = try await fixture.campaigns.schedule(made.id, app: app.id)
            let clock = DatabaseClock(pool: fixture.pool, assuming: Double(now - 7_200))
            let doubtful = CampaignStarter(stores: fixture.stores, contents: fixture.contents, clock: clock)
            #expect(try await doubtful.startDue() == [])
            #expect(try await fixture.starter.startDue().count == 1)
        }
    }

    /// In Auckland the time is past, so its people of the next day get it: nobody else has a birthday.
    @Test func campaignForTheNextDayOfOneZoneIsNotEmpty() async throws {
        try await StoreFixture.run { fixture in
            let app = try await Self.app(fixture)
            let now = try await fixture.stores.forecasts.now()
            let clock = try #require(ZoneClock(named: "Pacific/Auckland"))
            let time = try #require(CivilTime(seconds: clock.local(now - 3_600)))
            let next = CivilDay(number: time.date.number + 1)
            let attributes = #"{"born": "1990\#(next.text.suffix(6))"}"#
            try await fixture.pool.insertDevice(
                "a", of: app.id, ["time_zone": "'Pacific/Auckland'", "attributes": "\(attributes)::jsonb"])
            var content = CampaignContent(name: "Birthday", payload: #"{"aps":{"alert":"Hello"}}"#)
            content.audience = Audience(include: .attribute(try AttributePath("born"), .day(.anniversaryInDays(0))))
            content.schedule = .local(time, ifPast: .nextDay)
            let made = try await fixture.campaigns.create(app: app.id, content)
            _ = try await fixture.campaigns.start(made.id, app: app.id)
            let starts = try await fixture.starter.startDue()
            guard case .run? = starts.first else {
                Issue.record("it did not start: \(starts)")
                return
            }
        }
    }
}
