import Campaigns
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

struct RegistrationStoreTests {
    @Test func newDeviceIsStoredAndSeen() async throws {
        try await DeviceFixture.run { bench in
            let registration = try Registration.make(
                "i1", token: "00FF", app: bench.app, environment: .development, attributes: #"{"a":[1,"x"]}"#
            ) {
                $0.userID = .value("anna")
                $0.locale = .value("de-DE")
            }
            let outcomes = try await bench.registrations.store([registration])

            let device = try #require(try await bench.devices.device(app: bench.app, DeviceAddress("i1")))
            #expect(outcomes == [.stored(.init(id: device.id, isNew: true))])
            #expect(device.environment == .development)
            #expect(device.authorization == .authorized)
            #expect(device.tokenEnding == "00ff")
            #expect(device.userID == "anna")
            #expect(device.locale == "de-DE")
            #expect(device.timeZone == nil)
            #expect(device.attributes.text == #"{"a": [1, "x"]}"#)
            #expect(device.lastSeenAt != nil)
            #expect(device.retiredAt == nil)
        }
    }

    @Test func activityIsDeletedWithItsDevice() async throws {
        try await DeviceFixture.run { bench in
            _ = try await bench.registrations.store([
                try Registration.make("i1", token: "01", app: bench.app),
                try Registration.make("i2", token: "02", app: bench.app),
            ])
            try await bench.pool.execute("DELETE FROM devices WHERE installation = 'i1'")
            let left: PostgresQuery = """
                SELECT d.installation FROM device_activity a LEFT JOIN devices d ON d.id = a.device_id
                """
            let rows = try await bench.pool.query(left)
            #expect(rows.count == 1)
            #expect(try rows[0][0, as: String.self] == "i2")
        }
    }

