import Campaigns
import Notifications
import Postgres
import StoreSupport
import Testing

@testable import Store

struct PersonStoreTests {
    @Test func eraseDeletesOnlyThePersonsDevicesRepliesAndActivity() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app().id
            let other = try await fixture.app("com.example.Other").id
            let registrations = fixture.stores.registrations
            var ids: [String: Device.ID] = [:]
            func register(
                _ name: String, _ address: DeviceAddress, user: String?, app: App.ID, token: String
            ) async throws {
                let made = try await registrations.store([
                    Registration.make("", token: token, app: app, address: address) {
                        if let user { $0.userID = .value(user) }
                    }
                ])
                ids[name] = made[0].id
            }
            try await register("phone", DeviceAddress("p"), user: "anna", app: app, token: "01")
            try await register("pad", DeviceAddress("q"), user: "anna", app: app, token: "02")
            // The same installation, but its widget has no user id.
            try await register("widget", DeviceAddress("p", kind: .widget), user: nil, app: app, token: "03")
            try await register("lent", DeviceAddress("p", kind: .voip), user: "ben", app: app, token: "04")
            try await register("bens", DeviceAddress("r"), user: "ben", app: app, token: "05")
            try await register("elsewhere", DeviceAddress("p"), user: "anna", app: other, token: "01")
            for message in 1...3 {
                for device in ids.values {
                    try await fixture.pool.execute(
                        """
                        INSERT INTO events (app_id, message_number, device_id, kind, happened_at, text)
                        SELECT app_id, \(Int64(message)), id, 6, now(), 'yes' FROM devices WHERE id = \(device)
                        """)
                }
            }
            try await fixture.rememberReplies()

            #expect(try await fixture.stores.people.erase("anna", app: app) == 3)

