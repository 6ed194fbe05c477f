import Campaigns
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

/// What an app states about its device counts in the order in which it was sent.
struct RegistrationOrderTests {
    private static let app = Timestamp.now.microseconds

    /// A statement of the whole state: the user, or nobody. `second` is when it was sent.
    private static func statement(_ user: String?, second: Int, _ bench: DeviceFixture) throws -> Registration {
        let made = try Registration.make("i", token: "aa", app: bench.app) {
            $0.userID = user.map { .value($0) } ?? .null
        }
        return Registration(
            made.kind, app: made.app, address: made.address, changes: made.changes, sentAt: time(second))
    }

    private static func time(_ second: Int) -> Instant {
        Instant(microseconds: app - 3_600_000_000 + Int64(second) * 1_000_000)
    }

    private static func user(_ bench: DeviceFixture) async throws -> String? {
        try await bench.pool.query("SELECT user_id FROM devices")[0][0]
    }

    @Test func logoutThatIsRepeatedAfterTheNextLoginChangesNothing() async throws {
        try await DeviceFixture.run { bench in
            for (user, second) in [("anna", 1), (nil, 2), ("ben", 3)] as [(String?, Int)] {
                _ = try await bench.registrations.store([try Self.statement(user, second: second, bench)])
            }
            let late = try await bench.registrations.store([try Self.statement(nil, second: 2, bench)])
            guard case .stored(let device) = late[0] else {
                Issue.record("not stored: \(late)")
                return
            }
            #expect(device.isOutdated && device.isRegistered)
            #expect(try await Self.user(bench) == "ben")
        }
    }

    /// The second login finds nothing to change, because the logout has not arrived. It must count all the same.
    @Test func logoutThatArrivesAfterAnUnchangedLoginIsOutdated() async throws {
        try await DeviceFixture.run { bench in
            for second in [1, 3] {
                _ = try await bench.registrations.store([try Self.statement("anna", second: second, bench)])
            }
            _ = try await bench.registrations.store([try Self.statement(nil, second: 2, bench)])
            #expect(try await Self.user(bench) == "anna")
        }
    }

    @Test func repeatedStatementWithItsTimeWritesNothing() async throws {
        try await DeviceFixture.run { bench in
            let statement = try Self.statement("anna", second: 1, bench)
            _ = try await bench.registrations.store([statement])
            let versions: PostgresQuery = """
                SELECT d.ctid::text || d.xmax::text || a.ctid::text || a.xmax::text FROM devices d, device_activity a
                """
            let before: String = try await bench.pool.query(versions)[0][0]
            _ = try await bench.registrations.store([statement])
            #expect(try await bench.pool.query(versions)[0][0] as String == before)
        }
    }

    /// A later time alone writes the narrow row, and not the device.
    @Test func laterTimeOfAnUnchangedStatementDoesNotWriteTheDevice() async throws {
        try await DeviceFixture.run { bench in
            _ = try await bench.registrations.store([try Self.statement("anna", second: 1, bench)])
            let version: PostgresQuery = "SELECT ctid::text || xmax::text FROM devices"
            let before: String = try await bench.pool.query(version)[0][0]
            _ = try await bench.registrations.store([try Self.statement("anna", second: 2, bench)])
            #expect(try await bench.pool.query(version)[0][0] as String == before)
        }
    }

    /// Whatever the order of arrival, with repetitions, alone or in groups: the last statement that was sent holds, once
    /// all have arrived.
    @Test(arguments: 0..<4)
    func lastStatementHoldsInEveryOrderOfArrival(seed: UInt64) async throws {
        try await DeviceFixture.run { bench in
            var random = SeededGenerator(seed: seed)
            for _ in 0..<25 {
                try await bench.pool.execute("DELETE FROM devices")
                let users = (0..<5).map { _ in ["anna", "ben", nil].randomElement(using: &random) ?? nil }
                var arrivals = Array(users.indices) + [Int.random(in: 0..<5, using: &random)]
                arrivals.shuffle(using: &random)
                while !arrivals.isEmpty {
                    let count = min(Int.random(in: 1...3, using: &random), arrivals.count)
                    let group = try arrivals.prefix(count).map { try Self.statement(users[$0], second: $0, bench) }
                    arrivals.removeFirst(count)
                    if count == 1, group[0].changes.userID == .null, Bool.random(using: &random),
                        try await !bench.pool.query("SELECT FROM devices").isEmpty
                    {
                        _ = try await bench.devices.logOut(app: bench.app, installation: "i", sentAt: group[0].sentAt)
                    } else {
                        _ = try await bench.registrations.store(group)
                    }
                }
                #expect(try await Self.user(bench) == users.last ?? nil)
            }
        }
    }

