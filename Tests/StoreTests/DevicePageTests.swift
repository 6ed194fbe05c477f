import Campaigns
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

struct DevicePageTests {
    @Test func filtersAreApplied() async throws {
        try await DeviceFixture.run { bench in
            func add(_ index: Int, kind: DeviceKind = .alert, _ change: (inout DeviceChanges) -> Void) async throws {
                _ = try await bench.registrations.store([
                    Registration.make(
                        "", token: "0\(index)", app: bench.app, address: DeviceAddress("i\(index)", kind: kind), change)
                ])
            }
            try await add(1) { $0.profile.tags = .replace(["vip", "beta"]) }
            try await add(2) { $0.userID = .value("anna") }
            try await add(3, kind: .widget) { $0.profile.tags = .replace(["vip"]) }
            try await add(4) {
                $0.isTest = true
                $0.userID = .value("anna")
            }
            try await bench.devices.remove(app: bench.app, DeviceAddress("i2"))
            func found(_ change: (inout DeviceFilter) -> Void) async throws -> [String] {
                var filter = DeviceFilter()
                change(&filter)
                let page = try await bench.devices.devices(app: bench.app, filter, after: nil, limit: 10)
                #expect(page.next == nil)
                return page.entries.map(\.device.address.installation)
            }

            #expect(try await found { _ in } == ["i1", "i2", "i3", "i4"])
            #expect(try await found { $0.tag = "vip" } == ["i1", "i3"])
            #expect(try await found { $0.tag = "VIP" } == [])
            #expect(try await found { $0.kind = .widget } == ["i3"])
            #expect(try await found { $0.userID = "anna" } == ["i2", "i4"])
            #expect(try await found { $0.isTest = true } == ["i4"])
            #expect(try await found { $0.isTest = false } == ["i1", "i2", "i3"])
            #expect(try await found { $0.isLive = true } == ["i1", "i3", "i4"])
            #expect(
                try await found {
                    $0.tag = "vip"
                    $0.kind = .alert
                } == ["i1"])
        }
    }

    @Test func tokenIsReturnedOnlyWhenRequested() async throws {
        try await DeviceFixture.run { bench in
            _ = try await bench.registrations.store([Registration.make("i1", token: "aabb", app: bench.app)])
            let without = try await bench.devices.devices(app: bench.app, after: nil, limit: 1)
            #expect(without.entries[0].token == nil)
            let with = try await bench.devices.devices(app: bench.app, after: nil, limit: 1, withTokens: true)
            #expect(with.entries[0].token?.hex == "aabb")
        }
    }

    /// A page scans a limited number of devices for a rare tag.
    @Test func pagesOfARareTagAreShortAndReachTheEnd() async throws {
        try await DeviceFixture.run { bench in
            let looks = DeviceStore.scanLimit
            try await bench.pool.insertDevices(
                1...looks + 10, of: bench.app,
                ["tags": "CASE WHEN n IN (3, \(looks + 5)) THEN '{rare}' ELSE '{}' END::text[]"])
            var filter = DeviceFilter()
            filter.tag = "rare"
            let first = try await bench.devices.devices(app: bench.app, filter, after: nil, limit: 10)
            #expect(first.entries.map(\.device.address.installation) == ["3"])
            let next = try #require(first.next)
            let second = try await bench.devices.devices(app: bench.app, filter, after: next, limit: 10)
            #expect(second.entries.map(\.device.address.installation) == ["\(looks + 5)"])
            #expect(second.next == nil)
            let full = try await bench.devices.devices(app: bench.app, filter, after: nil, limit: 1)
            #expect(full.next == full.entries.last?.device.id)
        }
    }
}
