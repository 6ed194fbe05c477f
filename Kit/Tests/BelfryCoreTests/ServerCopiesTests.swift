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

    @Test func offlineTheLastCopyStaysAndIsAskedForAgain() async throws {
        let isOnline = Guarded(true)
        let server = RecordingServer { request, _ in
            guard isOnline.withLock({ $0 }) else { return .failed("offline") }
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
