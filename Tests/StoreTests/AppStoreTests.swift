import Campaigns
import Crypto
import Notifications
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct AppStoreTests {
    @Test func appIsCreatedWithItsFirstMessageKey() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let store = fixture.stores.messageKeys

            let keys = try await store.messageKeys(app: app.id)

            #expect(keys.keys.sorted() == [1])
            #expect(try await fixture.apps.find(app.id) == app)
            let other = try await fixture.app("com.example.Other")
            let otherKeys = try await store.messageKeys(app: other.id)
            #expect(keys[1]?.tag(of: [1]) != otherKeys[1]?.tag(of: [1]))
        }
    }

    @Test func duplicateBundleIDIsRejected() async throws {
        try await StoreFixture.run { fixture in
            let first = try await fixture.app()

            await #expect(throws: Refusal.bundleIDTaken) { _ = try await fixture.app() }
            #expect(try await fixture.apps.list(only: nil, before: nil, limit: 10) == [first])
            let keys = try await fixture.pool.query("SELECT count(*) FROM message_keys")
            #expect(try keys[0][0, as: Int.self] == 1)
        }
    }

    @Test func unknownTimeZoneIsRejected() async throws {
        try await StoreFixture.run { fixture in
            var settings = try await fixture.app().settings
            settings.bundleID = try BundleID("com.example.Other")
            settings.defaultTimeZone = "Mars/Olympus"

            await #expect(throws: Refusal.unknownTimeZone) { try await fixture.apps.create(settings) }
        }
    }

    @Test func updateOfAnOlderVersionIsRejected() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            var settings = app.settings
            settings.name = "Renamed"
            let renamed = try await fixture.apps.update(app.id, version: app.version, to: settings)

            #expect(renamed.version == 2)
            #expect(renamed.settings == settings)
            await #expect(throws: Refusal.versionConflict(current: 2)) {
                try await fixture.apps.update(app.id, version: app.version, to: settings)
            }
            await #expect(throws: Refusal.notFound(.app)) {
                try await fixture.apps.update(.init(rawValue: 999), version: 1, to: settings)
            }
        }
    }

    @Test func sendingAppCannotBeDeleted() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)

            await #expect(throws: Refusal.appIsSending) { try await fixture.apps.delete(app.id) }
            _ = try await fixture.campaigns.cancel(campaign.id, app: app.id)
            try await fixture.apps.delete(app.id)

            await #expect(throws: Refusal.notFound(.app)) { try await fixture.apps.delete(app.id) }
        }
    }

    @Test func listIsPagedFromNewestToOldest() async throws {
        try await StoreFixture.run { fixture in
            var apps: [AppRecord] = []
            for index in 0..<3 { apps.append(try await fixture.app("com.example.App\(index)")) }

            let first = try await fixture.apps.list(only: nil, before: nil, limit: 2)
            let second = try await fixture.apps.list(only: nil, before: first[1].id, limit: 2)

            #expect(first + second == apps.reversed())
            #expect(try await fixture.apps.list(only: [apps[0].id], before: nil, limit: 2) == [apps[0]])
        }
    }
}
