import Campaigns
import Experiments
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

/// People with odd numbers open pushes in the evening only, those with even ones at noon only.
struct ResponseHoursTests {
    private static let people: Int64 = 400

    /// Pushes of `days` days, at noon and in the evening by turns, the newest two days ago.
    private static func past(
        days: Int, _ fixture: StoreFixture, opened: PostgresQuery = "id % 2 = hour / 20"
    ) async throws -> AppRecord {
        let app = try await fixture.app()
        try await fixture.pool.execute("UPDATE apps SET default_time_zone = 'UTC'")
        try await fixture.pool.insertDevices(1...Int(people), of: app.id, ["time_zone": "'Asia/Tokyo'"])
        let campaign = try await fixture.campaign(of: app, state: .sending)
        for day in 0..<days {
            let run = try await fixture.run(of: campaign, state: .finished)
            try await fixture.batch(of: run, app: app.id, outcomes: [UInt8](repeating: 1, count: Int(people)))
            // Noon and eight in the evening in Tokyo.
            let hour = day % 2 == 0 ? 12 : 20
            let due: PostgresQuery = """
                date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - make_interval(days => \(Int32(day + 3)))
                    + make_interval(hours => \(Int32(hour - 9)))
                """
            try await fixture.pool.execute(
                "UPDATE runs SET started_at = \(due), finished_at = \(due) + interval '1 minute' WHERE id = \(run)")
            try await fixture.pool.execute("UPDATE batches SET due_at = \(due) WHERE run_id = \(run)")
            try await fixture.pool.execute(
                """
                INSERT INTO events (app_id, message_number, device_id, kind, happened_at)
                SELECT \(app.id), m.message_number, id, 9, \(due) + interval '10 minutes'
                FROM run_variants m, generate_series(1, \(people)) AS id, (SELECT \(Int64(hour)) AS hour) AS h
                WHERE m.run_id = \(run) AND \(opened)
                """)
        }
        return app
    }

    private static func countAll(_ fixture: StoreFixture) async throws -> Int {
        var steps = 0
        while try await fixture.stores.responseHours.countStep() > 0 { steps += 1 }
        return steps
    }

    /// The hours in Tokyo at which people of a group would be due, from 08:00 until 21:00 tomorrow.
    private static func hours(
        _ app: AppRecord, _ group: TimeGroup, _ fixture: StoreFixture
    ) async throws -> [Int64: Int] {
        let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
        try await fixture.pool.execute(
            """
            UPDATE runs SET device_ceiling = 100000, tests_times = true, salt = 5,
                variant_map = \(try VariantMap(weights: TimeGroup.weights).variants),
                occurrence = json_build_object('kind', 'local', 'at', to_char(now() + interval '2 days', 'YYYY-MM-DD"T08:00:00"'),
                    'best_time_until', '21:00')
            WHERE id = \(run)
            """)
        try await fixture.pool.execute(
            """
            INSERT INTO run_variants (app_id, run_id, variant, name, payload)
            SELECT \(app.id), \(run), variant, 'group', '{}' FROM generate_series(1, 2) AS variant
            """)
        let rules = try #require(try await fixture.stores.planRules.rules(of: fixture.key(run)))
        let step = try await fixture.stores.plans(owner: ProcessID())
            .step(run, by: rules, size: 10_000, lease: .seconds(60), to: .simulator)
        #expect(step == .finished)
        let rows = try await fixture.pool.query(
            """
            SELECT u.id, extract(hour FROM due_at AT TIME ZONE 'Asia/Tokyo')::integer
            FROM batches CROSS JOIN LATERAL unnest(recipients) AS u (id)
            WHERE run_id = \(run) AND variant = \(Int16(group.rawValue))
            """)
        return Dictionary(uniqueKeysWithValues: try rows.map { (try $0[0], try $0[1]) })
    }

    @Test func peopleGetTheHourAtWhichTheyOpen() async throws {
        try await StoreFixture.run { fixture in
            let app = try await Self.past(days: 40, fixture)
            // A week in each step, and the last days.
            #expect(try await Self.countAll(fixture) >= 6)

            let best = try await Self.hours(app, .best, fixture)
            #expect(best.count > 300)
            #expect(best.allSatisfy { id, hour in hour == (id % 2 == 1 ? 20 : 12) })
            let row = try await fixture.pool.query("SELECT response, people FROM response_hours")[0]
            let response = try HourlyResponse(bytes: try row[0, as: [UInt8].self])
            // All days count, the older ones less.
            #expect(response.sent[12] > 4_000 && response.sent[12] < 8_000 && response.sent[3] == 0)
            #expect(abs(Array(response.opened)[12][12] / response.sent[12] - 0.5) < 0.001)
            let first = try #require(try ResponsesOfPeople(bytes: try row[1, as: [UInt8].self], firstID: 1).byDevice[1])
            #expect(first.opened[12] == 0 && first.opened[20] > 10 && first.sent[12] > 10)
        }
    }

