import Administration
import Campaigns
import Crypto
import JSON
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Application
@testable import Store

/// A schedule and a trigger start only what a second person has approved.
@Suite struct ApprovalStartTests {
    private struct World {
        let fixture: StoreFixture
        let app: App.ID
        let campaign: CampaignRecord

        /// An app with one device that requires approvals, and a scheduled campaign.
        init(_ fixture: StoreFixture, _ schedule: Schedule) async throws {
            self.fixture = fixture
            let app = try await fixture.app()
            _ = try await fixture.credentials.create(
                app: app.id, keyID: KeyID("ABC1234567"), teamID: TeamID("DEF1234567"), key: .generate(),
                environments: [.production])
            var settings = app.settings
            settings.approvalAbove = 0
            self.app = try await fixture.stores.apps.update(app.id, version: app.version, to: settings).id
            try await fixture.pool.insertDevice("a", of: app.id)
            var content = CampaignContent(name: "Sale", payload: #"{"aps":{"alert":"Hello"}}"#)
            content.schedule = schedule
            let made = try await fixture.campaigns.create(app: app.id, content)
            campaign = try await fixture.campaigns.schedule(made.id, app: app.id)
        }

        func approve() async throws {
            let content = try Approval.content(
                campaign.content, by: campaign.content.schedule, to: .everybody)
            let request = try await fixture.stores.approvals.request(
                ApprovalStore.Request(
                    campaign: try await fixture.campaigns.find(campaign.id, app: app), content: content, recipients: 1,
                    requestedBy: nil, requester: "Li", comment: "", overdueAt: nil))
            let isApproved = try await fixture.stores.approvals.decide(
                request, .approved, by: nil, named: "Ada", comment: nil)
            #expect(isApproved)
        }
    }

    @Test func campaignThatIsNotApprovedFailsAtItsTime() async throws {
        try await StoreFixture.run { fixture in
            let world = try await World(fixture, .at(try await fixture.stores.forecasts.now()))
            let starts = try await fixture.starter.startDue()
            let key = Campaign.Key(app: world.app, id: world.campaign.id)
            #expect(starts == [.refused(key, ApprovalStanding.missing.reason)])
            #expect(try await fixture.campaigns.find(key.id, app: key.app).state == .failed)
        }
    }

    @Test func approvedCampaignStartsAtItsTime() async throws {
        try await StoreFixture.run { fixture in
            let world = try await World(fixture, .at(try await fixture.stores.forecasts.now()))
            try await world.approve()
            let starts = try await fixture.starter.startDue()
            guard case .run? = starts.first else {
                Issue.record("it did not start: \(starts)")
                return
            }
        }
    }

    @Test func triggerStartsWhatIsApproved() async throws {
        try await StoreFixture.run { fixture in
            let world = try await World(fixture, .triggered)
            await #expect(throws: Refusal.notApproved(.missing)) {
                try await fixture.trigger.trigger(world.campaign.id, app: world.app, userIDs: nil)
            }
            try await world.approve()
            // Also for more people than before, and for some of them.
            for name in ["b", "c"] {
                try await fixture.pool.insertDevice(name, of: world.app, ["user_id": "\(name)"])
            }
            _ = try await fixture.trigger.trigger(world.campaign.id, app: world.app, userIDs: nil)
            _ = try await fixture.trigger.trigger(world.campaign.id, app: world.app, userIDs: ["b"])
        }
    }
}
