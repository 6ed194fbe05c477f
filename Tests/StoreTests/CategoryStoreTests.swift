import Campaigns
import Notifications
import Postgres
import Testing

@testable import Store

@Suite struct CategoryStoreTests {
    @Test func categoryComesBackAsItWas() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let category = Category(
                identifier: "MESSAGE",
                actions: [
                    Category.Action(identifier: "z", title: LocalizedText("Z", [try LocaleTag("zh-TW"): "乙"])),
                    Category.Action(identifier: "a", title: "A\u{0001}\"\\"),
                ], options: [.customDismissAction])

            let made = try await fixture.categories.create(app: app.id, category)

            #expect(made.category == category)
            #expect(try await fixture.categories.find(made.id, app: app.id) == made)
        }
    }

    @Test func registeredCategoriesFollowEveryChange() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let categories = fixture.categories
            func names() async throws -> [String] {
                try await categories.registered(app: app.id).map(\.identifier)
            }

            #expect(try await names() == [])
            let first = try await categories.create(app: app.id, Category(identifier: "b"))
            #expect(try await names() == ["b"])
            _ = try await categories.create(app: app.id, Category(identifier: "a"))
            #expect(try await names() == ["a", "b"])
            _ = try await categories.update(first.id, app: app.id, version: 1, to: Category(identifier: "c"))
            #expect(try await names() == ["a", "c"])
            // Another process has a store of its own.
            try await fixture.categories.delete(first.id, app: app.id)
            #expect(try await names() == ["a"])
        }
    }

    @Test func oneCategoryTooManyIsRefused() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            for index in 0..<CategoryStore.maximumCount {
                _ = try await fixture.categories.create(app: app.id, Category(identifier: "\(index)"))
            }

            await #expect(throws: StoreRefusal.tooMany(.category, limit: CategoryStore.maximumCount)) {
                try await fixture.categories.create(app: app.id, Category(identifier: "more"))
            }
        }
    }

    @Test func categoryOfAnotherAppIsNotFound() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let other = try await fixture.app("com.example.Other")
            let made = try await fixture.categories.create(app: app.id, Category(identifier: "a"))

            await #expect(throws: StoreRefusal.notFound(.category)) {
                try await fixture.categories.find(made.id, app: other.id)
            }
            await #expect(throws: StoreRefusal.notFound(.category)) {
                try await fixture.categories.update(made.id, app: other.id, version: 1, to: made.category)
            }
            await #expect(throws: StoreRefusal.notFound(.category)) {
                try await fixture.categories.delete(made.id, app: other.id)
            }
            await #expect(throws: StoreRefusal.notFound(.app)) {
                try await fixture.categories.create(app: App.ID(rawValue: 999), Category(identifier: "a"))
            }
        }
    }
}