    @Test func registrationForAnUnknownAppIsRejected() async throws {
        try await DeviceFixture.run { bench in
            let registration = try Registration.make("i1", token: "01", app: bench.app)
            _ = try await bench.registrations.store([registration])
            let foreign = try Registration.make("i2", token: "02", app: App.ID(rawValue: 999))

            await #expect(throws: Refusal.notFound(.app)) {
                try await bench.registrations.store([try Registration.make("i3", token: "03", app: bench.app), foreign])
            }
            await #expect(throws: PostgresError.self) {
                try await bench.pool.execute("UPDATE devices SET app_id = app_id + 1")
            }
            let rows = try await bench.pool.query("SELECT installation FROM devices")
            #expect(try rows.map { try $0[0, as: String.self] } == ["i1"])
        }
    }

    @Test func appDeletionWaitsForRegistrationsAndDeletesTheirDevices() async throws {
        try await DeviceFixture.run { bench in
            let (pool, app) = (bench.pool, bench.app)
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await pool.transaction { connection in
                    try await connection.insertDevices(1...1, of: app)
                    group.addTask { try await pool.execute("DELETE FROM apps WHERE id = \(app)") }
                    // The deletion waits for the lock of the insertion.
                    let waiting: PostgresQuery = "SELECT FROM pg_locks WHERE NOT granted"
                    while try await pool.query(waiting).isEmpty {}
                }
                try await group.waitForAll()
            }
            #expect(try await pool.query("SELECT FROM devices").isEmpty)
            #expect(try await pool.query("SELECT FROM device_activity").isEmpty)
        }
    }

    @Test func unchangedRegistrationWritesNothing() async throws {
        try await DeviceFixture.run { bench in
            let registration = try Registration.make("i1", app: bench.app)
            let first = try await bench.registrations.store([registration])
            let versions: PostgresQuery = """
                SELECT d.ctid::text || d.xmax::text || a.ctid::text || a.xmax::text
                FROM devices d, device_activity a
                """
            let before: String = try await bench.pool.query(versions)[0][0]
            #expect(try await bench.registrations.store([registration]).map(\.id) == first.map(\.id))
            #expect(try await bench.pool.query(versions)[0][0] as String == before)
        }
    }

    @Test func deviceIsSeenOnceADay() async throws {
        try await DeviceFixture.run { bench in
            let registration = try Registration.make("i1", app: bench.app)
            _ = try await bench.registrations.store([registration])
            try await bench.pool.execute("UPDATE device_activity SET last_seen_at = now() - interval '25 hours'")
            _ = try await bench.registrations.store([registration])
            let isToday: Bool = try await bench.pool.query(
                "SELECT last_seen_at > now() - interval '1 hour' FROM device_activity")[0][0]
            #expect(isToday)
        }
    }

    @Test func absentMembersDoNotChangeAndNullClears() async throws {
        try await DeviceFixture.run { bench in
            let first = try Registration.make("i1", app: bench.app) {
                $0.userID = .value("anna")
                $0.locale = .value("de")
                $0.model = .value("iPhone18,1")
            }
            let second = try Registration.make("i1", app: bench.app) {
                $0.userID = .null
                $0.locale = .value("fr")
            }
            _ = try await bench.registrations.store([first])
            _ = try await bench.registrations.store([second])
            let device = try #require(try await bench.devices.device(app: bench.app, DeviceAddress("i1")))
            #expect(device.userID == nil)
            #expect(device.locale == "fr")
            #expect(device.model == "iPhone18,1")
        }
    }

    @Test func tokenIsRedeferredFromItsPreviousOwner() async throws {
        try await DeviceFixture.run { bench in
            _ = try await bench.registrations.store([Registration.make("old", token: "aa", app: bench.app)])
            _ = try await bench.registrations.store([Registration.make("new", token: "aa", app: bench.app)])
            let old = try #require(try await bench.devices.device(app: bench.app, DeviceAddress("old")))
            let new = try #require(try await bench.devices.device(app: bench.app, DeviceAddress("new")))
            #expect(old.tokenEnding == nil)
            #expect(old.retiredReason == .tokenMoved)
            #expect(new.tokenEnding == "aa")
            #expect(new.retiredAt == nil)
        }
    }

    @Test func tokensAreSwappedInOneGroup() async throws {
        try await DeviceFixture.run { bench in
            _ = try await bench.registrations.store([
                Registration.make("a", token: "01", app: bench.app),
                Registration.make("b", token: "02", app: bench.app),
            ])
            _ = try await bench.registrations.store([
                Registration.make("a", token: "02", app: bench.app),
                Registration.make("b", token: "01", app: bench.app),
            ])
            #expect(try await bench.state(of: bench.app) == ["a|02|0|2|{}", "b|01|0|2|{}"])
        }
    }

    @Test func retiredDeviceIsRevivedByRegistration() async throws {
        try await DeviceFixture.run { bench in
            let registration = try Registration.make("i1", app: bench.app)
            let id = try await bench.registrations.store([registration])
            try await bench.pool.execute(
                """
                UPDATE devices SET retired_at = now(), retired_reason = 1,
                    token_registered_at = now() - interval '1 day'
                """)
            #expect(try await bench.registrations.store([registration]).map(\.id) == id.map(\.id))
            let device = try #require(try await bench.devices.device(app: bench.app, DeviceAddress("i1")))
            #expect(device.retiredAt == nil && device.retiredReason == nil)
            #expect(device.tokenRegisteredAt > Timestamp.now - .seconds(3600))
        }
    }

    @Test func changeWithoutTokenDoesNotRevive() async throws {
        try await DeviceFixture.run { bench in
            _ = try await bench.registrations.store([Registration.make("i1", app: bench.app)])
            try await bench.devices.remove(app: bench.app, DeviceAddress("i1"))
            let change = try Registration.make("i1", token: nil, app: bench.app, kind: .update, environment: nil) {
                $0.userID = .value("x")
            }
            _ = try await bench.registrations.store([change])
            let device = try #require(try await bench.devices.device(app: bench.app, DeviceAddress("i1")))
            #expect(device.retiredReason == .removed)
            #expect(device.tokenEnding == nil)
            #expect(device.userID == "x")
        }
    }

    @Test func changeOfAnUnknownDeviceHasNoEffect() async throws {
        try await DeviceFixture.run { bench in
            let outcomes = try await bench.registrations.store([
                Registration.make("a", token: "01", app: bench.app),
                Registration.make("ghost", token: "01", app: bench.app, kind: .update),
            ])
            #expect(outcomes[0].id != nil)
            #expect(outcomes[1] == .noDevice)
            #expect(try await bench.state(of: bench.app) == ["a|01|0|2|{}"])
        }
    }

    /// A group has the same result as its requests one after the other.
    @Test(arguments: 0..<6)
    func groupHasTheEffectOfSequentialRequests(seed: UInt64) async throws {
        try await DeviceFixture.run { bench in
            var random = SeededGenerator(seed: seed)
            let other = try await DeviceFixture.makeApp(bench.pool, "two")
            for _ in 0..<25 {
                var group: [Registration] = []
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    group.append(try Self.random(&random, app: bench.app))
                }
                let outcomes = try await bench.registrations.store(group)
                var alone: [RegistrationStore.Outcome] = []
                for request in group {
                    let same = Registration(
                        request.kind, app: other, address: request.address, changes: request.changes)
                    alone += try await bench.registrations.store([same])
                }
                #expect(outcomes.map { $0 == .noDevice } == alone.map { $0 == .noDevice })
                let state = try await bench.state(of: bench.app)
                #expect(try await bench.state(of: other) == state)
            }
        }
    }

    private static func random(_ random: inout SeededGenerator, app: App.ID) throws -> Registration {
        let isUpdate = Bool.random(using: &random)
        let hasToken = !isUpdate || Bool.random(using: &random)
        return try Registration.make(
            "i\(Int.random(in: 0..<4, using: &random))",
            token: hasToken ? "0\(Int.random(in: 1..<5, using: &random))" : nil, app: app,
            kind: isUpdate ? .update : .register, environment: isUpdate ? nil : .production
        ) {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: $0.userID = .null
            case 1: $0.userID = .value("u\(Int.random(in: 0..<9, using: &random))")
            default: break
            }
        }
    }
}
