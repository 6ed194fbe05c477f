import Campaigns
import Crypto
import Notifications
import Postgres
import Store
import StoreSupport
import TestSupport
import Testing

@testable import Application

@Suite struct TemplateRunTests {
    private static let first = #"{"payload":{"aps":{"alert":"Hi"}}}"#

    @Test func runSendsTheVersionThatItsCampaignNamed() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let templates = fixture.stores.templates
            let template = try await templates.create(app: app.id, name: "A", content: Self.first)
            _ = try await templates.update(template.id, app: app.id, version: 1, name: "A", content: Self.first)
            let reference = TemplateReference(id: template.id, version: 1)
            let made = try await fixture.campaigns.create(
                app: app.id, CampaignContent(name: "Sale", body: .template(reference)))
            #expect(made.content.body == .template(reference))
            _ = try await fixture.credentials.create(
                app: app.id, keyID: KeyID("ABC1234567"), teamID: TeamID("DEF1234567"), key: .generate(),
                environments: [.production])
            _ = try await fixture.campaigns.start(made.id, app: app.id)

            try await fixture.pool.insertDevice("a", of: app.id)
            _ = try await fixture.starter.startDue()

            let rows = try await fixture.pool.query(
                "SELECT template_id, template_version, payload IS NULL FROM run_variants")
            #expect(try rows[0][0, as: Template.ID.self] == template.id)
            #expect(try rows[0][1, as: Int.self] == 1)
            #expect(try rows[0][2, as: Bool.self])
        }
    }
}
