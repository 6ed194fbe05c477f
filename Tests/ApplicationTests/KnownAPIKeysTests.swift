import Campaigns
import EventLoop
import Postgres
import Store
import StoreSupport
import Testing

@testable import Application

@Suite struct KnownAPIKeysTests {
    @Test func recentlyUsedKeyCostsNoQuery() async throws {
        try await StoreFixture.run { fixture in
            let keys = KnownAPIKeys(fixture.keys)
            let (key, text) = try await fixture.keys.create(app: nil, kind: .secret, name: "admin", scopes: [])
            _ = try await keys.find(text)

            try await fixture.pool.execute("DELETE FROM api_keys")

            #expect(try await keys.find(text) == key)
        }
    }

    @Test func revokedKeyStopsWorkingHereImmediately() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let keys = KnownAPIKeys(fixture.keys)
            let (key, text) = try await fixture.keys.create(app: app.id, kind: .publishable, name: "app", scopes: [])
            #expect(try await keys.find(text) == key)

            try await keys.revoke(key.id, app: app.id)

            #expect(try await keys.find(text) == nil)
        }
    }

    @Test func rememberedKeyEndsAtItsExpiry() async throws {
        try await StoreFixture.run { fixture in
            let keys = KnownAPIKeys(fixture.keys)
            let expiry = Timestamp.now + .milliseconds(300)
            let (key, text) = try await fixture.keys.create(
                app: nil, kind: .secret, name: "admin", scopes: [], expiresAt: expiry)
            #expect(try await keys.find(text) == key || Timestamp.now >= expiry)
            while Timestamp.now < expiry { try await fixture.pool.loop.sleep(for: .milliseconds(10)) }
            #expect(try await keys.find(text) == nil)
            #expect(key.hasExpired(at: expiry) && !key.hasExpired(at: expiry - .milliseconds(1)))
        }
    }

    @Test func textThatIsNotAKeyIsNotFound() async throws {
        try await StoreFixture.run { fixture in
            let keys = KnownAPIKeys(fixture.keys)
            let short = try await keys.find("bfs_short")
            let foreign = try await keys.find(String(repeating: "x", count: 47))

            #expect(short == nil && foreign == nil)
        }
    }
}
