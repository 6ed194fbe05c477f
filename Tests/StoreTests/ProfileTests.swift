import Campaigns
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

/// Profiles are what devices were when a push was sent.
struct ProfileTests {
    /// The device's profile now: locale, versions and counted tags.
    private static func profile(_ installation: String, _ pool: PostgresPool) async throws -> String {
        try await pool.query(
            """
            SELECT concat_ws(' ', p.locale, p.os_version, p.app_version, (
                SELECT string_agg(t.tag, ',' ORDER BY t.tag) FROM counted_tags t
                WHERE t.app_id = p.app_id AND p.tag_bits & (1 << t.bit) <> 0))
            FROM devices d JOIN device_activity a ON a.app_id = d.app_id AND a.device_id = d.id
            JOIN profiles p ON p.app_id = d.app_id AND p.code = a.profile
            WHERE d.installation = \(installation)
            """)[0][0]
    }

    private static func register(
        _ installation: String, _ bench: DeviceFixture, _ change: (inout DeviceChanges) -> Void
    ) async throws -> Device.ID {
        let made = try await bench.registrations.store([
            Registration.make(installation, token: "0\(installation.utf8.count)", app: bench.app, change)
        ])
        return try #require(made[0].id)
    }

    @Test func profileFollowsTheDeviceAndThePastIsKept() async throws {
        try await DeviceFixture.run { bench in
            let device = try await Self.register("i", bench) {
                $0.locale = .value("de")
                $0.osVersion = .value("18.5")
                $0.userID = .value("anna")
            }
            _ = try await Self.register("ii", bench) { $0.locale = .value("de") }
            #expect(try await Self.profile("i", bench.pool) == "de 18.5 ")
            let before: Timestamp = try await bench.pool.query("SELECT clock_timestamp()")[0][0]
            _ = try await Self.register("i", bench) {
                $0.locale = .value("fr")
                $0.userID = .null
            }
            #expect(try await Self.profile("i", bench.pool).hasPrefix("fr"))
            try await bench.pool.changeDevices("tags = '{vip,new}'", where: "id = \(device)")
            #expect(try await Self.profile("i", bench.pool).hasSuffix("new,vip"))
            try await bench.pool.changeDevices("model = 'iPhone'", where: "id = \(device)")
            let past = try await bench.pool.query(
                """
                SELECT p.locale, x.user_id FROM device_past x JOIN profiles p ON p.app_id = x.app_id AND p.code = x.profile
                ORDER BY x.until
                """)
            #expect(try past.map { try $0[0] } == ["de", "fr"])
            #expect(try past.map { try $0[1] as String? } == ["anna", nil])
            let then = try await bench.pool.query(
                """
                SELECT p.locale FROM profiles p
                WHERE p.app_id = \(bench.app) AND p.code = profile_at(\(bench.app), \(device), \(before))
                """)
            #expect(try then[0][0] == "de")
            // Erasing a person removes the traces of the person, also from the past of devices of others.
            _ = try await bench.stores.people.erase("anna", app: bench.app)
            let left = try await bench.pool.query("SELECT count(*) FROM device_past WHERE user_id IS NOT NULL")
            #expect(try left[0][0] == 0)
        }
    }

    @Test func thirtyTagsAreCounted() async throws {
        try await DeviceFixture.run { bench in
            let device = try await Self.register("i", bench) { _ in }
            for tags in [Array(1...20), Array(11...60), [61]] {
                try await bench.pool.changeDevices("tags = \(tags.map { "tag \($0)" })", where: "id = \(device)")
            }
            let row = try await bench.pool.query("SELECT count(*), count(DISTINCT bit) FROM counted_tags")[0]
            #expect(try row[0] as Int == 30 && row[1] as Int == 30)
        }
    }

    @Test func batchesHaveTheProfilesAtTheStartOfTheRun() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            try await fixture.pool.insertDevices(1...300, of: app.id, ["locale": "'l' || n"])
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            try await fixture.pool.execute("UPDATE runs SET device_ceiling = (SELECT max(id) FROM devices)")
            try await fixture.pool.changeDevices("locale = 'changed'", where: "installation = '7'")
            let rules = try #require(try await fixture.stores.planRules.rules(of: fixture.key(run)))
            let plans = fixture.stores.plans(owner: ProcessID())
            _ = try await plans.step(run, by: rules, lease: .seconds(60), to: .simulator)
            let rows = try await fixture.pool.query(
                """
                SELECT count(*), count(*) FILTER (WHERE d.locale = p.locale), min(width),
                    min(p.locale) FILTER (WHERE d.locale = 'changed')
                FROM batches b
                CROSS JOIN LATERAL (SELECT octet_length(b.profiles) / b.size AS width) AS w
                CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS r (id, position)
                JOIN devices d ON d.app_id = b.app_id AND d.id = r.id
                JOIN profiles p ON p.app_id = b.app_id
                    AND p.code = profile_code(b.profiles, w.width, r.position::integer - 1)
                WHERE b.run_id = \(run)
                """)
            #expect(try rows[0][0] as Int == 300 && rows[0][1] as Int == 299 && rows[0][2] as Int == 2)
            #expect(try rows[0][3] == "l7")
            let moved = try await fixture.pool.query(
                "SELECT profiles_of(recipients[3:4], recipients, profiles) = substring(profiles FROM 5 FOR 4) FROM batches"
            )
            #expect(try moved[0][0] == true)
        }
    }
}
