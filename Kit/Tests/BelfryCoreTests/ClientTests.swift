import BelfryTesting
import Foundation
import Testing

@testable import BelfryCore

@Suite struct ClientTests {
    @Test func deviceIsRegisteredOnceEverythingIsKnown() async throws {
        try await ClientFixture.with { fixture in
            let client = try fixture.client()
            await client.register(try ClientFixture.token())
            await client.flush()
            #expect(fixture.server.requests.isEmpty)
            await client.update(ClientFixture.state)
            await client.flush()
            #expect(fixture.server.words == ["PUT devices/phone-1"])
            await client.flush()
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func newInstallationIsOnlyMadeWhenThereIsNone() async throws {
        let keychain = MemoryInstallation(.locked)
        try await ClientFixture.with(keychain: keychain) { fixture in
            let client = try fixture.client()
            await client.register(try ClientFixture.token())
            await client.update(ClientFixture.state)
            await client.flush()
            #expect(fixture.server.requests.isEmpty)
            keychain.set(.found("the-old-one"))
            await client.flush()
            #expect(fixture.server.words == ["PUT devices/the-old-one"])
        }
        let empty = MemoryInstallation()
        try await ClientFixture.with(keychain: empty) { fixture in
            for _ in 0..<2 {
                let client = try fixture.client()
                await client.register(try ClientFixture.token())
                await client.update(ClientFixture.state)
                await client.refresh()
                await client.flush()
            }
            #expect(Set(fixture.server.words).count == 1 && fixture.server.words.count == 2)
        }
    }

    @Test func logoutIsSentAfterTheNextLaunch() async throws {
        let isOnline = Guarded(false)
        let server = RecordingServer { _, _ in isOnline.withLock { $0 } ? .ok() : .failed("offline") }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            await client.register(try ClientFixture.token())
            await client.update(ClientFixture.state)
            await client.logIn(User(id: "ada"))
            await client.logOut()
            await client.flush()
            isOnline.withLock { $0 = true }
            let before = server.requests.count
            try await fixture.client().flush()
            #expect(
                server.words.dropFirst(before) == ["POST devices/phone-1/logout", "PUT devices/phone-1"])
            #expect(server.requests.last?["user_id"] == .null)
        }
    }

