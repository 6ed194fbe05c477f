import Administration
import Campaigns
import Crypto
import EventLoop
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct APIKeyStoreTests {
    @Test func keyIsFoundByItsTextAndStoredHashed() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let (key, text) = try await fixture.keys.create(
                app: app.id, kind: .secret, name: "server", scopes: [.appsRead, .keys])

            #expect(text.hasPrefix("bfs_") && text.count == 53)
            #expect(key.prefix == String(text.prefix(8)))
            #expect(try await fixture.keys.find(hash: SHA256.hash(text.utf8)) == key)
            #expect(try await fixture.keys.find(hash: SHA256.hash((text.dropLast() + "!").utf8)) == nil)
            let rows = try await fixture.pool.query("SELECT api_keys::text FROM api_keys")
            #expect(try !rows[0][0, as: String.self].contains(text.dropFirst(8)))
        }
    }

    @Test func revokedKeyIsInvalidImmediately() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let keys = fixture.keys
            let (key, text) = try await keys.create(app: app.id, kind: .publishable, name: "app", scopes: [])
            _ = try await keys.find(hash: SHA256.hash(text.utf8))

            try await keys.revoke(key.id, app: app.id)

            #expect(try await keys.find(hash: SHA256.hash(text.utf8)) == nil)
            #expect(try await keys.list(app: app.id, before: nil, limit: 10).first?.revokedAt != nil)
            let other = try await fixture.app("com.example.Other")
            await #expect(throws: Refusal.notFound(.key)) { try await keys.revoke(key.id, app: other.id) }
        }
    }

    @Test func publishableKeyWithoutAppIsRejected() async throws {
        try await StoreFixture.run { fixture in
            await #expect(throws: Refusal.constraint("api_keys_check")) {
                _ = try await fixture.keys.create(app: nil, kind: .publishable, name: "app", scopes: [])
            }
        }
    }
}
