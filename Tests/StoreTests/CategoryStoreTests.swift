import Campaigns
import Notifications
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct CategoryStoreTests {
    @Test func categoryRoundTrips() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let category = Category(
                identifier: "MESSAGE",
                actions: [
                    Category.Action(identifier: "z", title: LocalizedText("Z", [try LocaleTag("zh-TW"): "乙"])),
                    Category.Action(identifier: "a", title: "A\u{0001}\"\\"),
                ], options: [.customDismissAction])

            let made = try await fixture.categories.create(app: app.id, category)

            #expect(made.value == category)
            #expect(try await fixture.categories.find(made.id, app: app.id) == made)
        }
    }

    @Test func categoryLimitIsEnforced() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            for index in 0..<CategoryStore.maximumCount {
                _ = try await fixture.categories.create(app: app.id, Category(identifier: "\(index)"))
            }

            await #expect(throws: Refusal.tooMany(.category, limit: CategoryStore.maximumCount)) {
                try await fixture.categories.create(app: app.id, Category(identifier: "more"))
            }
        }
    }

    @Test func categoryOfAnotherAppIsNotFound() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let other = try await fixture.app("com.example.Other")
            let made = try await fixture.categories.create(app: app.id, Category(identifier: "a"))

            await #expect(throws: Refusal.notFound(.category)) {
                try await fixture.categories.find(made.id, app: other.id)
            }
            await #expect(throws: Refusal.notFound(.category)) {
                try await fixture.categories.update(made.id, app: other.id, version: 1, to: made.value)
            }
            await #expect(throws: Refusal.notFound(.category)) {
                try await fixture.categories.delete(made.id, app: other.id)
            }
            await #expect(throws: Refusal.notFound(.app)) {
                try await fixture.categories.create(app: App.ID(rawValue: 999), Category(identifier: "a"))
            }
        }
    }
}
