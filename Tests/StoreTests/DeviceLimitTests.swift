import Campaigns
import Notifications
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct DeviceLimitTests {
    private static let limit = Int(DeviceLimit.devicesPerUser)

    private static func registration(
        _ number: Int, user: String? = "ada", kind: DeviceKind = .alert, _ app: App.ID
    ) throws -> Registration {
        let installation = "i-\(number)-\(kind.rawValue)"
        return try Registration.make(
            installation, token: (format(number * 16 + Int(kind.rawValue))), app: app,
            address: DeviceAddress(installation, kind: kind)
        ) { $0.userID = user.map { .value($0) } ?? .null }
    }

    private static func format(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    private static func users(_ bench: DeviceFixture, kind: DeviceKind = .alert) async throws -> [Int] {
        try await bench.pool.query(
            """
            SELECT split_part(installation, '-', 2)::int FROM devices
            WHERE user_id = 'ada' AND kind = \(kind.rawValue) ORDER BY 1
            """
        ).map { Int(try $0[0] as Int32) }
    }

    @Test func deviceNotSeenForTheLongestTimeLosesItsUser() async throws {
        try await DeviceFixture.run { bench in
            let first = (0..<Self.limit).map { $0 }
            _ = try await bench.registrations.store(first.map { try Self.registration($0, bench.app) })
            #expect(try await Self.users(bench) == first)
            // Number 7 was seen least recently.
            try await bench.pool.execute(
                """
                UPDATE device_activity a SET last_seen_at = now() - interval '9 days' FROM devices d
                WHERE a.device_id = d.id AND d.installation = 'i-7-' || \(DeviceKind.alert.rawValue)
                """)
            let outcomes = try await bench.registrations.store([try Self.registration(99, bench.app)])
            #expect(outcomes.allSatisfy { $0.id != nil })
            #expect(try await Self.users(bench) == first.filter { $0 != 7 } + [99])
            let detached = try await bench.pool.query(
                "SELECT retired_at IS NULL, token IS NULL FROM devices WHERE user_id IS NULL")
            #expect(try detached.count == 1 && detached[0][0] == true && detached[0][1] == false)
            // It comes back at its next start, and another one goes.
            _ = try await bench.registrations.store([try Self.registration(7, bench.app)])
            #expect(try await Self.users(bench).count == Self.limit)
            #expect(try await Self.users(bench).contains(7))
        }
    }

    @Test func thousandRegistrationsInOneGroupLeaveTheNewest() async throws {
        try await DeviceFixture.run { bench in
            _ = try await bench.registrations.store([
                try Self.registration(5_000, user: "bob", bench.app),
                try Self.registration(5_001, user: nil, bench.app),
            ])
            _ = try await bench.registrations.store(try (0..<1_000).map { try Self.registration($0, bench.app) })
            let left = try await Self.users(bench)
            #expect(left.count == Self.limit)
            let rows = try await bench.pool.query(
                "SELECT count(*) FILTER (WHERE user_id = 'bob'), count(*) FILTER (WHERE retired_at IS NULL) FROM devices"
            )
            #expect(try rows[0][0] == 1 && rows[0][1] == 1_002)
        }
    }

    @Test func eachKindOfTokenIsCountedApart() async throws {
        try await DeviceFixture.run { bench in
            for kind in [DeviceKind.alert, .voip] {
                _ = try await bench.registrations.store(
                    try (0..<Self.limit).map { try Self.registration($0, kind: kind, bench.app) })
            }
            #expect(try await Self.users(bench).count == Self.limit)
            #expect(try await Self.users(bench, kind: .voip).count == Self.limit)
        }
    }

    @Test func detachedDeviceLosesWhatBelongsToThePerson() async throws {
        try await DeviceFixture.run { bench in
            var vip = ProfileChanges()
            vip.tags = .replace(["vip"])
            _ = try await bench.stores.people.update("ada", app: bench.app, by: vip)
            _ = try await bench.registrations.store(
                try (0...Self.limit).map { try Self.registration($0, bench.app) })
            let rows = try await bench.pool.query(
                "SELECT user_id IS NULL, tags::text, count(*) FROM devices GROUP BY 1, 2 ORDER BY 1")
            #expect(try rows.map { try $0[1] } == ["{vip}", "{}"])
            #expect(try rows[0][2] == Self.limit && rows[1][2] == 1)
        }
    }
}
