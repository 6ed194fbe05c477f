import Campaigns
import JSON
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

/// Birthdays in campaigns, in zones where the time of the campaign is past and others.
struct PlannedDayTests {
    private static func birthdays() throws -> Audience {
        Audience(include: .attribute(try AttributePath("born"), .day(.anniversaryInDays(0))))
    }

    private static func now(_ fixture: StoreFixture) async throws -> Int { try await fixture.stores.forecasts.now() }

    /// An hour ago on the clocks of Auckland, which Los Angeles has not reached yet.
    private static func pastInAuckland(_ now: Int) throws -> (time: CivilTime, day: CivilDay, next: CivilDay) {
        let clock = try #require(ZoneClock(named: "Pacific/Auckland"))
        let time = try #require(CivilTime(seconds: clock.local(now - 3_600)))
        return (time, time.date, CivilDay(number: time.date.number + 1))
    }

    private static func add(
        _ installation: String, _ zone: String?, born day: CivilDay, to app: App.ID, _ fixture: StoreFixture
    ) async throws {
        let attributes = #"{"born": "1990\#(day.text.suffix(6))"}"#
        try await fixture.pool.insertDevice(
            installation, of: app,
            ["environment": "1", "time_zone": "\(zone)", "attributes": "\(attributes)::jsonb"])
    }

    private static func addBothDays(_ now: Int, to app: App.ID, _ fixture: StoreFixture) async throws {
        let (_, day, next) = try pastInAuckland(now)
        for zone in ["Pacific/Auckland", "America/Los_Angeles"] {
            try await add("\(zone) this day", zone, born: day, to: app, fixture)
            try await add("\(zone) next day", zone, born: next, to: app, fixture)
        }
    }

    private static func run(_ occurrence: Occurrence, of app: AppRecord, _ fixture: StoreFixture) async throws -> Run.ID
    {
        let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
        try await fixture.pool.execute(
            """
            UPDATE runs SET device_ceiling = (SELECT coalesce(max(id), 0) FROM devices),
                audience = \(birthdays().json.text)::json, occurrence = \(occurrence.json.text)::json
            """)
        return run
    }

    private static func plan(_ run: Run.ID, _ fixture: StoreFixture) async throws {
        let rules = try #require(try await fixture.stores.planRules.rules(of: fixture.key(run)))
        _ = try await fixture.stores.plans(owner: ProcessID())
            .step(run, by: rules, size: 100, lease: .seconds(60), to: .simulator)
    }

    private static let wanted = ["America/Los_Angeles this day", "Pacific/Auckland next day"]

    @Test func zoneThatMovesToTheNextDayGetsThePeopleOfTheNextDay() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let now = try await Self.now(fixture)
            try await Self.addBothDays(now, to: app.id, fixture)
            let occurrence = Occurrence.local(try Self.pastInAuckland(now).time, ifPast: .nextDay)
            let run = try await Self.run(occurrence, of: app, fixture)

            try await Self.plan(run, fixture)

            let planned = try await fixture.pool.query(
                """
                SELECT d.installation FROM batches b JOIN devices d ON d.id = ANY (b.recipients)
                ORDER BY d.installation
                """)
            #expect(try planned.map { try $0[0, as: String.self] } == Self.wanted)

