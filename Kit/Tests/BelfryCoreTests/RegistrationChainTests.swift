import Foundation
import Testing

@testable import BelfryCore

@Suite struct RegistrationChainTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func token(_ byte: UInt8 = 1) throws -> DeviceToken {
        try #require(DeviceToken(Data(repeating: byte, count: 32)))
    }

    private func chain(_ authorization: DeviceState.Authorization = .authorized) throws -> RegistrationChain {
        var chain = RegistrationChain()
        chain.register(try Self.token(), at: now)
        chain.update(DeviceState(environment: .production, authorization: authorization), at: now)
        return chain
    }

    private func start(_ chain: inout RegistrationChain) throws -> RegistrationChain.Request {
        let request = chain.next(at: now)
        return try #require(request)
    }

    /// Sends everything, and returns what was sent in a few words.
    private func drain(_ chain: inout RegistrationChain) -> [String] {
        var sent: [String] = []
        while let request = chain.next(at: now) {
            sent.append(words(request))
            chain.ended(request, succeeded: true)
        }
        return sent
    }

    private func words(_ request: RegistrationChain.Request) -> String {
        let user = request.members["user_id"]?.string
        return switch request.work {
        case .logOut: "log out \(user ?? "nobody")"
        case .update: "update of \(user ?? "nobody")"
        case .register(let kind): "\(kind.name) of \(user ?? "nobody")"
        }
    }

    @Test func nothingIsSentUntilTokenAndPermissionAreKnown() throws {
        var chain = RegistrationChain()
        #expect(chain.next(at: now) == nil)
        // iOS can hand out the token before the app has read the permission.
        chain.register(try Self.token(1), at: now)
        chain.logIn(User(id: "ada"), at: now)
        chain.register(try Self.token(2), at: now)
        #expect(chain.next(at: now) == nil)
        chain.update(DeviceState(environment: .production, authorization: .denied), at: now)
        let request = try start(&chain)
        let members = try #require(request.body.object)
        #expect(members["token"] == .string(try Self.token(2).hexadecimal))
        #expect(members["user_id"] == .string("ada") && members["authorization_status"] == .string("denied"))
        #expect(chain.next(at: now) == nil)
    }

    @Test func logoutDuringASlowPutIsTheLastWord() throws {
        var chain = try chain()
        chain.logIn(User(id: "ada"), at: now)
        let slow = try start(&chain)
        chain.logOut(at: now + 1)
        #expect(chain.next(at: now) == nil)
        chain.ended(slow, succeeded: true)
        let logout = try start(&chain)
        #expect(words(logout) == "log out ada" && logout.sentAt > slow.sentAt)
        chain.ended(logout, succeeded: true)
        let sent = drain(&chain)
        #expect(sent == ["alert of nobody"])
        #expect(chain.next(at: now) == nil)
    }

    @Test func failedPutIsNotRepeatedForThePersonWhoLoggedOut() throws {
        var chain = try chain()
        chain.logIn(User(id: "ada"), at: now)
        let failed = try start(&chain)
        chain.logOut(at: now + 1)
        chain.ended(failed, succeeded: false)
        let sent = drain(&chain)
        #expect(sent == ["log out ada", "alert of nobody"])
    }

    @Test func logoutIsOfThePersonWhoLeavesAndNotOfTheNext() throws {
        var chain = try chain()
        chain.logIn(User(id: "ada"), at: now)
        _ = drain(&chain)
        chain.logOut(at: now)
        chain.logIn(User(id: "grace", signature: "s"), at: now)
        let logout = try start(&chain)
        #expect(logout.body.object?["user_id"] == .string("ada"))
        chain.ended(logout, succeeded: true)
        let login = try start(&chain)
        #expect(login.sentAt > logout.sentAt)
        #expect(login.body.object?["user_id_signature"] == .string("s"))
    }

    @Test func anotherPersonWhoLogsInReplacesTheFirst() throws {
        var chain = try chain()
        chain.logIn(User(id: "ada"), at: now)
        _ = drain(&chain)
        chain.logIn(User(id: "grace"), at: now)
        let sent = drain(&chain)
        #expect(sent == ["log out ada", "alert of grace"])
    }

    @Test func eachKindOfTokenIsRegistered() throws {
        var chain = try chain()
        chain.register(try Self.token(2), as: .voip, at: now)
        let sent = drain(&chain)
        #expect(sent == ["alert of nobody", "voip of nobody"])
        chain.register(try Self.token(3), as: .voip, at: now)
        let later = drain(&chain)
        #expect(later.contains("voip of nobody"))
    }

    @Test func repeatedRequestKeepsItsTime() throws {
        var chain = try chain()
        let first = try start(&chain)
        chain.ended(first, succeeded: false)
        let request = try start(&chain)
        #expect(request.sentAt == first.sentAt)
    }

    @Test func lateAnswerToAnEarlierRequestChangesNothing() throws {
        var chain = try chain()
        let first = try start(&chain)
        chain.ended(first, succeeded: false)
        let second = try start(&chain)
        chain.ended(first, succeeded: false)
        #expect(chain.next(at: now) == nil)
        chain.ended(second, succeeded: true)
        #expect(chain.next(at: now) == nil)
    }

    @Test func firstLaunchIsOneRegistration() throws {
        var chain = try chain()
        let request = try start(&chain)
        chain.refresh(at: now + 1)
        chain.ended(request, succeeded: true)
        #expect(chain.next(at: now) == nil)
    }

    @Test func whatIsUnchangedIsSentAtALaunchAndNotBefore() throws {
        var chain = try chain()
        _ = drain(&chain)
        chain.register(try Self.token(), at: now + 1)
        chain.update(DeviceState(environment: .production, authorization: .authorized), at: now + 1)
        #expect(chain.next(at: now) == nil)
        chain.refresh(at: now + 2)
        let sent = drain(&chain)
        #expect(sent == ["alert of nobody"])
        chain.registerAgain()
        let later = drain(&chain)
        #expect(later == ["alert of nobody"])
    }

    // The server gives a device to a person only with its token, and an update that did so would undo the logout.
    @Test func updateOfAnEarlierPersonIsPrecededByTheirRegistrationAndFollowedByTheLatest() throws {
        for isKnown in [false, true] {
            var chain = try chain()
            if isKnown { _ = drain(&chain) }
            chain.logIn(User(id: "ada", signature: "s"), at: now)
            if isKnown { _ = drain(&chain) }
            chain.update(["person": .object(["add_tags": .array([.string("vip")])])])
            chain.logOut(at: now + 1)
            if isKnown { chain.registerAgain() }
            let registration = try start(&chain)
            #expect(registration.body.object?["user_id_signature"] == .string("s"))
            chain.ended(registration, succeeded: true)
            let sent = drain(&chain)
            #expect(
                [words(registration)] + sent == ["alert of ada", "update of ada", "log out ada", "alert of nobody"])
        }
    }

    @Test func orderHoldsWhenTheClockIsSetBack() throws {
        var chain = try chain()
        let first = try start(&chain)
        chain.ended(first, succeeded: true)
        chain.logIn(User(id: "ada"), at: now - 86_400)
        let request = try start(&chain)
        #expect(request.sentAt > first.sentAt)
    }

    @Test func changesToThePersonAreSentUntilTheyAreStoredOnce() throws {
        var chain = try chain()
        let person = JSONValue.object(["attributes": .object(["first_name": .string("Ada")])])
        chain.logIn(User(id: "ada", person: person), at: now)
        let failed = try start(&chain)
        chain.ended(failed, succeeded: false)
        let again = try start(&chain)
        #expect(again.body.object?["person"] == person)
        chain.ended(again, succeeded: true)
        chain.refresh(at: now + 1)
        let request = try start(&chain)
        #expect(request.body.object?["person"] == nil)
    }

    @Test func logoutSurvivesTheEndOfTheProcess() throws {
        var chain = try chain()
        chain.logIn(User(id: "ada"), at: now)
        _ = drain(&chain)
        chain.logOut(at: now + 1)
        _ = try start(&chain)
        var next = try JSONDecoder().decode(RegistrationChain.self, from: JSONEncoder().encode(chain))
        let sent = drain(&next)
        #expect(sent == ["log out ada", "alert of nobody"])
    }

    @Test(arguments: [
        (0, "not_determined"), (1, "denied"), (2, "authorized"), (3, "provisional"), (4, "ephemeral"),
        (5, "not_determined"), (-1, "not_determined"),
    ])
    func permissionThatIsNotKnownIsNeverAuthorized(_ systemValue: Int, _ name: String) throws {
        var chain = try chain(DeviceState.Authorization(systemValue: systemValue))
        let request = try start(&chain)
        #expect(request.body.object?["authorization_status"] == .string(name))
    }

    @Test func putStatesNullForWhatIsAbsent() throws {
        var chain = try chain()
        let request = try start(&chain)
        let members = try #require(request.body.object)
        for name in ["locale", "time_zone", "os_version", "app_version", "model", "user_id"] {
            #expect(members[name] == .null, "\(name)")
        }
        #expect(members["settings"] == .object([:]) && members["attributes"] == .object([:]))
        #expect(members["sent_at"] == .string("2027-01-15T08:00:00.001Z"))
    }
}
