import Campaigns
import Crypto
import EventLoop
import Postgres
import Testing

@testable import Store

@Suite struct APIKeyStoreTests {
    @Test func keyIsFoundByItsTextAndStoredAsAHash() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let (key, text) = try await fixture.keys.create(
                app: app.id, kind: .secret, name: "server", scopes: [.appsRead, .keys])

            #expect(text.hasPrefix("bfs_") && text.count == 47)
            #expect(key.prefix == String(text.prefix(8)))
            #expect(try await fixture.keys.find(text) == key)
            #expect(try await fixture.keys.find(String(text.dropLast()) + "!") == nil)
            let rows = try await fixture.pool.query("SELECT api_keys::text FROM api_keys")
            #expect(try !rows[0][0, as: String.self].contains(text.dropFirst(8)))
        }
    }

    @Test func revokedKeyIsGoneAtOnce() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let keys = fixture.keys
            let (key, text) = try await keys.create(app: app.id, kind: .publishable, name: "app", scopes: [])
            _ = try await keys.find(text)

            try await keys.revoke(key.id, app: app.id)

            #expect(try await keys.find(text) == nil)
            #expect(try await keys.list(app: app.id, before: nil, limit: 10).first?.revokedAt != nil)
            let other = try await fixture.app("com.example.Other")
            await #expect(throws: StoreRefusal.notFound(.key)) { try await keys.revoke(key.id, app: other.id) }
        }
    }

    @Test func keyThatWasUsedJustNowCostsNoQuery() async throws {
        try await StoreFixture.run { fixture in
            let keys = fixture.keys
            let (key, text) = try await keys.create(app: nil, kind: .secret, name: "admin", scopes: [])
            _ = try await keys.find(text)

            try await fixture.pool.execute("DELETE FROM api_keys")

            #expect(try await keys.find(text) == key)
        }
    }

    @Test func publishableKeyWithoutAnAppIsRefused() async throws {
        try await StoreFixture.run { fixture in
            await #expect(throws: StoreRefusal.constraint("api_keys_check")) {
                _ = try await fixture.keys.create(app: nil, kind: .publishable, name: "app", scopes: [])
            }
        }
    }

    @Test func cacheHoldsNoMoreThanItsCapacity() {
        let cache = APIKeyCache()
        let key = APIKey(
            id: .init(rawValue: 1), app: nil, kind: .secret, name: "", scopes: [], prefix: "",
            createdAt: .now, revokedAt: nil)
        func hash(_ number: Int) -> [UInt8] { SHA256.hash(Array("\(number)".utf8)) }

        for number in 0..<APIKeyCache.capacity { cache.insert(key, hash: hash(number)) }
        #expect(cache[hash(0)] != nil)
        cache.insert(key, hash: hash(APIKeyCache.capacity))

        #expect(cache[hash(APIKeyCache.capacity)] != nil)
        #expect(cache[hash(0)] == nil)
    }
}
