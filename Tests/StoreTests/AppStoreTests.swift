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

    /// Topics, templates, media and segments can't be deleted while they are used; all go with their app.
    @Test func usesDoNotKeepADeletedApp() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending), state: .finished)
            try await fixture.pool.execute(
                "INSERT INTO topics (app_id, key, name) VALUES (\(app.id), 'offers', 'Offers')")
            try await fixture.pool.execute(
                """
                WITH media AS (
                    INSERT INTO media (app_id, capability, name, storage, external_url)
                    VALUES (\(app.id), substr(sha256('x'), 1, 16), 'a', 'external', 'https://example.com/a') RETURNING id
                ), template AS (
                    INSERT INTO templates (app_id, name) VALUES (\(app.id), 'A') RETURNING id
                )
                INSERT INTO template_versions (app_id, template_id, version, content)
                SELECT \(app.id), t.id, 1, json_build_object('media', json_build_object('id', m.id::text))
                FROM template t, media m
                """)
            for table in ["campaigns", "run_variants"] {
                try await fixture.pool.execute(
                    """
                    UPDATE \(unescaped: table) SET payload = NULL, template_version = 1,
                        template_id = (SELECT template_id FROM template_versions)
                    """)
            }
            try await fixture.pool.execute(
                """
                INSERT INTO campaigns (app_id, name, content)
                SELECT app_id, 'Own', json_build_object('media', json_build_object('id', id::text)) FROM media
                """)
            for table in ["campaigns", "runs"] {
                try await fixture.pool.execute("UPDATE \(unescaped: table) SET topic = 'offers'")
            }
            try await fixture.pool.execute(
                """
                WITH segment AS (
                    INSERT INTO segments (app_id, name, audience) VALUES (\(app.id), 'S', '{}'), (\(app.id), 'T', '{}')
                    RETURNING id
                )
                INSERT INTO segment_uses (app_id, segment_id, by_campaign_id, by_segment_id)
                SELECT \(app.id), s.id, r.campaign_id, NULL FROM segment s, runs r WHERE r.id = \(run)
                UNION ALL SELECT \(app.id), min(id), NULL, max(id) FROM segment
                """)
            try await fixture.pool.execute("UPDATE campaigns SET state = 'sent'")

            try await fixture.apps.delete(app.id)

            for table in ["topics", "media", "template_versions", "campaigns", "runs", "segments", "segment_uses"] {
                let rows = try await fixture.pool.query("SELECT 1 FROM \(unescaped: table)")
                #expect(rows.isEmpty, "\(table)")
            }
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
