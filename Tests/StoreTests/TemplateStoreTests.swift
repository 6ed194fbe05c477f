import Campaigns
import Crypto
import JSON
import Notifications
import Postgres
import Testing

@testable import Store

@Suite struct TemplateStoreTests {
    private static let first = #"{"payload":{"z":1.0,"aps":{"alert":"A"}}}"#

    @Test func versionsKeepTheirOrderAndDigits() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let templates = TemplateStore(pool: fixture.pool)
            let made = try await templates.create(app: app.id, name: "A", content: Self.first)
            let second = #"{"payload":{}}"#
            let saved = try await templates.update(made.id, app: app.id, version: 1, name: "B", content: second)

            #expect(saved.version == 2 && saved.name == "B")
            #expect(try await templates.find(made.id, app: app.id).version.content == second)
            #expect(try await templates.find(made.id, app: app.id, version: 1).version.content == Self.first)
            let versions = try await templates.versions(of: made.id, app: app.id, before: nil, limit: 9)
            #expect(versions.map(\.number) == [2, 1])
            await #expect(throws: StoreRefusal.versionConflict(current: 2)) {
                try await templates.update(made.id, app: app.id, version: 1, name: "C", content: second)
            }
            await #expect(throws: StoreRefusal.notFound(.version)) {
                try await templates.find(made.id, app: app.id, version: 3)
            }
            let other = try await fixture.app("com.example.Other")
            await #expect(throws: StoreRefusal.notFound(.template)) {
                try await templates.duplicate(made.id, app: other.id, name: nil)
            }
            await #expect(throws: StoreRefusal.notFound(.app)) {
                try await templates.create(app: App.ID(rawValue: 999), name: "A", content: Self.first)
            }
        }
    }

    @Test func runSendsTheVersionThatItsCampaignNamed() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let templates = TemplateStore(pool: fixture.pool)
            let template = try await templates.create(app: app.id, name: "A", content: Self.first)
            _ = try await templates.update(template.id, app: app.id, version: 1, name: "A", content: Self.first)
            let reference = TemplateReference(id: template.id, version: 1)
            let made = try await fixture.campaigns.create(
                app: app.id, CampaignContent(name: "Sale", body: .template(reference)))
            #expect(made.content.template == reference && made.content.payload == nil)
            _ = try await fixture.credentials.create(
                app: app.id, keyID: KeyID("ABC1234567"), teamID: TeamID("DEF1234567"), key: .generate(),
                environments: [.production])
            _ = try await fixture.campaigns.start(made.id, app: app.id)

            try await fixture.pool.execute(
                "INSERT INTO devices (app_id, environment, installation, token) VALUES (\(app.id), 0, 'a', '\\x01')")
            _ = try await RunStartStore(pool: fixture.pool).startDue()

            let rows = try await fixture.pool.query(
                "SELECT template_id, template_version, payload IS NULL FROM runs")
            #expect(try rows[0][0, as: Template.ID.self] == template.id)
            #expect(try rows[0][1, as: Int.self] == 1)
            #expect(try rows[0][2, as: Bool.self])
        }
    }

    @Test func longestValuesStandUnderTheNamesOfTemplates() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            try await fixture.pool.execute(
                """
                INSERT INTO known_attributes (app_id, name, longest)
                VALUES (\(app.id), 'first_name', 7), (\(app.id), '$model', 10), (\(app.id), 'empty', 0)
                """)
            let context = try await ContentContextStore(pool: fixture.pool).context(of: app.id)

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