    /// A change of opt-outs alone, sent at `second`.
    private static func optOuts(_ change: SetChange, second: Int, _ bench: DeviceFixture) -> Registration {
        var changes = DeviceChanges()
        changes.profile.optOuts = change
        return Registration(
            .update, app: bench.app, address: DeviceAddress("i"), changes: changes, sentAt: time(second))
    }

    private static func optOuts(_ bench: DeviceFixture) async throws -> [String] {
        try await bench.pool.query("SELECT opt_outs FROM devices")[0][0]
    }

    /// A registration that says nothing of opt-outs has overtaken the request that does.
    @Test(arguments: [false, true])
    func lateOptOutCountsUnlessALaterRequestStatedOthers(isOneGroup: Bool) async throws {
        try await DeviceFixture.run { bench in
            func store(_ requests: [Registration]) async throws -> [Bool] {
                var outcomes: [RegistrationStore.Outcome] = []
                for group in isOneGroup ? [requests] : requests.map({ [$0] }) {
                    outcomes += try await bench.registrations.store(group)
                }
                return outcomes.map { if case .stored(let device) = $0 { device.isOutdated } else { false } }
            }
            let late = Self.optOuts(.edit(add: ["news"], remove: []), second: 2, bench)
            let overtaken = try await store([
                try Self.statement("anna", second: 1, bench), try Self.statement("anna", second: 3, bench), late,
            ])
            #expect(overtaken == [false, false, true])
            #expect(try await Self.optOuts(bench) == ["news"])

            // The person has consented again since; then the old request is repeated.
            let again = try await store([Self.optOuts(.edit(add: [], remove: ["news"]), second: 4, bench), late])
            #expect(again == [false, true])
            #expect(try await Self.optOuts(bench) == [])
            #expect(try await Self.user(bench) == "anna")
        }
    }

    /// Changes that say nothing of the user and the token overtake those that do.
    @Test(arguments: ["tags", "app_version", "opt_outs"])
    func laterChangeOfSomethingElseHoldsUpNoLogin(_ other: String) async throws {
        try await DeviceFixture.run { bench in
            func change(second: Int) -> Registration {
                var changes = DeviceChanges()
                switch other {
                case "tags": changes.profile.tags = .edit(add: ["x"], remove: [])
                case "opt_outs": changes.profile.optOuts = .edit(add: ["x"], remove: [])
                default: changes.appVersion = .value("4.2")
                }
                return Registration(
                    .update, app: bench.app, address: DeviceAddress("i"), changes: changes, sentAt: Self.time(second))
            }
            _ = try await bench.registrations.store([try Self.statement("anna", second: 1, bench)])
            _ = try await bench.registrations.store([change(second: 3)])
            // A logout, a login, and a removal that were sent before it.
            let logout = try await bench.devices.logOut(
                app: bench.app, installation: "i", user: "anna", sentAt: Self.time(2))
            #expect(logout == DeviceStore.Logout(loggedOut: 1, isOutdated: false))
            _ = try await bench.registrations.store([change(second: 6)])
            _ = try await bench.registrations.store([try Self.statement("ben", second: 5, bench)])
            #expect(try await Self.user(bench) == "ben")
            _ = try await bench.registrations.store([try Self.statement("anna", second: 4, bench)])
            #expect(try await Self.user(bench) == "ben")
            _ = try await bench.registrations.store([change(second: 9)])
            #expect(try await bench.devices.remove(app: bench.app, DeviceAddress("i"), sentAt: Self.time(8)))
        }
    }

    /// What overtook it stays: a late login brings its user and its token, and nothing else.
    @Test func lateLoginChangesOnlyUserAndToken() async throws {
        try await DeviceFixture.run { bench in
            _ = try await bench.registrations.store([try Self.statement("anna", second: 1, bench)])
            var changes = DeviceChanges()
            changes.appVersion = .value("4.2")
            _ = try await bench.registrations.store([
                Registration(
                    .update, app: bench.app, address: DeviceAddress("i"), changes: changes, sentAt: Self.time(3))
            ])
            let login = try Registration.make("i", token: "bb", app: bench.app) {
                $0.userID = .value("ben")
                $0.appVersion = .value("4.1")
            }
            _ = try await bench.registrations.store([
                Registration(
                    login.kind, app: login.app, address: login.address, changes: login.changes, sentAt: Self.time(2))
            ])
            let row = try await bench.pool.query("SELECT user_id, encode(token, 'hex'), app_version FROM devices")[0]
            #expect(try row[0] == "ben" && row[1] == "bb" && row[2] == "4.2")
        }
    }

