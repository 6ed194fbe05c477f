import Campaigns
import JSON
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

@Suite struct AudienceSQLTests {
    /// Only small sets become arrays, not a million devices that opened a campaign.
    @Test func onlySmallSetsBecomeArrays() throws {
        func usesArray(_ condition: AudienceCondition) throws -> Bool? {
            let resolved = try ResolvedAudience(Audience(include: condition), segments: [:])
            let sql = AudienceSQL(resolved, app: App.ID(rawValue: 1), ids: .all)
            return sql.restriction?.condition.sql.hasPrefix("d.id = ANY (ARRAY(")
        }
        let opened = AudienceCondition.event(AudienceEvent(.opened, campaign: Campaign.ID(rawValue: 1)))
        let named = AudienceCondition.userIDs(["ada"])
        let german = AudienceCondition.field(.language, .text(.is("de")))
        #expect(try usesArray(named) == true)
        #expect(try usesArray(.all([german, opened, named])) == true)
        #expect(try usesArray(opened) == false)
        #expect(try usesArray(.all([german, opened])) == false)
        #expect(try usesArray(.any([named, opened])) == false)
        #expect(try usesArray(german) == nil)
    }

    @Test func randomConditionsMatchBruteForceEvaluation() async throws {
        try await DeviceFixture.run { bench in
            var generator = SeededGenerator(seed: 4)
            let world = try await AudienceFixture.make(bench.pool, app: bench.app, devices: 250, using: &generator)
            // Similar devices in another app, whose events must not count.
            let other = try await DeviceFixture.makeApp(bench.pool, "other")
            _ = try await AudienceFixture.make(bench.pool, app: other, devices: 20, using: &generator)
            var (matches, served) = (0, 0)

            for number in 0..<400 {
                let include = AudienceCondition.random(depth: 4, world.now, world.campaigns, using: &generator)
                let exclude = AudienceCondition.random(depth: 2, world.now, world.campaigns, using: &generator)
                let audience = Audience(include: include, exclude: number % 4 == 0 ? exclude : nil)
                let resolved = try ResolvedAudience(audience, segments: [:])
                let expected = zip(world.devices, world.ids).filter { device, _ in
                    world.judge.holds(include, device)
                        && audience.exclude.map { !world.judge.holds($0, device) } ?? true
                }.map(\.1)

                let found = try await Self.find(resolved, bench, ids: IDRange(after: 0, through: world.ids.last!))
                #expect(found.scanned == expected, "\(audience.summary)")
                if let restricted = found.restricted {
                    served += 1
                    #expect(restricted == expected, "\(audience.summary)")
                }
                matches += expected.count
            }
            // The conditions match some devices but not all, and some use an index.
            #expect(matches > 10_000 && matches < 90_000)
            #expect(served > 20)
        }
    }

    @Test func randomConditionsRoundTripThroughJSON() throws {
        var generator = SeededGenerator(seed: 5)
        let now = Instant(rfc3339: "2026-11-21T10:00:00.123Z")!
        for _ in 0..<2_000 {
            let audience = Audience(
                include: .random(depth: 5, now, [Campaign.ID(rawValue: 7)], using: &generator),
                exclude: .random(depth: 2, now, [Campaign.ID(rawValue: 8)], using: &generator))
            let json = try JSON(parsing: audience.json.encoded())
            #expect(try Audience(json: json) == audience)
            #expect(try Audience(json: json).json == audience.json)
            #expect(try ResolvedAudience(json: json).audience == audience)
        }
    }

    /// The day of a count is the one in the app's time zone, which may be another one than in UTC.
    @Test func todayIsTheDayInTheAppsTimeZone() async throws {
        try await DeviceFixture.run { bench in
            let resolved = try ResolvedAudience(
                Audience(include: .attribute(AttributePath("born"), .day(.anniversaryInDays(0)))), segments: [:])
            for zone in ["Pacific/Kiritimati", "Etc/GMT+12"] {
                try await bench.pool.execute("UPDATE apps SET default_time_zone = \(zone) WHERE id = \(bench.app)")
                let born: PostgresQuery = #"to_char(now() AT TIME ZONE \#(zone), '"1990"-MM-DD')"#
                try await bench.pool.insertDevice(
                    zone, of: bench.app, ["attributes": "jsonb_build_object('born', \(born))"])
                let sql = AudienceSQL(resolved, app: bench.app, ids: .all)
                let found = try await bench.pool.query(
                    "SELECT d.installation FROM devices d WHERE d.app_id = \(bench.app) AND \(sql.condition)")
                #expect(try found.map { try $0[0, as: String.self] } == [zone])
            }
        }
    }