    @Test func peopleWhoOpenAsOftenAtAllHoursGetTheUsualOne() async throws {
        try await StoreFixture.run { fixture in
            let app = try await Self.past(days: 40, fixture, opened: "hashint8(id * 1000 + m.message_number) % 10 = 0")
            _ = try await Self.countAll(fixture)
            let best = try await Self.hours(app, .best, fixture)
            #expect(best.count > 300 && Set(best.values).count == 1)
        }
    }

    @Test func smallGroupsGetTheUsualHourAndAnyHour() async throws {
        try await StoreFixture.run { fixture in
            let app = try await Self.past(days: 40, fixture)
            try await fixture.pool.insertDevices(401...4_400, of: app.id, ["time_zone": "'Asia/Tokyo'"])
            _ = try await Self.countAll(fixture)
            let usual = try await Self.hours(app, .usual, fixture)
            #expect(usual.count > 150 && usual.count < 270 && Set(usual.values).count == 1)
            let any = try await Self.hours(app, .any, fixture)
            #expect(any.count > 150 && any.count < 270 && Set(any.values) == Set(8..<21))
        }
    }

    @Test func eachDayIsCountedOnce() async throws {
        try await StoreFixture.run { fixture in
            let app = try await Self.past(days: 5, fixture)
            _ = try await Self.countAll(fixture)
            let before = try await fixture.pool.query("SELECT response FROM response_hours")[0][0, as: [UInt8].self]
            #expect(try await fixture.stores.responseHours.countStep() == 0)
            let sent = try HourlyResponse(bytes: before).sent.sum()
            #expect(abs(sent - 5 * Float(Self.people)) < 120)
            // A push of today is counted when people have had their time.
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending), state: .finished)
            try await fixture.batch(of: run, app: app.id, outcomes: [1])
            #expect(try await fixture.stores.responseHours.countStep() == 0)
        }
    }

    @Test func devicesThatRegisterLaterJoinAndDeletedOnesLeave() async throws {
        try await StoreFixture.run { fixture in
            let app = try await Self.past(days: 12, fixture)
            #expect(try await fixture.stores.responseHours.countStep() > 0)
            #expect(
                try await fixture.pool.query("SELECT last_id FROM response_hours")[0][0, as: Int64.self] == Self.people)
            try await fixture.pool.insertDevices(401...420, of: app.id)
            try await fixture.pool.execute("DELETE FROM devices WHERE id = 7")
            _ = try await Self.countAll(fixture)
            let row = try await fixture.pool.query("SELECT last_id, people FROM response_hours")[0]
            #expect(try row[0, as: Int64.self] == 420)
            let people = try ResponsesOfPeople(bytes: try row[1, as: [UInt8].self], firstID: 1)
            #expect(people.byDevice[7] == nil && people.byDevice[8] != nil)
        }
    }

    @Test func fullRangeIsFollowedByAnother() async throws {
        try await StoreFixture.run { fixture in
            let app = try await Self.past(days: 3, fixture)
            try await fixture.pool.execute("SELECT setval(pg_get_serial_sequence('devices', 'id'), 12000)")
            try await fixture.pool.insertDevices(12_001...12_003, of: app.id)
            _ = try await Self.countAll(fixture)
            let ranges = try await fixture.pool.query("SELECT first_id, last_id FROM response_hours ORDER BY 1")
            #expect(try ranges.map { [try $0[0], try $0[1]] as [Int64] } == [[1, 10_000], [12_001, 12_003]])
        }
    }

    @Test func responsesOfPeopleAreStoredAndRead() throws {
        var people = ResponsesOfPeople(firstID: 1_000)
        var person = PersonalResponse()
        (person.sent[0], person.sent[23], person.opened[23]) = (1.5, 3, 0.25)
        people.byDevice = [1_000: person, 9_000: person]
        // Who has opened nothing is not kept.
        people.byDevice[1_001] = PersonalResponse(sent: person.sent, opened: SIMD32<Float>())
        let bytes = people.bytes
        #expect(bytes.count == 2 * (4 + 1 + 3 * 3))
        let read = try ResponsesOfPeople(bytes: bytes, firstID: 1_000)
        #expect(read.byDevice == [1_000: person, 9_000: person])
        #expect(throws: DamagedResponses.self) { try ResponsesOfPeople(bytes: Array(bytes.dropLast()), firstID: 1_000) }
    }
}
