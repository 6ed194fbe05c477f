import Campaigns
import Notifications
import Postgres
import StoreSupport
import Testing

@testable import Store

struct KnownAttributesTests {
    private static func registration(
        _ installation: String = "i1", app: App.ID, _ lengths: [(String, Int)], userID: String? = nil
    ) throws -> Registration {
        try Registration.make(installation, token: nil, app: app, kind: .update, environment: nil) {
            $0.profile.attributes = .replace(
                DeviceAttributes(text: Array("{}".utf8), lengths: lengths.map { .init($0.0, $0.1) }))
            if let userID { $0.userID = .value(userID) }
        }
    }

    private static func known(_ bench: DeviceFixture) async throws -> [String: Int] {
        let rows = try await bench.pool.query("SELECT name, longest FROM known_attributes WHERE app_id = \(bench.app)")
        return Dictionary(
            uniqueKeysWithValues: try rows.map { row in (try row[0] as String, Int(try row[1] as Int32)) })
    }

    /// Runs with two devices, i1 and i2, without values.
    private static func run(_ body: @escaping (DeviceFixture) async throws -> Void) async throws {
        try await DeviceFixture.run { bench in
            _ = try await bench.registrations.store([
                Registration.make("i1", token: "01", app: bench.app),
                Registration.make("i2", token: "02", app: bench.app),
            ])
            try await body(bench)
        }
    }

    @Test func greatestLengthNeverDecreases() async throws {
        try await Self.run { bench in
            let store = bench.registrations
            _ = try await store.store([
                Self.registration(app: bench.app, [("plan", 4), ("city", 9)], userID: "anna"),
                Self.registration("i2", app: bench.app, [("plan", 7)], userID: "a\"b"),
            ])
            #expect(try await Self.known(bench) == ["plan": 7, "city": 9, "$user_id": 4])

            _ = try await store.store([Self.registration(app: bench.app, [("plan", 1), ("city", 10)])])
            #expect(try await Self.known(bench) == ["plan": 7, "city": 10, "$user_id": 4])
        }
    }

    @Test func emptyValueStoresItsName() async throws {
        try await Self.run { bench in
            _ = try await bench.registrations.store([Self.registration(app: bench.app, [("middle_name", 0)])])
            #expect(try await Self.known(bench) == ["middle_name": 0])
        }
    }

    @Test func outdatedCacheDoesNotReduceLengths() async throws {
        try await Self.run { bench in
            let (first, second) = (bench.registrations, bench.registrations)
            _ = try await second.store([Self.registration(app: bench.app, [("plan", 1)])])
            _ = try await first.store([Self.registration(app: bench.app, [("plan", 9)])])
            _ = try await second.store([Self.registration(app: bench.app, [("plan", 5)])])
            #expect(try await Self.known(bench) == ["plan": 9])
        }
    }

    @Test func changeWithoutDeviceStoresNoAttributes() async throws {
        try await Self.run { bench in
            _ = try await bench.registrations.store([Self.registration("i9", app: bench.app, [("plan", 9)])])
            #expect(try await Self.known(bench).isEmpty)
        }
    }

    @Test func namesAreStoredUpToTheLimit() async throws {
        try await Self.run { bench in
            let store = bench.registrations
            let limit = KnownAttributes.maximumNames
            for start in stride(from: 0, to: limit + 50, by: 50) {
                let lengths = (start..<start + 50).map { ("name\($0)", 1) }
                _ = try await store.store([Self.registration(app: bench.app, lengths, userID: "anna")])
            }
            #expect(try await Self.known(bench).count == limit + 1)
            // Lengths of known names and of Belfry's own fields still increase.
            _ = try await store.store([Self.registration(app: bench.app, [("name0", 3)], userID: "annabel")])
            let known = try await Self.known(bench)
            #expect(known["name0"] == 3 && known["$user_id"] == 7)
            // The same for a process that reads them from the table.
            _ = try await bench.registrations.store([Self.registration(app: bench.app, [("other", 3), ("name1", 2)])])
            #expect(try await Self.known(bench)["other"] == nil)
            #expect(try await Self.known(bench)["name1"] == 2)
        }
    }
}
