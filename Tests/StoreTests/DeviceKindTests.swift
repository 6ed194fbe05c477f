import Campaigns
import Notifications
import Postgres
import StoreSupport
import Testing

@testable import Store

struct DeviceKindTests {
    private static let update = DeviceAddress("i1", kind: .liveActivityUpdate, activity: "A-1")

    @Test func eachKindAndActivityIsASeparateDevice() async throws {
        try await DeviceFixture.run { bench in
            let addresses = [
                DeviceAddress("i1"), DeviceAddress("i1", kind: .widget), Self.update,
                DeviceAddress("i1", kind: .liveActivityUpdate, activity: "A-2"), DeviceAddress("i2"),
            ]
            let group = try addresses.enumerated().map { index, address in
                try Registration.make("i1", token: "0\(index)", app: bench.app, address: address)
            }
            let first = try await bench.registrations.store(group)
            // In another order, one by one.
            var again: [RegistrationStore.Outcome] = []
            for registration in group.reversed() { again += try await bench.registrations.store([registration]) }

            #expect(Set(first.compactMap(\.id)).count == 5)
            #expect(again.reversed().map(\.id) == first.map(\.id))
            for (index, address) in addresses.enumerated() {
                let device = try #require(try await bench.devices.device(app: bench.app, address))
                #expect(device.address == address)
                #expect(device.tokenEnding == "0\(index)")
            }
            try await bench.devices.remove(app: bench.app, Self.update)
            let live = try await bench.pool.query("SELECT count(*) FROM devices WHERE retired_at IS NULL")
            #expect(try live[0][0] == 4)
        }
    }

    @Test func tokenRegisteredAsAnotherKindKeepsItsOwner() async throws {
        try await DeviceFixture.run { bench in
            _ = try await bench.registrations.store([Registration.make("i1", token: "aa", app: bench.app)])
            _ = try await bench.registrations.store([
                Registration.make("i1", token: "aa", app: bench.app, address: DeviceAddress("i1", kind: .voip))
            ])
            let old = try #require(try await bench.devices.device(app: bench.app, DeviceAddress("i1")))
            #expect(old.retiredReason == nil && old.tokenEnding == "aa")
        }
    }

    @Test func databaseAcceptsEveryKind() async throws {
        try await DeviceFixture.run { bench in
            for kind in DeviceKind.allCases {
                let activity = kind == .liveActivityUpdate ? "x" : ""
                let address = DeviceAddress("i1", kind: kind, activity: activity)
                _ = try await bench.registrations.store([
                    Registration.make("i1", token: "0\(kind.rawValue)", app: bench.app, address: address)
                ])
                #expect(DeviceKind(name: kind.name) == kind)
            }
            #expect(try await bench.pool.query("SELECT count(*) FROM devices")[0][0] == 10)
        }
    }

    @Test func deviceValuesAreStoredReplacedAndCleared() async throws {
        try await DeviceFixture.run { bench in
            func device() async throws -> DeviceRecord {
                try #require(try await bench.devices.device(app: bench.app, DeviceAddress("i1")))
            }
            let full = try Registration.make("i1", app: bench.app) {
                $0.settings = Array(#"{"sound":"disabled"}"#.utf8)
                $0.profile.tags = .replace(["a b", "vip"])
                $0.profile.optOuts = .replace(["news", "offers"])
                $0.isTest = true
                $0.nickname = .value("Anna's phone")
            }
            _ = try await bench.registrations.store([full])
            let stored = try await device()
            #expect(stored.settings.text == #"{"sound": "disabled"}"#)
            #expect(stored.tags == ["a b", "vip"])
            #expect(stored.optOuts == ["news", "offers"])
            #expect(stored.isTest && stored.nickname == "Anna's phone")

            // Absent members do not change.
            _ = try await bench.registrations.store([Registration.make("i1", app: bench.app)])
            let kept = try await device()
            #expect(kept.tags == stored.tags && kept.optOuts == stored.optOuts && kept.isTest)
            #expect(kept.nickname == stored.nickname && kept.settings == stored.settings)

            let cleared = try Registration.make("i1", token: nil, app: bench.app, kind: .update, environment: nil) {
                $0.settings = Array("{}".utf8)
                $0.profile.tags = .replace([])
                $0.profile.optOuts = .replace([])
                $0.isTest = false
                $0.nickname = .null
            }
            _ = try await bench.registrations.store([cleared])
            let empty = try await device()
            #expect(empty.tags.isEmpty && empty.optOuts.isEmpty && !empty.isTest && empty.nickname == nil)
            #expect(empty.settings.text == "{}")
        }
    }

    @Test func unchangedRegistrationOfEverythingWritesNothing() async throws {
        try await DeviceFixture.run { bench in
            let registration = try Registration.make(
                "i1", app: bench.app, attributes: #"{"a":1}"#, address: Self.update
            ) {
                $0.userID = .value("anna")
                $0.settings = Array(#"{"sound":"disabled"}"#.utf8)
                $0.profile.tags = .replace(["vip"])
                $0.profile.optOuts = .replace(["offers"])
                $0.isTest = true
                $0.nickname = .value("phone")
                $0.profile.attributes = .replace(
                    DeviceAttributes(text: Array(#"{"a":1}"#.utf8), lengths: [.init("a", 1)]))
            }
            let store = bench.registrations
            let first = try await store.store([registration])
            let versions: PostgresQuery = """
                SELECT d.ctid::text || d.xmax::text || a.ctid::text || a.xmax::text
                    || (SELECT string_agg(k.ctid::text || k.xmax::text, '' ORDER BY name) FROM known_attributes k)
                FROM devices d, device_activity a
                """
            let before: String = try await bench.pool.query(versions)[0][0]
            #expect(try await store.store([registration]).map(\.id) == first.map(\.id))
            #expect(try await bench.pool.query(versions)[0][0] as String == before)
        }
    }
}
