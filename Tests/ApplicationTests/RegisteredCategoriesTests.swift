import Campaigns
import Notifications
import Store
import StoreSupport
import Testing

@testable import Application

@Suite struct RegisteredCategoriesTests {
    @Test func registeredCategoriesFollowEveryChange() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let categories = fixture.categories
            let registered = RegisteredCategories(categories)
            func names() async throws -> [String] {
                try await registered.categories(of: app.id).map(\.identifier)
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
}
