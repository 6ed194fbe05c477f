import BelfryTesting
import Foundation
import Testing

@testable import BelfryCore

/// Events of the app's own, from the call to the request.
@Suite(.timeLimit(.minutes(1))) struct TrackingTests {
    private static let requests = "POST custom-events"

    private static func register(_ client: Client) async throws {
        await client.register(try ClientFixture.token())
        await client.update(ClientFixture.state)
    }

    private static func events(_ request: RecordingServer.Request) -> [[String: JSONValue]] {
        request["events"]?.array?.compactMap(\.object) ?? []
    }

    @Test func trackedEventIsOnTheDiskBeforeTheCallReturns() async throws {
        try await ClientFixture.with { fixture in
            try fixture.client().track("purchase")
            let folder = fixture.folder.appendingPathComponent("custom-events/app").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        }
    }

    @Test func requestHasWhatTheServerReadsAndNothingElse() async throws {
        try await ClientFixture.with { fixture in
            let client = try fixture.client()
            try await Self.register(client)
            let date = fixture.clock.now
            try client.track("purchase", value: 9.5, properties: ["plan": "pro", "items": 3], at: date - 60)
            fixture.clock.advance(30)
            await client.flush()

            let request = try #require(fixture.server.requests(Self.requests).first)
            #expect(request["sent_at"] == .string(Event.timestamp(date + 30)))
            let event = try #require(Self.events(request).first)
            #expect(event["id"]?.string.flatMap(UUID.init) != nil)
            let rest = event.filter { $0.key != "id" }
            #expect(
                rest == [
                    "name": "purchase", "installation": "phone-1", "at": .string(Event.timestamp(date - 60)),
                    "value": 9.5, "properties": ["plan": "pro", "items": 3],
                ])
        }
    }

    @Test func eventsWaitForTheFirstRegistrationAndForNothingElse() async throws {
        try await ClientFixture.with { fixture in
            let client = try fixture.client()
            try client.track("first_launch")
            try client.record(ClientFixture.push(), .opened)
            await client.flush()
            #expect(fixture.server.events == ["opened of m1"])

            try await Self.register(client)
            await client.flush()
            #expect(fixture.server.events == ["opened of m1", "tracked first_launch"])
            #expect(fixture.server.words.suffix(2) == ["PUT devices/phone-1", Self.requests])
        }
    }

    @Test func outageKeepsThemWithTheirIDsForTheNextLaunch() async throws {
        let isDown = Guarded(true)
        let server = RecordingServer { request, _ in
            // The server has stored them, and the answer is lost.
            request.words == Self.requests && isDown.withLock { $0 } ? .failed("lost") : .ok()
        }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            try await Self.register(client)
            for name in ["a", "b"] { try client.track(name) }
            await client.flush()
            isDown.withLock { $0 = false }
            try await fixture.client().flush()
            try await fixture.client().flush()

            let sent = server.requests(Self.requests).map { Self.events($0).map { $0["id"] } }
            #expect(sent.count == 2 && sent[0] == sent[1] && Set(sent[0].map { $0?.string }).count == 2)
        }
    }

    @Test func serverThatHasLostTheDeviceGetsItAgainBeforeTheEvents() async throws {
        let isKnown = Guarded(false)
        let server = RecordingServer { request, number in
            if request.method == "PUT", number > 0 { isKnown.withLock { $0 = true } }
            guard request.words == Self.requests, !isKnown.withLock({ $0 }) else { return .ok() }
            return .ok(#"{"stored": 0, "failed": [{"index": 0, "code": "unknown-device", "message": "M"}]}"#)
        }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            try await Self.register(client)
            try client.track("purchase")
            await client.flush()
            let (put, post) = ("PUT devices/phone-1", Self.requests)
            #expect(server.words == [put, post, put, post])
            await client.flush()
            #expect(server.words.count == 4)
        }
    }

    @Test func serverThatLosesTheDeviceAgainAndAgainIsNotAskedInALoop() async throws {
        let server = RecordingServer { request, _ in
            request.words == Self.requests ? .ok(#"{"failed": [{"index": 0, "code": "unknown-device"}]}"#) : .ok()
        }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            try await Self.register(client)
            try client.track("purchase")
            var waits = fixture.clock.waits.makeAsyncIterator()
            await client.flush()
            #expect(await waits.next() == RetryPolicy.maximumDelay)
            #expect(server.requests(Self.requests).count == Client.maximumLost + 1)
        }
    }

    @Test func eventsBeforeALogoutArriveBeforeItAndLaterOnesAfterIt() async throws {
        let isOnline = Guarded(true)
        let server = RecordingServer { _, _ in isOnline.withLock { $0 } ? .ok() : .failed("offline") }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            try await Self.register(client)
            await client.logIn(User(id: "ada"))
            await client.flush()
            isOnline.withLock { $0 = false }
            try client.track("of-ada")
            await client.logIn(User(id: "grace"))
            fixture.clock.advance(1)
            try client.track("of-grace")
            await client.flush()
            isOnline.withLock { $0 = true }
            let before = server.requests.count
            await client.flush()

            let sent = server.requests.dropFirst(before)
            let words = sent.map { Self.events($0).first?["name"]?.string ?? $0.words }
            #expect(words == ["of-ada", "POST devices/phone-1/logout", "PUT devices/phone-1", "of-grace"])
        }
    }

    /// A call of the app, with a name for the output of the tests.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var name = "a"
        var value: Double?
        var properties: [String: JSONValue] = [:]
    }

    private static func flags(_ count: Int) -> [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", .bool(true)) })
    }

    @Test(arguments: [
        Case(testDescription: "Its name", name: ""), Case(testDescription: "Its name", name: " "),
        Case(testDescription: "Its name", name: "a\n"),
        Case(testDescription: "Its name", name: String(repeating: "é", count: 51)),
        Case(testDescription: "Its value", value: .nan), Case(testDescription: "Its value", value: -.infinity),
        Case(testDescription: "Its value", value: 1_000_000_000_000),
        Case(testDescription: "those of its properties", properties: ["": 1]),
        Case(testDescription: "The property p", properties: ["p": .number(.infinity)]),
        Case(testDescription: "The property p", properties: ["p": [1]]),
        Case(testDescription: "The property p", properties: ["p": ["q": 1]]),
        Case(
            testDescription: "1024 bytes of JSON, not 1025",
            properties: ["p": .string(String(repeating: "x", count: 1_017))]),
        Case(testDescription: "at most 50 properties", properties: flags(51)),
    ])
    func eventThatTheServerWouldRefuseIsADiagnosticAndIsNotStored(_ bad: Case) async throws {
        try await ClientFixture.with { fixture in
            let client = try fixture.client()
            try client.track(bad.name, value: bad.value, properties: bad.properties)
            var diagnostics = client.diagnostics.makeAsyncIterator()
            let told = try #require(await diagnostics.next())
            #expect(told.kind == .refused && told.code == "event" && told.message.contains(bad.testDescription))
            #expect(!FileManager.default.fileExists(atPath: fixture.folder.path))
        }
    }

    @Test func eventOfMoreThanThirtyDaysAgoIsADiagnostic() async throws {
        try await ClientFixture.with { fixture in
            let client = try fixture.client()
            let limit = fixture.clock.now - EventBatch.longestDelay
            try client.track("a", at: limit)
            try client.track("b", at: limit - 1)
            var diagnostics = client.diagnostics.makeAsyncIterator()
            #expect(await diagnostics.next()?.message.contains("30 days") == true)
            let folder = fixture.folder.appendingPathComponent("custom-events/app").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        }
    }

    @Test(arguments: [
        Case(testDescription: "name", name: String(repeating: "é", count: 50), value: 999_999_999_999),
        Case(
            testDescription: "size", value: -999_999_999_999,
            properties: ["p": .string(String(repeating: "/", count: 1_016))]),
        Case(testDescription: "number of properties", value: 0, properties: flags(50)),
        Case(testDescription: "null", name: "e\u{301}", properties: ["p": .null, "q": 0.5]),
    ])
    func eventAtTheLimitsIsTaken(_ good: Case) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(TrackingRules.fault(good.name, good.value, good.properties, at: now + 60, now: now) == nil)
    }

    @Test func claimsEndAtATime() async throws {
        try await ClientFixture.with { fixture in
            let queue = EventQueue(root: fixture.folder, process: "app")
            let now = fixture.clock.now
            for (number, seconds) in [0, 1, 1.001].enumerated() {
                try queue.record(Event(messageID: "\(number)", kind: .opened, at: now), at: now + seconds)
            }
            let found = try await queue.claim(at: now + 5, until: now + 1).claims
            #expect(found.map(\.event.messageID) == ["0", "1"])
        }
    }
}
