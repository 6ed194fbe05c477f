import BelfryTesting
import Foundation
import Testing

@testable import BelfryCore

@Suite struct ServerCopiesTests {
    private static func configuration(_ categories: String, _ plans: String, key: String = "m") -> String {
        """
        {"message_id_key": "\(key)", "attachment_url_key": "media", "attachment_type_key": null, "limits": {},
         "revisions": {"categories": "\(categories)", "local_plans": "\(plans)"}}
        """
    }

    private static let categories = """
        {"form": "un", "categories": [{"identifier": "news", "actions": [], "intent_identifiers": [], "options": 0}]}
        """
    private static let plans = #"{"notifications": [], "omitted_count": 0}"#

    private func refresh(_ client: Client) async {
        await client.fetchConfiguration()
        #expect(await client.categories(locale: "en")?.map(\.identifier) == ["news"])
        #expect(await client.fetchPlans(locale: "en", timeZone: "Asia/Tokyo"))
    }

    @Test func onlyWhatHasChangedIsFetchedAgain() async throws {
        let revisions = Guarded(("c1", "p1"))
        let server = RecordingServer { request, _ in
            switch request.path {
            case "client-configuration":
                let (categories, plans) = revisions.withLock { $0 }
                return .ok(Self.configuration(categories, plans), tag: "\(categories)\(plans)")
            case "categories/registration": return .ok(Self.categories, tag: "c")
            default: return .ok(Self.plans, tag: "p")
            }
        }
        try await ClientFixture.with(server) { fixture in
            await refresh(try fixture.client())
            #expect(server.requests.count == 3)
            // Each is a launch of its own.
            await refresh(try fixture.client())
            #expect(server.words.dropFirst(3) == ["GET client-configuration"])
            revisions.withLock { $0.0 = "c2" }
            await refresh(try fixture.client())
            #expect(server.words.dropFirst(4) == ["GET client-configuration", "GET categories/registration"])
            #expect(server.requests.last?.tag == "c")
            fixture.clock.advance(Client.planLifetime)
            await refresh(try fixture.client())
            #expect(server.words.dropFirst(6) == ["GET client-configuration", "GET local-plans/scheduled"])
        }
    }

    @Test func anotherLanguageIsFetchedWithoutTheTag() async throws {
        let server = RecordingServer { request, _ in
            request.path == "client-configuration"
                ? .ok(Self.configuration("c1", "p1")) : .ok(Self.categories, tag: "c")
        }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            await client.fetchConfiguration()
            _ = await client.categories(locale: "en")
            _ = await client.categories(locale: "ja")
            #expect(server.requests.map(\.query) == [nil, "locale=en", "locale=ja"])
            #expect(server.requests.map(\.tag) == [nil, nil, nil])
        }
    }

    @Test(arguments: [
        TransportResult.failed("offline"), .problem(503, "overloaded"), .problem(422, "invalid-body"),
        .problem(404, "app-not-found"), .ok("<h1>Sign in</h1>"),
    ])
    func lastCopyStaysInAnOutageAndIsAskedForAgain(outage: TransportResult) async throws {
        let isOnline = Guarded(true)
        let server = RecordingServer { request, _ in
            guard isOnline.withLock({ $0 }) else { return outage }
            return request.path == "client-configuration"
                ? .ok(Self.configuration("c1", "p1"), tag: "x") : .ok(Self.categories, tag: "c")
        }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            await client.fetchConfiguration()
            _ = await client.categories(locale: "en")
            isOnline.withLock { $0 = false }
            await client.fetchConfiguration()
            #expect(await client.categories(locale: "en")?.count == 1)
            #expect(await client.categories(locale: "ja")?.count == 1)
            isOnline.withLock { $0 = true }
            await client.fetchConfiguration()
            let before = server.requests.count
            _ = await client.categories(locale: "ja")
            // It was not reached in Japanese, so the English copy is not taken for it.
            #expect(server.requests.count == before + 1 && server.requests.last?.query == "locale=ja")
        }
    }

    @Test func keysOfPayloadsComeFromTheServerAndOutliveALaunch() async throws {
        let server = RecordingServer(["client-configuration": Self.configuration("c", "p", key: "mid")])
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            #expect(client.payloadKeys == PayloadKeys())
            await client.fetchConfiguration()
            let next = try fixture.client()
            let push = Push(
                userInfo: ["mid": "m1", "media": "https://example.com/a.jpg"], keys: next.payloadKeys)
            #expect(push.messageID == "m1" && push.attachment != nil)
        }
    }
}

/// Answers of a server that is newer than the kit.
@Suite struct LaterServerTests {
    private static let plans = """
        {"notifications": [
          {"identifier": "a", "trigger": {"type": "interval", "seconds": "soon"}, "content": {}},
          {"identifier": "b", "trigger": {"type": "region", "identifier": "r", "latitude": 1, "longitude": 2.5,
           "radius": 100}, "content": {}},
          {"identifier": "c", "trigger": {"type": "region", "identifier": "r", "latitude": 1, "longitude": 2.5,
           "radius": 100, "on_exit": true}, "content": {}},
          7],
         "omitted_count": 1, "more": {}}
        """

    @Test func oneElementThatCannotBeReadDoesNotHideTheOthers() async throws {
        let categories =
            #"{"categories": [{"identifier": 7}, {"identifier": "news", "actions": [], "intent_identifiers": [], "options": 0}]}"#
        let server = RecordingServer(["local-plans/scheduled": Self.plans, "categories/registration": categories])
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            #expect(await client.categories(locale: "en")?.map(\.identifier) == ["news"])
            #expect(await client.fetchPlans(locale: "en", timeZone: "UTC"))
            var diagnostics = client.diagnostics.makeAsyncIterator()
            #expect(await diagnostics.next()?.message.hasSuffix("some categories, which it leaves out: 1.") == true)
            #expect(
                await diagnostics.next()?.message.hasSuffix("some local notifications, which it leaves out: 2.") == true
            )
            let device = PlanSchedule.Device(pending: [], timeZone: "UTC", appVersion: "1")
            #expect(await client.planChanges(on: device)?.added.count == 2)
        }
    }

    @Test(arguments: [
        #""trigger": {"type": "calendar", "components": {"hour": 9, "minute": 1.5}}"#,
        #""trigger": {"type": "calendar", "components": {"hour": 9}}, "last_day": 20261224"#,
    ])
    func notificationThatWouldAppearMoreOftenThanMeantIsLeftOut(_ members: String) throws {
        let json = #"{"notifications": [{"identifier": "a", "content": {}, \#(members)}]}"#
        let list = try JSONDecoder().decode(PlanList.self, from: Data(json.utf8))
        #expect(list.notifications.isEmpty && list.unreadableCount == 1)
    }

    @Test func regionIsForTheWayInUnlessTheWayOutIsAskedFor() throws {
        let list = try JSONDecoder().decode(PlanList.self, from: Data(Self.plans.utf8))
        let sides = list.notifications.map { notification -> String in
            guard case .region(let region, _) = notification.trigger else { return "" }
            return "\(region.onEntry) \(region.onExit)"
        }
        #expect(sides == ["true false", "false true"])
        let stored = try JSONEncoder().encode(list)
        #expect(try JSONDecoder().decode(PlanList.self, from: stored) == list)
    }
}