    /// Opt-outs from several topics arrive in another order, and a server has added one meanwhile.
    @Test func lateOptOutsAddUpAndRemoveNothing() async throws {
        try await DeviceFixture.run { bench in
            _ = try await bench.registrations.store([try Self.statement("anna", second: 1, bench)])
            _ = try await bench.registrations.store([Self.optOuts(.edit(add: ["offers"], remove: []), second: 4, bench)]
            )
            _ = try await bench.registrations.store([Self.optOuts(.edit(add: ["news"], remove: []), second: 2, bench)])
            #expect(try await Self.optOuts(bench) == ["news", "offers"])
            for late in [SetChange.replace([]), .edit(add: [], remove: ["news"])] {
                _ = try await bench.registrations.store([Self.optOuts(late, second: 3, bench)])
            }
            #expect(try await Self.optOuts(bench) == ["news", "offers"])
            // A list is the whole consent: an older opt-out does not add to it.
            _ = try await bench.registrations.store([Self.optOuts(.replace(["offers"]), second: 6, bench)])
            _ = try await bench.registrations.store([Self.optOuts(.edit(add: ["tips"], remove: []), second: 5, bench)])
            #expect(try await Self.optOuts(bench) == ["offers"])
        }
    }

    /// A person's opt-out that was overtaken is theirs, unless another person has the device now and it names nobody.
    @Test func latePersonalOptOutIsOfThePersonOfThatTime() async throws {
        try await DeviceFixture.run { bench in
            func optOut(_ topic: String, of user: String?, second: Int) -> Registration {
                var changes = DeviceChanges()
                changes.userID = user.map { .value($0) } ?? .absent
                var person = ProfileChanges()
                person.optOuts = .edit(add: [topic], remove: [])
                return Registration(
                    .update, app: bench.app, address: DeviceAddress("i"), changes: changes, person: person,
                    sentAt: Self.time(second))
            }
            func people() async throws -> [String] {
                try await bench.pool.query("SELECT user_id || ' ' || opt_outs::text FROM people ORDER BY 1")
                    .map { try $0[0] }
            }
            _ = try await bench.registrations.store([try Self.statement("anna", second: 1, bench)])
            _ = try await bench.registrations.store([Self.optOuts(.edit(add: ["x"], remove: []), second: 3, bench)])
            _ = try await bench.registrations.store([optOut("news", of: nil, second: 2)])
            #expect(try await people() == ["anna {news}"])
            _ = try await bench.registrations.store([try Self.statement("ben", second: 6, bench)])
            _ = try await bench.registrations.store([optOut("offers", of: "anna", second: 5)])
            _ = try await bench.registrations.store([optOut("tips", of: nil, second: 4)])
            #expect(try await people() == ["anna {news,offers}"])
            #expect(try await Self.user(bench) == "ben")
        }
    }

    @Test func removalAndRegistrationAreOrdered() async throws {
        try await DeviceFixture.run { bench in
            let address = DeviceAddress("i")
            _ = try await bench.registrations.store([try Self.statement("anna", second: 1, bench)])
            _ = try await bench.registrations.store([try Self.statement("anna", second: 3, bench)])
            #expect(try await !bench.devices.remove(app: bench.app, address, sentAt: Self.time(2)))
            #expect(try await bench.devices.device(app: bench.app, address)?.retiredAt == nil)

            #expect(try await bench.devices.remove(app: bench.app, address, sentAt: Self.time(5)))
            _ = try await bench.registrations.store([try Self.statement("anna", second: 4, bench)])
            #expect(try await bench.devices.device(app: bench.app, address)?.retiredReason == .removed)
            _ = try await bench.registrations.store([try Self.statement("anna", second: 6, bench)])
            #expect(try await bench.devices.device(app: bench.app, address)?.retiredAt == nil)
        }
    }

