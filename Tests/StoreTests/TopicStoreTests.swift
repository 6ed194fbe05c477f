import Campaigns
import JSON
import Notifications
import Postgres
import StoreSupport
import Testing

@testable import Store

struct TopicStoreTests {
    private static func key(_ text: String) throws -> TopicKey { try TopicKey(text) }

    @Test func topicIsCreatedFoundUpdatedListedAndDeleted() async throws {
        try await DeviceFixture.run { bench in
            let topics = bench.stores.topics
            let made = try await topics.create(
                app: bench.app, key: Self.key("offers"), Localized(name: "Offers", description: "What is cheap"))
            _ = try await topics.create(app: bench.app, key: Self.key("news"), Localized(name: "News"))

            #expect(try await topics.find(Self.key("offers"), app: bench.app) == made)
            let changed = try await topics.update(
                Self.key("offers"), app: bench.app, name: "Bargains", description: nil, translations: nil)
            #expect(changed.text.standard == .init(name: "Bargains", description: "What is cheap"))
            let page = try await topics.list(app: bench.app, after: nil, limit: 1)
            #expect(page.map(\.key.text) == ["news"])
            #expect(try await topics.list(app: bench.app, after: page[0].key, limit: 5).map(\.key.text) == ["offers"])
            #expect(try await topics.keys(app: bench.app) == ["news", "offers"])

            try await topics.delete(Self.key("news"), app: bench.app)
            await #expect(throws: Refusal.notFound(.topic)) {
                try await topics.delete(Self.key("news"), app: bench.app)
            }
        }
    }

    @Test func topicKeyIsUniquePerApp() async throws {
        try await DeviceFixture.run { bench in
            let topics = bench.stores.topics
            let other = try await DeviceFixture.makeApp(bench.pool, "two")
            let key = try Self.key("offers")
            _ = try await topics.create(app: bench.app, key: key, Localized(name: "Offers"))
            await #expect(throws: Refusal.topicKeyTaken) {
                try await topics.create(app: bench.app, key: key, Localized(name: "Offers"))
            }
            await #expect(throws: Refusal.notFound(.topic)) { try await topics.find(key, app: other) }
            await #expect(throws: Refusal.notFound(.app)) {
                try await topics.create(app: .init(rawValue: 99), key: key, Localized(name: "Offers"))
            }
        }
    }

    @Test func topicLimitIsEnforced() async throws {
        try await DeviceFixture.run { bench in
            let topics = bench.stores.topics
            try await bench.pool.execute(
                """
                INSERT INTO topics (app_id, key, name)
                SELECT \(bench.app), 't' || n, 'T' FROM generate_series(2, \(TopicStore.maximumCount)) AS n
                """)
            _ = try await topics.create(app: bench.app, key: Self.key("last"), Localized(name: "Last"))
            await #expect(throws: Refusal.tooMany(.topic, limit: TopicStore.maximumCount)) {
                try await topics.create(app: bench.app, key: Self.key("more"), Localized(name: "More"))
            }
        }
    }

    @Test func usedTopicCannotBeDeletedAndUnknownOneIsRejected() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app().id
            let topics = fixture.stores.topics
            let key = try Self.key("offers")
            func content(_ topic: TopicKey?) -> CampaignContent {
                CampaignContent(name: "Sale", payload: #"{"aps":{"alert":"Hello"}}"#, topic: topic)
            }
            await #expect(throws: Refusal.unknownTopic) {
                try await fixture.campaigns.create(app: app, content(key))
            }
            _ = try await topics.create(app: app, key: key, Localized(name: "Offers"))
            let campaign = try await fixture.campaigns.create(app: app, content(key))
            #expect(campaign.content.topic == key)
            await #expect(throws: Refusal.topicInUse) { try await topics.delete(key, app: app) }

            let changed = try await fixture.campaigns.update(campaign.id, app: app, version: 1, to: content(nil))
            #expect(changed.content.topic == nil)
            try await topics.delete(key, app: app)
        }
    }

    @Test(arguments: ["offers", "a", "0", "news.daily-2_x", String(repeating: "a", count: 64)])
    func validKeysAreAcceptedByTypeAndDatabase(_ text: String) async throws {
        try await DeviceFixture.run { bench in
            let topic = try await bench.stores.topics.create(
                app: bench.app, key: Self.key(text), Localized(name: "x"))
            #expect(topic.key.text == text)
        }
    }

    @Test(arguments: ["", "Offers", "-a", ".a", "_a", "ä", "a b", "a\n", String(repeating: "a", count: 65)])
    func invalidKeysAreRejectedByTypeAndDatabase(_ text: String) async throws {
        #expect(throws: InvalidValue.self) { try TopicKey(text) }
        try await DeviceFixture.run { bench in
            await #expect(throws: PostgresError.self) {
                try await bench.pool.execute(
                    "INSERT INTO topics (app_id, key, name) VALUES (\(bench.app), \(text), 'x')")
            }
        }
    }
}