            let left: Set<Device.ID> = Set(
                try await fixture.pool.query("SELECT id FROM devices").map { row in try row[0] })
            #expect(left == Set(["lent", "bens", "elsewhere"].compactMap { ids[$0] }))
            for table in [
                "SELECT device_id FROM events WHERE text IS NOT NULL", "SELECT device_id FROM device_activity",
            ] {
                let rows = try await fixture.pool.query(PostgresQuery(unescaped: table))
                #expect(Set(try rows.map { row -> Device.ID in try row[0] }) == left)
            }
            #expect(try await fixture.pool.query("SELECT count(*) FROM events")[0][0] == 18)
            #expect(try await fixture.stores.people.erase("anna", app: app) == 0)
        }
    }

    /// Replies to two messages, two to each.
    @Test func repliesThatADeviceReportedAreErased() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            var devices: [Device.ID] = []
            for (user, token) in [("anna", "01"), ("ben", "02")] {
                let made = try await fixture.stores.registrations.store([
                    Registration.make(user, token: token, app: app.id) { $0.userID = .value(user) }
                ])
                devices.append(try #require(made[0].id))
            }
            let campaign = try await fixture.campaign(of: app, state: .sending)
            for _ in 1...2 {
                let run = try await fixture.run(of: campaign, state: .finished)
                let runs = try await fixture.pool.query("SELECT message_number FROM run_variants WHERE run_id = \(run)")
                let number: Int64 = try runs[0][0]
                let replies = devices.flatMap { device in
                    ["a", "b"].map { action in
                        Acknowledgement(
                            index: 0, messageNumber: number, device: device, kind: .text, time: .receipt,
                            details: EventDetails(action: action, text: "I am \(device)"))
                    }
                }
                let counts = try await fixture.stores.acknowledgements.store([
                    AcknowledgementRequest(app: app.id, events: replies)
                ])
                #expect(counts[0].stored == 4)
            }

            #expect(try await fixture.stores.people.erase("anna", app: app.id) == 1)

            let left = try await fixture.pool.query("SELECT device_id, text FROM events WHERE text IS NOT NULL")
            #expect(try left.map { try $0[0] as Device.ID } == [Device.ID](repeating: devices[1], count: 4))
            #expect(try left.allSatisfy { try $0[1] == "I am \(devices[1])" })
        }
    }

    @Test func repliesTypedOnADeviceThatChangedHandsAreErasedWithTheirAuthor() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app().id
            func logIn(_ user: String) async throws -> Device.ID {
                let made = try await fixture.stores.registrations.store([
                    Registration.make("pad", token: "01", app: app) { $0.userID = .value(user) }
                ])
                return try #require(made[0].id)
            }
            func reply(_ text: String) async throws {
                try await fixture.pool.execute(
                    """
                    INSERT INTO events (app_id, message_number, device_id, kind, action, happened_at, text)
                    SELECT app_id, 1, id, 6, \(text), clock_timestamp(), \(text) FROM devices
                    """)
                try await fixture.rememberReplies()
            }
            _ = try await logIn("ada")
            try await reply("from ada")
            _ = try await logIn("bob")
            try await reply("from bob")
            let events = EventStore(pool: fixture.pool)
            func replies(_ search: String? = nil) async throws -> [String] {
                try await events.replies(app: app, EventFilter(), search: search, before: nil, limit: 9)
                    .map { "\($0.userID ?? "-"): \($0.text ?? "")" }
            }
            #expect(try await replies() == ["bob: from bob", "ada: from ada"])
            #expect(try await replies("ada") == ["ada: from ada"])
            #expect(try await replies("bob") == ["bob: from bob"])
            #expect(try await fixture.stores.people.erase("ada", app: app) == 0)
            #expect(try await replies() == ["bob: from bob"])
        }
    }

    @Test func devicesRegisterWhileRepliesAreErased() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app().id
            let registrations = fixture.stores.registrations
            func register(_ name: String, token: String, user: String) async throws {
                let made = try await registrations.store([
                    Registration.make(name, token: token, app: app) { $0.userID = .value(user) }
                ])
                #expect(made[0].id != nil)
            }
            try await register("phone", token: "01", user: "anna")
            try await fixture.pool.execute(
                """
                INSERT INTO events (app_id, message_number, device_id, kind, happened_at, text)
                SELECT app_id, 1, id, 6, now(), 'yes' FROM devices
                """)
            try await fixture.rememberReplies()
            let people = fixture.stores.people
            try await fixture.pool.withConnection { connection in
                try await connection.execute("BEGIN")
                try await connection.execute("SELECT FROM events FOR UPDATE")
                async let erased = people.erase("anna", app: app)
                // Not in the transaction, which sees the activity of its first look only.
                while try await fixture.pool.query(
                    """
                    SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
                    WHERE NOT granted AND locktype = 'transactionid' AND datname = current_database()
                    """
                ).isEmpty {
                    await Task.yield()
                }
                try await register("pad", token: "02", user: "ben")
                try await connection.execute("COMMIT")
                #expect(try await erased == 1)
            }
            #expect(try await fixture.pool.query("SELECT user_id FROM devices")[0][0] == "ben")
            #expect(try await fixture.pool.query("SELECT FROM events WHERE text IS NOT NULL").isEmpty)
        }
    }

    @Test func totalsAndDeliveriesRemainAfterErase() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            var ids: [Int64] = []
            for index in 0..<4 {
                let made = try await fixture.stores.registrations.store([
                    Registration.make("i\(index)", token: "0\(index)", app: app.id) {
                        $0.userID = .value(index == 2 ? "anna" : "ben")
                    }
                ])
                ids.append(try #require(made[0].id).rawValue)
            }
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            try await fixture.batch(of: run, app: app.id, first: ids[0], outcomes: [1, 10, 45, 5])
            let before = try await fixture.runs.find(run, app: app.id)
            let count: PostgresQuery = """
                SELECT count(*), count(DISTINCT device_id), count(*) FILTER (WHERE outcome = 'rejected') FROM bi.deliveries
                WHERE run_id = \(run)
                """

            #expect(try await fixture.stores.people.erase("anna", app: app.id) == 1)

            let after = try await fixture.runs.find(run, app: app.id)
            #expect(after == before && after.targeted == 4 && after.isBalanced)
            let row = try await fixture.pool.query(count)[0]
            #expect(try row[0] == 4 && row[1] == 4 && row[2] == 1)
            let page = try await fixture.runs.deliveries(
                run, app: app.id, DeliveryFilter(), from: nil, limit: 10)
            #expect(page.deliveries.map(\.device.rawValue) == ids)
            #expect(page.deliveries.map(\.installation) == ["i0", "i1", nil, "i3"])
            #expect(page.deliveries[2].userID == nil)
        }
    }
}
