import Campaigns
import EventLoop
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

@Suite struct AudienceCountTests {
    @Test func countIsExactWhenTheTimeSuffices() async throws {
        try await DeviceFixture.run { bench in
            var generator = SeededGenerator(seed: 8)
            let world = try await AudienceFixture.make(bench.pool, app: bench.app, devices: 200, using: &generator)
            // Retired devices and devices of other kinds do not count.
            try await bench.pool.execute(
                """
                UPDATE devices SET retired_at = now(), retired_reason = 1 WHERE id = \(world.ids[3])
                """)
            try await bench.pool.execute("UPDATE devices SET kind = 1 WHERE id = \(world.ids[4])")
            let counts = AudienceCountStore.patient(bench.pool, seed: 1)
            // A count relates to the present day, in UTC for this app.
            let judge = world.judge(on: CivilDay(number: Int(world.now.microseconds / 86_400_000_000)))

            for _ in 0..<60 {
                let condition = AudienceCondition.random(depth: 3, world.now, world.campaigns, using: &generator)
                let expected = zip(world.devices, world.ids).enumerated().filter { place, entry in
                    place != 3 && place != 4 && judge.holds(condition, entry.0)
                }.map(\.element)
                let count = try await counts.count(
                    ResolvedAudience(Audience(include: condition), segments: [:]), app: bench.app,
                    budget: .seconds(60))
                #expect(count.matches == expected.count && count.isExact && count.marginOfError == nil)
                #expect(
                    count.reachable == expected.count { $0.0.authorization != .denied && !$0.0.optOuts.contains("*") })
                #expect(count.sample.count == min(10, expected.count))
                #expect(Set(count.sample.map(\.device.rawValue)).isSubset(of: expected.map(\.1)))
            }
            let everybody = try await counts.count(.everybody, app: bench.app, budget: .seconds(60))
            #expect(everybody.matches == 198 && everybody.devicesScanned == 198)
            let first = try #require(everybody.sample.first)
            #expect(first.installation == world.devices[0].installation && first.userID == world.devices[0].userID)
        }
    }

    @Test func appWithoutDevicesHasNoMatches() async throws {
        try await DeviceFixture.run { bench in
            let counts = AudienceCountStore.patient(bench.pool)
            let nobody = try await counts.count(.everybody, app: bench.app, budget: .seconds(60))
            #expect(nobody.matches == 0 && nobody.isExact && nobody.sample.isEmpty)
            let users = try ResolvedAudience(Audience(include: .userIDs(["a"])), segments: [:])
            #expect(try await counts.count(users, app: bench.app, budget: .seconds(60)).isExact)
        }
    }

    @Test func quickCountEndsInTime() async throws {
        try await DeviceFixture.run { bench in
            try await bench.pool.insertDevices(1...3, of: bench.app)
            let counts = AudienceCountStore(pool: bench.pool)
            let patient = try await counts.quickCount(.everybody, app: bench.app, within: .seconds(60))
            #expect(patient.matches == 3 && patient.isExact)
            for audience in [Audience.everybody, Audience(include: .userIDs(["a"]))] {
                let resolved = try ResolvedAudience(audience, segments: [:])
                let took = try await bench.pool.transaction { connection in
                    try await connection.execute("LOCK TABLE devices IN ACCESS EXCLUSIVE MODE")
                    let began = MonotonicTime.now()
                    let count = try await counts.quickCount(resolved, app: bench.app, within: .milliseconds(80))
                    #expect(count.matches == 0 && !count.isExact)
                    return .now() - began
                }
                // The database's own limit is 30 s.
                #expect(took < .seconds(5))
            }
        }
    }

    @Test func estimateIsWithinItsMargin() async throws {
        try await DeviceFixture.run { bench in
            // Newer devices have the tag more often, and every tenth id belongs to another app.
            let other = try await DeviceFixture.makeApp(bench.pool, "other")
            try await bench.pool.insertDevices(
                1...40_000, of: bench.app,
                [
                    "app_id": "CASE WHEN n % 10 = 0 THEN \(other) ELSE \(bench.app) END",
                    "tags": "CASE WHEN hashint8(n) & 1023 < n / 60 THEN '{vip}' ELSE '{}' END::text[]",
                ])
            let rows = try await bench.pool.query(
                "SELECT count(*) FROM devices WHERE app_id = \(bench.app) AND 'vip' = ANY (tags)")
            let truth: Int = try rows[0][0]
            let vip = try ResolvedAudience(Audience(include: .tag("vip")), segments: [:])
            var within = 0
            for seed in 0..<40 {
                var counts = AudienceCountStore.patient(bench.pool, seed: UInt64(seed) &* 0x9E37_79B9)
                counts.stripes = 2
                let count = try await counts.count(vip, app: bench.app, budget: .seconds(60))
                #expect(!count.isExact)
                let margin = try #require(count.marginOfError)
                if abs(count.matches - truth) <= margin { within += 1 }
                #expect(count.devicesScanned < 36_000 && count.sample.count == 10)
            }
            #expect(within >= 36)
        }
    }
}

extension AudienceCountStore {
    /// A store whose results do not depend on the load of the machine.
    fileprivate static func patient(_ pool: PostgresPool, seed: UInt64? = nil) -> AudienceCountStore {
        var counts = AudienceCountStore(pool: pool)
        counts.seed = seed
        counts.statementDeadline = .seconds(60)
        return counts
    }
}