            let rules = try await fixture.stores.planRules.rules(
                app: app, CampaignContent(name: "Birthday", payload: "{}"),
                audience: ResolvedAudience(Self.birthdays(), segments: [:]), occurrence: occurrence, now: now)
            let groups = try #require(
                try await fixture.stores.forecasts.groups(
                    by: rules, after: 0, through: .max, sampledBelow: .max, deadline: .seconds(10)))
            let forecast = try await fixture.pool.query(
                """
                SELECT installation FROM devices WHERE id = ANY (\(groups.flatMap(\.sample))) ORDER BY installation
                """)
            #expect(try forecast.map { try $0[0, as: String.self] } == Self.wanted)
        }
    }

    /// Quick counts know the same days: otherwise a campaign that only the next day's people get could not start.
    @Test func quickCountIsByTheDaysOfThePlan() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let now = try await Self.now(fixture)
            try await Self.addBothDays(now, to: app.id, fixture)
            let audience = try ResolvedAudience(Self.birthdays(), segments: [:])
            let rules = try await fixture.stores.planRules.rules(
                app: app, CampaignContent(name: "Birthday", payload: "{}"), audience: audience,
                occurrence: .local(try Self.pastInAuckland(now).time, ifPast: .nextDay), now: now)
            let count = try await fixture.stores.audienceCounts.quickCount(
                audience, app: app.id, days: rules.days, within: .seconds(10))
            #expect(count.matches == 2 && count.isExact)
        }
    }

    /// A person whose birthday is over when the late batch is sent again gets nothing.
    @Test func overdueRecipientsWhoseDayIsOverAreLeftOut() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let now = try await Self.now(fixture)
            // Two hours ago, so past the hour that pushes in local time may be late.
            let clock = try #require(ZoneClock(named: "Pacific/Auckland"))
            let time = try #require(CivilTime(seconds: clock.local(now - 7_200)))
            try await Self.add("a", "Pacific/Auckland", born: time.date, to: app.id, fixture)
            let run = try await Self.run(.local(time, ifPast: .nextDay), of: app, fixture)
            // As when it was planned in time.
            let ids = try await fixture.pool.query("SELECT id FROM devices")
            try await fixture.batch(of: run, app: app.id, first: ids[0][0], outcomes: [OutcomeCode.pending])
            try await fixture.pool.execute(
                "UPDATE batches SET state = 'ready', not_after = now() - interval '1 minute'")

            #expect(try await fixture.stores.late.reevaluate(fixture.key(run)) == 1)

            let moved = try await fixture.pool.query(
                """
                SELECT c.kind, c.reason FROM batches b JOIN outcome_codes c ON c.code = outcome_code(get_byte(b.outcomes, 0))
                WHERE b.deferred_from IS NOT NULL
                """)
            #expect(
                try moved[0][0, as: String.self] == "suppressed" && moved[0][1, as: String.self] == "local time past")
        }
    }

    /// The zones are a day apart, so one of them has another day than UTC, the app's zone.
    @Test(arguments: ["Pacific/Kiritimati", "Etc/GMT+12"])
    func fixedTimeMeansTheDayInTheZoneOfTheSchedule(_ zone: String) async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            var content = CampaignContent(name: "Birthday", payload: #"{"aps":{"alert":"Hello"}}"#)
            content.schedule = .recurring(
                Recurrence(
                    rule: try RecurrenceRule("FREQ=DAILY"), start: try CivilTime("2026-01-01T09:00:00"),
                    clock: .zone(zone)))
            let campaign = try await fixture.campaigns.create(app: app.id, content)
            let now = try await Self.now(fixture)
            let made = try await fixture.pool.transaction { connection in
                try await NewRun(
                    campaign: campaign.id, app: app.id, occurrence: .at(now), question: nil, audience: .everybody,
                    estimated: 0
                ).insert(on: connection)
            }
            let run = try #require(made)
            let local = try #require(ZoneClock(named: zone)).local(now)
            let wanted = CivilDay(number: CivilDay.floorDivide(local, 86_400))
            let rules = try #require(try await fixture.stores.planRules.rules(of: fixture.key(run)))
            #expect(rules.days == AudienceDays(wanted))
            let forecast = try await fixture.stores.planRules.rules(
                app: app, content, audience: .everybody, occurrence: .at(now), now: now)
            #expect(forecast.days == AudienceDays(wanted))
        }
    }

    /// A device that registered during a run of three days ago, whose birthday was then.
    @Test func whyTellsWhatHeldOnTheDayOfTheRun() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let past = try await Self.now(fixture) - 3 * 86_400
            let day = CivilDay(number: CivilDay.floorDivide(past, 86_400))
            let run = try await Self.run(.at(past), of: app, fixture)
            try await fixture.pool.execute("UPDATE runs SET started_at = to_timestamp(\(Double(past)))")
            try await Self.add("then", nil, born: day, to: app.id, fixture)
            let device = try #require(
                try await fixture.stores.devices.device(app: app.id, DeviceAddress("then")))
            let facts = try await WhyStore(pool: fixture.pool).facts(run: run, device: device, app: app.id).facts
            #expect(facts.conditions.map(\.isMet) == [true])
        }
    }
}
