import Postgres
import Store
import StoreSupport
import TestSupport
import Testing

/// Devices of tests are as they were asked for.
struct TestDevicesTests {
    @Test func devicesHaveIDsInTheOrderOfTheirNumbersAndTheColumnsGiven() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app().id
            let ids = try await fixture.pool.insertDevices(9...11, of: app, ["locale": "'l' || n"])
            let last = try await fixture.pool.insertDevice("last", of: "\(app)", ["tags": "\(["vip"])"])
            try await fixture.pool.changeDevices("user_id = 'ada'", where: "id = \(last)")

            #expect(ids == ids.sorted() && last > ids[2])
            let found = try await fixture.pool.query(
                "SELECT concat_ws(' ', installation, user_id, locale, tags) FROM devices ORDER BY id")
            #expect(try found.map { try $0[0] as String } == ["9 l9 {}", "10 l10 {}", "11 l11 {}", "last ada {vip}"])
            // Analysts see them like those that were registered.
            let profiles = try await fixture.pool.query(
                """
                SELECT concat_ws(' ', p.locale, p.tag_bits <> 0) FROM device_activity a
                JOIN profiles p ON p.app_id = a.app_id AND p.code = a.profile ORDER BY a.device_id
                """)
            #expect(try profiles.map { try $0[0] as String } == ["l9 f", "l10 f", "l11 f", " t"])
        }
    }
}