    @Test func optOutOfThePersonReachesThemAfterALogin() async throws {
        let isOnline = Guarded(true)
        let server = RecordingServer { _, _ in isOnline.withLock { $0 } ? .ok() : .failed("offline") }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            await client.register(try ClientFixture.token())
            await client.update(ClientFixture.state)
            await client.logIn(User(id: "ada"))
            await client.flush()
            isOnline.withLock { $0 = false }
            let before = server.requests.count
            await client.setOptedOut(true, of: "offers")
            await client.logIn(User(id: "grace"))
            await client.flush()
            isOnline.withLock { $0 = true }
            await client.flush()
            let sent = server.requests.dropFirst(before).filter { $0.body.object?["sent_at"] != nil }.suffix(3)
            #expect(sent.map(\.method) == ["PATCH", "POST", "PUT"])
            #expect(sent.first?["user_id"] == .string("ada"))
            #expect(sent.first?["person"]?.object?["add_opt_outs"] == .array([.string("offers")]))
            #expect(sent.last?["user_id"] == .string("grace"))
        }
    }

    @Test func wrongKeyIsOneDiagnosticAndNoLoop() async throws {
        let server = RecordingServer { _, _ in .problem(401, "invalid-key") }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            await client.register(try ClientFixture.token())
            await client.update(ClientFixture.state)
            try client.record(ClientFixture.push(), .opened)
            for _ in 0..<3 { await client.flush() }
            // One for the registration, and one for the events, which another process could have sent.
            #expect(server.requests.count == 2)
            var diagnostics = client.diagnostics.makeAsyncIterator()
            #expect(
                await diagnostics.next() == Diagnostic(.configuration, "invalid-key", "Something is wrong."))
            await client.update(DeviceState(environment: .production, authorization: .denied))
            await client.flush()
            #expect(server.requests.count == 2)
        }
    }

    @Test func wrongSignatureOfAPersonStillRegistersTheDevice() async throws {
        let server = RecordingServer { request, _ in
            let isWrong = request["user_id"] == .string("ada") && request["user_id_signature"] != .string("right")
            return isWrong ? .problem(403, "identity-unverified") : .ok()
        }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            await client.register(try ClientFixture.token())
            await client.update(ClientFixture.state)
            await client.logIn(User(id: "ada", signature: "wrong"))
            var change = DeviceChange()
            change.person.addedTags = ["vip"]
            await client.update(change)
            await client.flush()
            await client.flush()
            #expect(server.requests.last?.method == "PUT" && server.requests.last?["user_id"] == .null)
            #expect(server.requests.count <= 5)
            #expect(await client.user == nil)
            var diagnostics = client.diagnostics.makeAsyncIterator()
            #expect(await diagnostics.next() == Diagnostic(.refused, "identity-unverified", "Something is wrong."))
            await client.logIn(User(id: "ada", signature: "right"))
            await client.flush()
            #expect(server.requests.last?["user_id"] == .string("ada"))
        }
    }

    @Test(arguments: [
        ("http://push.example.com/v1/apps/1", "bfp_x", "insecure-address"),
        ("https://push.example.com", "bfp_x", "wrong-path"),
        ("https://push.example.com/v1/apps/1", "bfs_x", "secret-key"),
        ("https://push.example.com/v1/apps/1", "x", "not-publishable"),
    ])
    func mistakeInTheConfigurationIsSaidWithoutARequest(api: String, key: String, code: String) async throws {
        try await ClientFixture.with { fixture in
            let client = try fixture.client(api: api, key: key)
            await client.register(try ClientFixture.token())
            await client.update(ClientFixture.state)
            await client.flush()
            #expect(fixture.server.requests.isEmpty)
            var diagnostics = client.diagnostics.makeAsyncIterator()
            let diagnostic = await diagnostics.next()
            #expect(diagnostic?.kind == .configuration && diagnostic?.code == code)
        }
    }

    @Test func serverThatCantBeReachedIsToldOnceAndNotAtTheFirstFailure() async throws {
        let server = RecordingServer { _, _ in .failed("Could not connect to the server.") }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client(api: "http://localhost:9999/v1/apps/1")
            await client.register(try ClientFixture.token())
            await client.update(ClientFixture.state)
            for _ in 0..<2 { await client.flush() }
            client.report(Diagnostic(.warning, "before", ""))
            for _ in 0..<4 { await client.flush() }
            client.report(Diagnostic(.warning, "after", ""))
            var diagnostics = client.diagnostics.makeAsyncIterator()
            #expect(await diagnostics.next()?.code == "before")
            let told = try #require(await diagnostics.next())
            #expect(told.code == "unreachable" && told.message.contains("localhost:9999 gives no answer: Could not"))
            #expect(await diagnostics.next()?.code == "after")
        }
    }

    @Test func valuesOfAPersonWithoutAPersonAreToldAndOptOutsAreNot() async throws {
        try await ClientFixture.with { fixture in
            let client = try fixture.client()
            await client.setOptedOut(true, of: "offers")
            var change = DeviceChange()
            change.person.attributes = ["plan": "gold", "visits": 7, "rate": 0.5, "is_new": true, "list": ["a"]]
            await client.update(change)
            var diagnostics = client.diagnostics.makeAsyncIterator()
            #expect(await diagnostics.next()?.code == "no-person")
            await client.logIn(User(id: "ada"))
            await client.update(change)
            client.report(Diagnostic(.warning, "end", ""))
            #expect(await diagnostics.next()?.code == "end")
        }
    }

    @Test func retryAfterHoldsBackChangesButNotTheForeground() async throws {
        let server = RecordingServer { _, number in
            number == 0 ? .problem(503, "overloaded", headers: ["retry-after": "30"]) : .ok()
        }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            await client.register(try ClientFixture.token())
            await client.update(ClientFixture.state)
            var waits = fixture.clock.waits.makeAsyncIterator()
            let wait = try #require(await waits.next())
            #expect((30...31).contains(wait))
            await client.logIn(User(id: "ada"))
            #expect(server.requests.count == 1)
            await client.flush()
            #expect(server.requests.count == 2 && server.requests.last?["user_id"] == .string("ada"))
        }
    }

    @Test func deviceThatTheServerLostIsRegisteredAgainThenUpdated() async throws {
        let server = RecordingServer { request, number in
            request.method == "PATCH" && number < 3 ? .problem(404, "device-not-found") : .ok()
        }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            await client.register(try ClientFixture.token())
            await client.update(ClientFixture.state)
            await client.flush()
            await client.setOptedOut(true, of: "*")
            await client.flush()
            #expect(server.requests.map(\.method) == ["PUT", "PATCH", "PUT", "PATCH"])
        }
    }

    @Test func serverThatLosesEveryDeviceIsNotAskedInALoop() async throws {
        let server = RecordingServer { request, _ in
            request.method == "PATCH" ? .problem(404, "device-not-found") : .ok()
        }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            await client.register(try ClientFixture.token())
            await client.update(ClientFixture.state)
            await client.setOptedOut(true, of: "*")
            await client.flush()
            // The change asks by itself, and the flush perhaps once more.
            let pass = 2 * (Client.maximumLost + 1)
            #expect([pass, 2 * pass].contains(server.requests.count))
        }
    }

    @Test func tapIsHandledOnceAlsoAfterALaunch() async throws {
        try await ClientFixture.with { fixture in
            let push = ClientFixture.push()
            let tap = ResponseEvent.defaultAction
            let client = try fixture.client()
            #expect(try client.handle(push, requestID: "r", action: tap) == .opened(push))
            #expect(try client.handle(push, requestID: "r", action: tap) == .repeated)
            #expect(try fixture.client().handle(push, requestID: "r", action: tap) == .repeated)
            #expect(
                try client.handle(push, requestID: "r", action: "answer", text: "Yes")
                    == .reply(push, identifier: "answer", text: "Yes"))
            #expect(try client.handle(Push(userInfo: [:]), requestID: "r", action: tap) == .foreign)
            await client.flush()
            let events = fixture.server.requests.compactMap { $0["events"] }
            #expect(fixture.server.words == ["POST acknowledgements"] && events.count == 1)
        }
    }

    @Test func conversionBelongsToThePushThatWasOpenedLast() async throws {
        try await ClientFixture.with { fixture in
            let client = try fixture.client()
            #expect(try !client.convert("purchase", value: 9.5))
            for id in ["m1", "m2"] {
                _ = try client.handle(ClientFixture.push(id), requestID: id, action: ResponseEvent.defaultAction)
            }
            #expect(try fixture.client().convert("purchase", value: 9.5))
            fixture.clock.advance(HandledResponses.conversionWindow + 1)
            #expect(try !client.convert("purchase"))
        }
    }

    @Test func startReadsAndWritesNothing() async throws {
        try await ClientFixture.with { fixture in
            _ = try fixture.client()
            #expect(!FileManager.default.fileExists(atPath: fixture.folder.path))
        }
    }
}
