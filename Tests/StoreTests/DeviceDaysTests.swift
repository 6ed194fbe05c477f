import Campaigns
import Notifications
import Postgres
import StoreSupport
import Testing

@testable import Store

/// Each statement that writes devices counts what it changes.
@Suite struct DeviceDaysTests {
    private struct Counts: Equatable {
        var new = 0
        var retired = 0
        var registeredAgain = 0
        var active = 0
    }

    private static func counts(_ fixture: StoreFixture) async throws -> Counts {
        let sums = try await fixture.pool.query(
            """
            SELECT sum(count) FILTER (WHERE measure = 1)::bigint, sum(count) FILTER (WHERE measure = 2)::bigint,
                sum(count) FILTER (WHERE measure = 3)::bigint, sum(count) FILTER (WHERE measure = 4)::bigint
            FROM device_days
            """)[0]
        return Counts(
            new: try sums[0] ?? 0, retired: try sums[1] ?? 0, registeredAgain: try sums[2] ?? 0,
            active: try sums[3] ?? 0)
    }

    @Test func everyOperationOnDevicesCountsWhatItChanges() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let stores = fixture.stores
            var expected = Counts()
            /// Does something with devices, and compares the counts with what is expected, and with the rows.
            func after(
                _ operation: String, _ change: (inout Counts) -> Void = { _ in },
                do body: () async throws -> Void
            ) async throws {
                try await body()
                change(&expected)
                #expect(try await Self.counts(fixture) == expected, "\(operation)")
                let rows = try await fixture.pool.query(
                    "SELECT count(*), count(*) FILTER (WHERE retired_at IS NOT NULL) FROM devices")[0]
                #expect(try expected.new == rows[0] as Int, "\(operation)")
                #expect(try expected.retired - expected.registeredAgain == rows[1] as Int, "\(operation)")
            }
            func register(
                _ names: [String], tokens: [String]? = nil, terms: ImportTerms? = nil,
                _ change: (inout DeviceChanges) -> Void = { _ in }
            ) async throws {
                let registrations = try zip(names, tokens ?? names).map { name, token in
                    let made = try Registration.make(name, token: "0\(token)", app: app.id, change)
                    return Registration(
                        .register, app: app.id, address: made.address, changes: made.changes, terms: terms)
                }
                _ = try await stores.registrations.store(registrations)
            }
            func id(_ name: String) async throws -> Int64 {
                try await fixture.pool.query("SELECT id FROM devices WHERE installation = \(name)")[0][0]
            }
            /// Devices were seen yesterday, not today.
            func age() async throws {
                try await fixture.pool.execute(
                    """
                    UPDATE device_activity SET last_seen_at = now() - interval '25 hours'
                    """)
                try await fixture.pool.execute(
                    "UPDATE devices SET token_registered_at = now() - interval '25 hours'")
            }

            try await after(
                "new devices",
                {
                    $0.new += 4; $0.active += 4
                }
            ) { try await register(["1", "2", "3", "4"]) }
            try await after("unchanged") { try await register(["1", "2"]) }
            try await after("changed") { try await register(["1"]) { $0.userID = .value("ada") } }
            try await after(
                "the token moves, the old owner retires",
                {
                    $0.new += 1; $0.active += 1; $0.retired += 1
                }
            ) {
                try await register(["5"], tokens: ["4"])
            }
            try await after(
                "more new devices",
                {
                    $0.new += 2; $0.active += 2
                }
            ) {
                try await register(["6", "7"])
            }
            try await after("an old owner gets a new token", { $0.registeredAgain += 1 }) {
                try await register(["4"], tokens: ["8"])
            }
            // Each is released from its owner before the other takes it.
            try await after(
                "tokens are exchanged",
                {
                    $0.retired += 2
                    $0.registeredAgain += 2
                }
            ) { try await register(["6", "7"], tokens: ["7", "6"]) }
            try await after("removed", { $0.retired += 1 }) {
                try await stores.devices.remove(app: app.id, DeviceAddress("2"))
            }
            try await after("removed twice") { try await stores.devices.remove(app: app.id, DeviceAddress("2")) }
            try await after("registered after the removal", { $0.registeredAgain += 1 }) { try await register(["2"]) }

            try await age()
            try await after("registered on another day", { $0.active += 2 }) { try await register(["1", "2"]) }
            try await after("registered twice on that day") { try await register(["1", "2"]) }
            let seen = try await id("3")
            for times in 0..<2 {
                try await after("acknowledged", { $0.active += times == 0 ? 1 : 0 }) {
                    _ = try await stores.acknowledgements.store([
                        AcknowledgementRequest(
                            app: app.id,
                            events: [
                                Acknowledgement(
                                    index: 0, messageNumber: Int64(times + 1), device: Device.ID(rawValue: seen),
                                    kind: .delivered, time: .receipt, details: nil)
                            ])
                    ])
                }
            }
            try await after("logged out") { _ = try await stores.devices.logOut(app: app.id, installation: "1") }
            try await after("a person changes") {
                try await register(["1"]) { $0.userID = .value("ada") }
                var changes = ProfileChanges()
                changes.tags = .replace(["vip"])
                _ = try await stores.people.update("ada", app: app.id, by: changes)
            }

            try await age()
            let gone = try await id("5")
            for times in 0..<2 {
                try await after("Apple says that it is gone", { $0.retired += times == 0 ? 1 : 0 }) {
                    _ = try await stores.retiring.retire(
                        [
                            DeviceRetirementStore.InvalidatedToken(
                                device: gone, since: Timestamp.now.microseconds / 1_000, reason: .unregistered)
                        ], app: app.id)
                }
            }
            let run = try await fixture.run(of: fixture.campaign(of: app))
            let (accepted, refused) = (try await id("6"), try await id("7"))
            try await fixture.batch(of: run, app: app.id, first: accepted, outcomes: [0, 0])
            let batch = try ClaimedBatch(
                try await fixture.pool.query("SELECT \(ClaimedBatch.columns) FROM batches b")[0])
            try await after("a probe of environments", { $0.retired += 1 }) {
                try await stores.retiring.resolveEnvironmentProbe(of: batch, accepted: [accepted], refused: [refused])
            }
            try await after(
                "a file",
                {
                    $0.new += 1; $0.active += 1
                }
            ) {
                try await register(["9"], terms: ImportTerms())
            }
        }
    }

    @Test func countsOfADayAreRead() async throws {
        try await DeviceFixture.run { bench in
            func register(_ names: [String]) async throws {
                _ = try await bench.registrations.store(
                    names.map { try Registration.make($0, token: "0\($0)", app: bench.app) })
            }
            try await register(["1", "2", "3"])
            for name in ["1", "2"] { try await bench.devices.remove(app: bench.app, DeviceAddress(name)) }
            try await register(["1"])
            let days = try await bench.stores.statistics.deviceDays(
                app: bench.app, since: .now - .seconds(86_400), until: .now + .seconds(1))
            let day = try #require(days.first)
            #expect(days.count == 1 && day.new == 3 && day.active == 3)
            #expect(day.retired == 2 && day.registeredAgain == 1)
        }
    }
}