    /// A person knows the name that a zone or a region had, or has on their computer.
    @Test(arguments: [
        ("contains", "Calcutta", ["Asia/Kolkata"]), ("contains", "kiev", ["Europe/Kyiv"]),
        ("starts_with", "US/", ["America/New_York"]), ("starts_with", "GMT", ["UTC"]),
        ("contains", "Kolkata", ["Asia/Kolkata"]),
        ("contains", "europe", ["Europe/Kyiv"]), ("contains", "Phobos", []),
    ])
    func zonesAreFoundByPartsOfAllTheirNames(_ op: String, _ part: String, _ expected: [String]) async throws {
        try await DeviceFixture.run { bench in
            for zone in ["Asia/Kolkata", "Europe/Kyiv", "America/New_York", "UTC"] {
                try await bench.pool.insertDevice(zone, of: bench.app, ["time_zone": "\(zone)"])
            }
            let audience = try Audience(
                json: ["include": ["field": "time_zone", "op": .string(op), "value": .string(part)]])
            let sql = AudienceSQL(try ResolvedAudience(audience, segments: [:]), app: bench.app, ids: .all)
            let found = try await bench.pool.query(
                "SELECT d.time_zone FROM devices d WHERE d.app_id = \(bench.app) AND \(sql.condition)")
            #expect(try found.map { try $0[0, as: String.self] } == expected)
            #expect(audience.unknownZones.map(\.path) == (expected.isEmpty ? ["include.value"] : []))
        }
    }

