import Campaigns
import Crypto
import JSON
import Notifications
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct TemplateStoreTests {
    private static let first = #"{"payload":{"z":1.0,"aps":{"alert":"A"}}}"#

    @Test func versionsKeepKeyOrderAndDigits() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let templates = fixture.stores.templates
            let made = try await templates.create(app: app.id, name: "A", content: Self.first)
            let second = #"{"payload":{}}"#
            let saved = try await templates.update(made.id, app: app.id, version: 1, name: "B", content: second)

            #expect(saved.version == 2 && saved.name == "B")
            #expect(try await templates.findContent(of: made.id, app: app.id).version.content == second)
            #expect(try await templates.findContent(of: made.id, app: app.id, version: 1).version.content == Self.first)
            let versions = try await templates.versions(of: made.id, app: app.id, before: nil, limit: 9)
            #expect(versions.map(\.number) == [2, 1])
            await #expect(throws: Refusal.versionConflict(current: 2)) {
                try await templates.update(made.id, app: app.id, version: 1, name: "C", content: second)
            }
            await #expect(throws: Refusal.notFound(.version)) {
                try await templates.findContent(of: made.id, app: app.id, version: 3)
            }
            let other = try await fixture.app("com.example.Other")
            await #expect(throws: Refusal.notFound(.template)) {
                try await templates.duplicate(made.id, app: other.id, name: "Copy")
            }
            await #expect(throws: Refusal.notFound(.app)) {
                try await templates.create(app: App.ID(rawValue: 999), name: "A", content: Self.first)
            }
        }
    }

    @Test func longestValuesHaveTheNamesOfTemplateFields() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            try await fixture.pool.execute(
                """
                INSERT INTO known_attributes (app_id, name, longest)
                VALUES (\(app.id), 'first_name', 7), (\(app.id), '$model', 10), (\(app.id), 'empty', 0)
                """)
            let context = try await fixture.stores.contentContexts.context(of: app.id)

            #expect(context.messageIDKey == "i")
            #expect(context.categories == [])
            #expect(context.attachmentKeys == .standard)
            #expect(
                context.longestValues == [
                    .attribute(["first_name"]): "9999999", .device(.model): "9999999999", .attribute(["empty"]): "",
                ])
        }
    }
}
