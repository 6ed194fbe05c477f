import Campaigns
import Notifications
import Store
import StoreSupport
import Testing

@testable import Application

@Suite struct TopicKeysTests {
    @Test func unknownTopicsAreReported() async throws {
        try await DeviceFixture.run { bench in
            let topics = bench.stores.topics
            let keys = TopicKeyCache(store: topics, minimumAge: .seconds(60))
            #expect(try await keys.unknown(among: [], of: bench.app).isEmpty)
            _ = try await topics.create(app: bench.app, key: TopicKey("offers"), Localized(name: "Offers"))
            #expect(try await keys.unknown(among: ["offers", "news"], of: bench.app) == ["news"])
            #expect(try await keys.unknown(among: ["offers"], of: bench.app).isEmpty)
            // For a while an unknown one asks nobody.
            try await topics.delete(TopicKey("offers"), app: bench.app)
            #expect(try await keys.unknown(among: ["offers", "news"], of: bench.app) == ["news"])
        }
    }
}
