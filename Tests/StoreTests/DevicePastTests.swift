import Campaigns
import Notifications
import Postgres
import StoreSupport
import Testing

@testable import Store

/// Each statement that writes devices records their profiles and users.
struct DevicePastTests {
    /// What is known of a device: the profile, by the columns of `profiles`, and the user.
    private struct Look: Equatable {
        let profile: String
        let user: String?
    }

    private static let profile: PostgresQuery = "concat_ws(' ', p.locale, p.os_version, p.app_version, p.tag_bits)"

    /// By their ids, from the devices themselves.
    private static func present(_ bench: DeviceFixture) async throws -> [Int64: Look] {
        let rows = try await bench.pool.query(
            """
            SELECT d.id, d.user_id, \(profile) FROM devices d
            CROSS JOIN LATERAL (SELECT coalesce(d.locale, '') AS locale, coalesce(d.os_version, '') AS os_version,
                coalesce(d.app_version, '') AS app_version, tag_bits(d.app_id, d.tags) AS tag_bits) p
            """)
        return Dictionary(
            uniqueKeysWithValues: try rows.map { (try $0[0], Look(profile: try $0[2], user: try $0[1])) })
    }

    /// The same, from what was recorded.
    private static func recorded(_ bench: DeviceFixture, at moment: Timestamp) async throws -> [Int64: Look] {
        let rows = try await bench.pool.query(
            """
            SELECT d.id, user_at(d.app_id, d.id, \(moment)), \(profile) FROM devices d
            JOIN profiles p ON p.app_id = d.app_id AND p.code = profile_at(d.app_id, d.id, \(moment))
            """)
        return Dictionary(
            uniqueKeysWithValues: try rows.map { (try $0[0], Look(profile: try $0[2], user: try $0[1])) })
    }

    private static func now(_ bench: DeviceFixture) async throws -> Timestamp {
        try await bench.pool.query("SELECT clock_timestamp()")[0][0]
    }

    /// Of a token of two bytes.
    private static func digits(_ token: String) -> String { String(repeating: "0", count: 4 - token.count) + token }

    @Test func everyOperationOnDevicesKeepsWhatTheyWere() async throws {
        try await DeviceFixture.run { bench in
            /// `rows` have been added to the past by then.
            func after(_ operation: String, past rows: Int, do body: () async throws -> Void) async throws {
                let before = try await Self.present(bench)
                let moment = try await Self.now(bench)
                try await body()
                let after = try await Self.present(bench)
                #expect(try await Self.recorded(bench, at: try Self.now(bench)) == after, "\(operation)")
                let then = try await Self.recorded(bench, at: moment)
                for (device, look) in before where after[device] != nil {
                    #expect(then[device] == look, "\(operation)")
                }
                let past: Int = try await bench.pool.query("SELECT count(*) FROM device_past")[0][0]
                #expect(past == rows, "\(operation)")
            }
            func register(
                _ name: String, token: String? = nil, terms: ImportTerms? = nil,
                _ change: (inout DeviceChanges) -> Void = { _ in }
            ) async throws {
                let made = try Registration.make(name, token: Self.digits(token ?? name), app: bench.app, change)
                let outcomes = try await bench.registrations.store([
                    Registration(.register, app: bench.app, address: made.address, changes: made.changes, terms: terms)
                ])
                try #require(outcomes[0].id != nil)
            }
            func tag(own: TagEdit = TagEdit(), person: TagEdit = TagEdit()) async throws {
                let audience = Audience(include: .field(.locale, .text(.is("fr"))))
                let change = try await bench.stores.tagChanges.create(
                    app: bench.app, audience, ResolvedAudience(audience, segments: [:]), own: own, person: person)
                while try await bench.stores.tagChangeSteps.step(change.key) == .made {}
            }

            try await after("new", past: 0) {
                try await register("1") {
                    $0.locale = .value("de")
                    $0.profile.tags = .replace(["early"])
                }
                try await register("2")
            }
            try await after("unchanged", past: 0) { try await register("1") }
            try await after("a model", past: 0) { try await register("1") { $0.model = .value("iPhone17,1") } }
            try await after("a locale", past: 1) { try await register("1") { $0.locale = .value("fr") } }
            try await after("a version", past: 2) { try await register("1") { $0.appVersion = .value("4.2") } }
            try await after("a person with tags of their own", past: 2) {
                var changes = ProfileChanges()
                changes.tags = .replace(["vip"])
                _ = try await bench.stores.people.update("ada", app: bench.app, by: changes)
            }
            try await after("a login", past: 3) { try await register("1") { $0.userID = .value("ada") } }
            try await after("a change of the person", past: 4) {
                var changes = ProfileChanges()
                changes.tags = .replace(["gold", "vip"])
                _ = try await bench.stores.people.update("ada", app: bench.app, by: changes)
            }
            try await after("a change of tags", past: 5) { try await tag(own: TagEdit(add: ["late"])) }
            try await after("a change of people's tags", past: 6) { try await tag(person: TagEdit(remove: ["vip"])) }
            try await after("somebody else", past: 7) { try await register("1") { $0.userID = .value("ben") } }
            try await after("a logout", past: 8) {
                _ = try await bench.stores.devices.logOut(app: bench.app, installation: "1")
            }
            try await after("the token moves", past: 8) { try await register("2", token: "1") }
            try await after("a removal", past: 8) {
                try await bench.devices.remove(app: bench.app, DeviceAddress("2"))
            }
            try await after("devices of a file", past: 8) {
                try await register("3", terms: ImportTerms()) { $0.profile.tags = .replace(["moved"]) }
                try await register("4", terms: ImportTerms()) { $0.profile.tags = .replace(["moved"]) }
            }
            try await after("a new installation has the token of a file", past: 8) {
                try await register("5", token: "3")
            }
            try await after("an old installation has it", past: 9) { try await register("1", token: "4") }
            try await after("more devices of a person than the limit", past: 10) {
                let limit = Int(DeviceLimit.devicesPerUser)
                for number in 100...100 + limit {
                    try await register("\(number)", token: "\(number)") { $0.userID = .value("eve") }
                }
            }
        }
    }
}