    /// The zone says where a phone is. The region of the locale, which says how its person wants numbers to look, counts
    /// only where no zone tells a country.
    @Test(arguments: [
        (#"{"field": "country", "op": "is", "value": "us"}"#, ["New York", "without a zone", "UTC"]),
        (#"{"field": "country", "op": "in", "value": ["DE", "CN"]}"#, ["Berlin", "Hans"]),
        (#"{"field": "country", "op": "is_not", "value": "US"}"#, ["Berlin", "Hans", "nothing"]),
        (#"{"field": "country", "op": "not_in", "value": ["US", "DE"]}"#, ["Hans", "nothing"]),
    ])
    func countryIsThatOfTheZoneAndElseOfTheLocale(_ condition: String, _ expected: [String]) async throws {
        try await DeviceFixture.run { bench in
            let devices: [(String, zone: String?, locale: String?)] = [
                ("New York", "America/New_York", "de-Latn-DE"), ("Berlin", "Europe/Berlin", "en-Latn-US"),
                ("without a zone", nil, "en-Latn-US"), ("UTC", "UTC", "en-Latn-US"), ("Hans", nil, "zh-Hans-CN"),
                ("nothing", nil, nil),
            ]
            for (name, zone, locale) in devices {
                try await bench.pool.insertDevice(name, of: bench.app, ["time_zone": "\(zone)", "locale": "\(locale)"])
            }
            let audience = try Audience(json: ["include": try JSON(parsing: condition)])
            let sql = AudienceSQL(try ResolvedAudience(audience, segments: [:]), app: bench.app, ids: .all)
            let found = try await bench.pool.query(
                "SELECT d.installation FROM devices d WHERE d.app_id = \(bench.app) AND \(sql.condition) ORDER BY d.id")
            #expect(try found.map { try $0[0, as: String.self] } == expected)
        }
    }

    @Test(arguments: ["Germany", "XX", "", "D"]) func countryThatDoesNotExistIsRefused(_ code: String) {
        #expect(throws: Problems.self) {
            try Audience(json: ["include": ["field": "country", "op": "is", "value": .string(code)]])
        }
    }

    /// The same as the filter `date`: what one of them reads as a date, the other does, too.
    @Test func datesAreThoseThatTheFilterReads() async throws {
        let dates = [
            "1990-11-27", " 1990-11-27 ", "19901127", "1990-11-27T10:00:00Z", "1990-11-27 10:00:00.123+00",
            "1990-11-27 10:00", "1990-11-27 18:30:05 UTC", "2000-02-29",
        ]
        let others = [
            "2026-02-30", "2026-02-29", "1900-02-29", "2026-04-31", "1990-11-27x", "1990-11-27 BC", "1990-11-27 25:00",
            "1990",
            "19901327", "0000-01-01", "1990-11-27, 10:00", "",
        ]
        try await DeviceFixture.run { bench in
            for (index, date) in (dates + others).enumerated() {
                try await bench.pool.insertDevice(
                    "i\(index)", of: bench.app, ["attributes": "jsonb_build_object('born', \(date))"])
            }
            let resolved = try ResolvedAudience(
                Audience(include: .attribute(AttributePath("born"), .day(.before(CivilDay(number: 40_000))))),
                segments: [:])
            let sql = AudienceSQL(resolved, app: bench.app, ids: .all)
            let found = try await bench.pool.query(
                "SELECT d.attributes ->> 'born' FROM devices d WHERE d.app_id = \(bench.app) AND \(sql.condition) ORDER BY d.id"
            )
            #expect(try found.map { try $0[0, as: String.self] } == dates)
        }
    }

    @Test func eventsAreLimitedToTheIDRange() async throws {
        try await DeviceFixture.run { bench in
            var generator = SeededGenerator(seed: 6)
            let world = try await AudienceFixture.make(bench.pool, app: bench.app, devices: 60, using: &generator)
            let opened = AudienceCondition.event(AudienceEvent(.opened, campaign: world.campaigns[0]))
            let resolved = try ResolvedAudience(Audience(include: opened), segments: [:])
            let expected = zip(world.devices, world.ids).filter { world.judge.holds(opened, $0.0) }.map(\.1)
            let middle = expected[expected.count / 2]

            let found = try await Self.find(resolved, bench, ids: IDRange(after: world.ids[0] - 1, through: middle))
            #expect(found.scanned == expected.filter { $0 <= middle })
            #expect(found.restricted == found.scanned)
        }
    }

    @Test func anyTextIsParsedAsVersionWithoutError() async throws {
        try await DeviceFixture.run { bench in
            var generator = SeededGenerator(seed: 7)
            let pieces = ["0", "1", "42", ".", "..", "-", " ", "a", "é", "1234567890", "9", "\n", "007"]
            let random = (0..<3_000).map { _ in
                (0..<Int.random(in: 0...30, using: &generator)).map { _ in pieces.randomElement(using: &generator)! }
                    .joined()
            }
            let texts = AudienceFixture.versions + random + [String(repeating: "1.", count: 100_000)]
            let rows = try await bench.pool.query(
                """
                SELECT version_parts(t.text) FROM unnest(\(texts)) WITH ORDINALITY AS t (text, place)
                ORDER BY t.place
                """)
            for (text, row) in zip(texts, rows) {
                #expect(try row[0, as: [Int64]?.self] == AudienceJudge.parts(text), "\(text.prefix(80))")
            }
        }
    }

    private static func find(
        _ resolved: ResolvedAudience, _ bench: DeviceFixture, ids: IDRange
    ) async throws -> (scanned: [Int64], restricted: [Int64]?) {
        let sql = AudienceSQL(resolved, app: bench.app, ids: ids, days: AudienceDays(AudienceFixture.today))
        let judged = try await bench.pool.query(
            """
            SELECT d.id, \(sql.condition) FROM devices d \(sql.join)
            WHERE d.app_id = \(bench.app) ORDER BY d.id
            """)
        // A NULL would throw.
        let scanned: [Int64] = try judged.compactMap { try $0[1, as: Bool.self] ? try $0[0] : nil }
        guard let restriction = sql.restriction else { return (scanned, nil) }
        let restricted = try await bench.pool.query(
            """
            SELECT d.id FROM devices d \(sql.join)
            WHERE d.app_id = \(bench.app) AND \(restriction.condition) AND \(restriction.remainder) ORDER BY d.id
            """)
        return (scanned, try restricted.map { try $0[0] })
    }
}
