import Campaigns
import JSON
import Notifications
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct LocalPlanStoreTests {
    private static func content(_ name: String, isArchived: Bool = false) throws -> LocalPlanContent {
        let json: JSON = [
            "notifications": [
                [
                    "identifier": "n", "trigger": ["type": "interval", "seconds": 60, "repeats": true],
                    "content": ["aps": ["alert": ["title": "Water", "body": "\u{1F4A7}"], "sound": "drop.caf"]],
                ]
            ]
        ]
        let plan = try LocalPlan(identifier: "", json: json)
        return LocalPlanContent(name: name, notifications: plan.notifications, isArchived: isArchived)
    }

    @Test func planRoundTrips() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let content = try Self.content("Water")

            let made = try await fixture.plans.create(app: app.id, content)

            #expect(made.plan == LocalPlan(identifier: made.id.description, notifications: content.notifications))
            #expect(try await fixture.plans.find(made.id, app: app.id) == made)
        }
    }

    @Test func archivedPlansAreNotActive() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let plans = fixture.plans
            let first = try await plans.create(app: app.id, try Self.content("First"))
            let second = try await plans.create(app: app.id, try Self.content("Second"))
            _ = try await plans.create(app: app.id, try Self.content("Third", isArchived: true))
            #expect(try await plans.active(app: app.id) == [first, second])

            let archived = try await plans.update(
                first.id, app: app.id, version: 1, to: try Self.content("First", isArchived: true))
            #expect(archived.archivedAt != nil)
            #expect(try await plans.active(app: app.id) == [second])

            let again = try await plans.update(
                first.id, app: app.id, version: 2, to: try Self.content("Renamed", isArchived: true))
            #expect(again.archivedAt == archived.archivedAt)
            await #expect(throws: Refusal.versionConflict(current: 3)) {
                try await plans.update(first.id, app: app.id, version: 2, to: try Self.content("Late"))
            }
        }
    }
}
