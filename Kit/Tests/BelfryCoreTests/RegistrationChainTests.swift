import BelfryCore
import Foundation
import Testing

struct RegistrationChainTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private var device: DeviceState { DeviceState(token: "8f3a", environment: .production) }

    @Test func logoutDuringASlowPutIsTheLastWord() throws {
        var chain = RegistrationChain()
        chain.update(device, at: now)
        chain.logIn(.init(id: "ada"), at: now)
        let slow = try start(&chain)

        chain.logOut(at: now + 1)
        #expect(chain.next() == nil)
        chain.ended(slow, succeeded: true)

        let logout = try start(&chain)
        #expect(logout.state.body(sentAt: logout.sentAt).object?["user_id"] == .null)
        #expect(logout.sentAt > slow.sentAt)
        #expect(logout.generation > slow.generation)
        chain.ended(logout, succeeded: true)
        #expect(chain.next() == nil)
    }

    @Test func failedPutIsNotRepeatedForThePersonWhoLoggedOut() throws {
        var chain = RegistrationChain()
        chain.update(device, at: now)
        chain.logIn(.init(id: "ada"), at: now)
        let failed = try start(&chain)
        chain.logOut(at: now + 1)
        chain.ended(failed, succeeded: false)
        #expect(chain.next()?.state.user == nil)
    }

    @Test func nextLoginAfterLogoutStatesTheNextPerson() throws {
        var chain = RegistrationChain()
        chain.update(device, at: now)
        chain.logIn(.init(id: "ada"), at: now)
        chain.logOut(at: now)
        chain.logIn(.init(id: "grace", signature: "s"), at: now)
        let request = try start(&chain)
        #expect(request.state.user == .init(id: "grace", signature: "s"))
    }

    @Test func answerToAnEarlierRequestChangesNothing() throws {
        var chain = RegistrationChain()
        chain.update(device, at: now)
        let first = try start(&chain)
        chain.ended(first, succeeded: false)
        chain.logIn(.init(id: "ada"), at: now)
        _ = try start(&chain)
        chain.ended(first, succeeded: true)
        #expect(chain.next() == nil)
    }

    @Test func repeatedRequestKeepsItsTimeAndUnchangedStateIsNotSent() throws {
        var chain = RegistrationChain()
        #expect(chain.next() == nil)
        chain.update(device, at: now)
        let first = try start(&chain)
        chain.ended(first, succeeded: false)
        #expect(chain.next() == first)
        chain.ended(first, succeeded: true)
        chain.update(device, at: now + 60)
        #expect(chain.next() == nil)
        chain.registerAgain()
        #expect(chain.next() == first)
    }

    @Test func timesGrowWhenTheClockIsSetBack() throws {
        var chain = RegistrationChain()
        chain.update(device, at: now)
        let first = try start(&chain)
        chain.ended(first, succeeded: true)
        chain.logIn(.init(id: "ada"), at: now - 3_600)
        let second = try start(&chain)
        #expect(second.sentAt > first.sentAt)
    }

    // Other kits took provisional for denied, and an unknown value for a crash.
    @Test(
        arguments: [
            (0, "not_determined"), (1, "denied"), (2, "authorized"), (3, "provisional"), (4, "ephemeral"), (5, nil),
            (-1, nil),
        ] as [(Int, String?)])
    func everyPermissionIsStatedAsItIs(system: Int, name: String?) {
        var device = device
        device.authorization = .init(systemValue: system)
        let stated = device.body(sentAt: now).object?["authorization_status"]
        #expect(stated == name.map(JSONValue.string) ?? .null)
    }

    @Test func putStatesEveryMember() {
        let members = device.body(sentAt: now).object ?? [:]
        #expect(
            members.keys.sorted() == [
                "app_version", "authorization_status", "environment", "locale", "model", "os_version", "sent_at",
                "time_zone", "token", "user_id", "user_id_signature",
            ])
    }

    private func start(_ chain: inout RegistrationChain) throws -> RegistrationChain.Request {
        let request = chain.next()
        return try #require(request)
    }
}
