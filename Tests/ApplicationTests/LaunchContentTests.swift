import Campaigns
import Crypto
import JSON
import Notifications
import Postgres
import Store
import StoreSupport
import TestSupport
import Testing

@testable import Application

/// Content that was fine when it was saved, looked at when nobody is there to press a button.
@Suite struct LaunchContentTests {
    /// With `"i"` as the message id's key, the Japanese has as many bytes as Apple takes.
    private static let news = """
        {"payload":{"aps":{"alert":"Hi"}},"variants":{"ja":{"aps":{"alert":"\(String(repeating: "x", count: 4_033))"}}}}
        """

    private static func readyApp(_ fixture: StoreFixture) async throws -> AppRecord {
        let app = try await fixture.app()
        _ = try await fixture.credentials.create(
            app: app.id, keyID: KeyID("ABC1234567"), teamID: TeamID("DEF1234567"), key: .generate(),
            environments: [.production])
        try await fixture.pool.insertDevice("a", of: app.id)
        return app
    }

    /// A campaign that waits for `schedule`.
    private static func scheduled(
        _ schedule: Schedule, content: String = news, isOwn: Bool = false, of app: AppRecord, _ fixture: StoreFixture
    ) async throws -> CampaignRecord {
        let template = try await fixture.stores.templates.create(app: app.id, name: "News", content: content)
        let reference = TemplateReference(id: template.id, version: template.version)
        var campaign = CampaignContent(name: "News", body: isOwn ? .content(content) : .template(reference))
        campaign.schedule = schedule
        let made = try await fixture.campaigns.create(app: app.id, campaign)
        return try await fixture.campaigns.schedule(made.id, app: app.id)
    }

    private static func setKey(_ key: String, of app: App.ID, _ fixture: StoreFixture) async throws {
        let current = try await fixture.apps.find(app)
        var settings = current.settings
        settings.messageIDKey = key
        _ = try await fixture.apps.update(app, version: current.version, to: settings)
    }

    private static func now(_ fixture: StoreFixture) async throws -> Int {
        try await fixture.pool.query("SELECT floor(extract(epoch FROM now()))::bigint")[0][0]
    }

    @Test func dueCampaignWithOneLocaleTooLongFailsWithAReason() async throws {
        try await StoreFixture.run { fixture in
            let app = try await Self.readyApp(fixture)
            let campaign = try await Self.scheduled(.at(Self.now(fixture)), of: app, fixture)
            try await Self.setKey("id", of: app.id, fixture)
            let starts = fixture.starter

            guard case .refused(let key, let words) = try await starts.startDue().first, key.id == campaign.id else {
                Issue.record("it was not refused")
                return
            }
            #expect(words.description.hasPrefix("The content can't be sent as it is: template.variants.ja: "))
            #expect(words.description.contains("4097 bytes"))
            let refused = try await fixture.campaigns.find(campaign.id, app: app.id)
            #expect(refused.state == .failed && refused.reason == words)
            #expect(try await fixture.pool.query("SELECT FROM runs").isEmpty)

            try await Self.setKey("i", of: app.id, fixture)
            _ = try await fixture.campaigns.start(campaign.id, app: app.id)
            guard case .run = try await starts.startDue().first else {
                Issue.record("what fits was not started")
                return
            }
        }
    }

    @Test(arguments: [false, true])
    func triggeredCampaignWithOneLocaleTooLongIsRefused(_ isOwn: Bool) async throws {
        try await StoreFixture.run { fixture in
            let app = try await Self.readyApp(fixture)
            let campaign = try await Self.scheduled(.triggered, isOwn: isOwn, of: app, fixture)
            let triggers = fixture.trigger
            let key = try #require(IdempotencyKey("a", of: .apiKey(1), bodyHash: [UInt8](repeating: 1, count: 32)))
            let run = try await triggers.trigger(campaign.id, app: app.id, userIDs: nil, key: key)
            try await Self.setKey("id", of: app.id, fixture)

            let error = await #expect(throws: Problems.self) {
                try await triggers.trigger(campaign.id, app: app.id, userIDs: nil)
            }
            #expect(error?.problems.map(\.path) == ["\(isOwn ? "content" : "template").variants.ja"])
            #expect(error?.problems.map(\.code) == ["payload-too-large"])
            // The same key still gets the run that was started before.
            #expect(try await triggers.trigger(campaign.id, app: app.id, userIDs: nil, key: key) == run)
            #expect(try await fixture.pool.query("SELECT FROM runs").count == 1)
            #expect(try await fixture.campaigns.find(campaign.id, app: app.id).state == .scheduled)
        }
    }

    @Test(arguments: [false, true])
    func contentWithMediaIsStarted(_ isOwn: Bool) async throws {
        try await StoreFixture.run { fixture in
            let app = try await Self.readyApp(fixture)
            let content = #"{"payload":{"aps":{"alert":"Hi"}},"media":{"url":"https://example.com/a.jpg"}}"#
            _ = try await Self.scheduled(
                .at(Self.now(fixture)), content: content, isOwn: isOwn, of: app, fixture)

            let starts = try await fixture.starter.startDue()

            #expect(starts.count { if case .run = $0 { true } else { false } } == 1)
        }
    }
}