    @Test func logoutIsOfAllTokensOfTheInstallationAndOnlyOfItsUser() async throws {
        try await DeviceFixture.run { bench in
            for (kind, token) in [(DeviceKind.alert, "01"), (.voip, "02")] {
                let address = DeviceAddress("i", kind: kind)
                _ = try await bench.registrations.store([
                    try Registration.make("i", token: token, app: bench.app, address: address) {
                        $0.userID = .value("ben")
                    }
                ])
            }
            let ofAnna = try await bench.devices.logOut(app: bench.app, installation: "i", user: "anna")
            #expect(ofAnna == DeviceStore.Logout(loggedOut: 0, isOutdated: false))
            let ofBen = try await bench.devices.logOut(app: bench.app, installation: "i", user: "ben")
            #expect(ofBen == DeviceStore.Logout(loggedOut: 2, isOutdated: false))
            await #expect(throws: Refusal.notFound(.device)) {
                try await bench.devices.logOut(app: bench.app, installation: "unknown")
            }
        }
    }

    /// The app registers several kinds of tokens. One of the requests comes after the logout and makes a new row, which has
    /// no order of its own yet.
    @Test func lateFirstTokenOfAnotherKindBringsNobodyBack() async throws {
        try await DeviceFixture.run { bench in
            func token(_ kind: DeviceKind, _ user: String?, second: Int) throws -> Registration {
                let made = try Registration.make(
                    "i", token: "0\(kind.rawValue)", app: bench.app, address: DeviceAddress("i", kind: kind)
                ) {
                    $0.userID = user.map { .value($0) } ?? .null
                    $0.profile.tags = .replace(["mine"])
                }
                var person = ProfileChanges()
                person.tags = .edit(add: ["vip"], remove: [])
                person.optOuts = .edit(add: ["news"], remove: [])
                return Registration(
                    .register, app: bench.app, address: made.address, changes: made.changes, person: person,
                    sentAt: Self.time(second))
            }
            func users() async throws -> [String] {
                try await bench.pool.query("SELECT concat_ws(' ', kind, user_id, tags) FROM devices ORDER BY kind")
                    .map { try $0[0] }
            }
            _ = try await bench.registrations.store([try Self.statement("anna", second: 1, bench)])
            _ = try await bench.devices.logOut(app: bench.app, installation: "i", user: "anna", sentAt: Self.time(5))
            let late = try await bench.registrations.store([try token(.voip, "anna", second: 3)])
            #expect(late[0].id != nil)
            #expect(try await users() == ["0 {}", "1 {mine}"])
            // What she said no to holds; the rest of the person is of that time.
            let person = try await bench.pool.query("SELECT opt_outs, tags FROM people WHERE user_id = 'anna'")[0]
            #expect(try person[0] == ["news"] && person[1] == [String]())
            // Another late one finds the row, and a later login counts.
            _ = try await bench.registrations.store([try token(.voip, "anna", second: 4)])
            #expect(try await users() == ["0 {}", "1 {mine}"])
            _ = try await bench.registrations.store([try token(.voip, "ben", second: 6)])
            #expect(try await users() == ["0 {}", "1 ben {mine,vip}"])
        }
    }

    /// The other token was registered later with the same user, or the requests share a group.
    @Test func lateFirstTokenOfTheUserWhoIsThereCounts() async throws {
        try await DeviceFixture.run { bench in
            func token(_ kind: DeviceKind, second: Int) throws -> Registration {
                let made = try Registration.make(
                    "i", token: "0\(kind.rawValue)", app: bench.app, address: DeviceAddress("i", kind: kind)
                ) { $0.userID = .value("anna") }
                return Registration(
                    .register, app: bench.app, address: made.address, changes: made.changes, sentAt: Self.time(second))
            }
            _ = try await bench.registrations.store([try Self.statement("anna", second: 5, bench)])
            _ = try await bench.registrations.store([try token(.voip, second: 3), try token(.widget, second: 4)])
            let users = try await bench.pool.query("SELECT user_id FROM devices").map { try $0[0, as: String?.self] }
            #expect(users == ["anna", "anna", "anna"])
        }
    }

    @Test func tokenOfAnotherKindIsRefused() async throws {
        try await DeviceFixture.run { bench in
            let alert = try Registration.make("i", token: "01", app: bench.app)
            let voip = try Registration.make(
                "i", token: "01", app: bench.app, address: DeviceAddress("i", kind: .voip))
            let refused = RegistrationStore.Outcome.refused(.tokenOfAnotherKind(.alert, registered: .voip))
            // In one group, and against what is stored.
            #expect(try await bench.registrations.store([alert, voip])[1] == refused)
            #expect(try await bench.registrations.store([voip]) == [refused])
            #expect(try await bench.state(of: bench.app) == ["i|01|0|2|{}"])
            // A mistake can be mended.
            _ = try await bench.devices.remove(app: bench.app, DeviceAddress("i"))
            #expect(try await bench.registrations.store([voip])[0].id != nil)
        }
    }
}
