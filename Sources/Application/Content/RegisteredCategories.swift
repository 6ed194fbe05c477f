public import Campaigns
public import Notifications
public import Store

/// An app's categories as devices register them at each launch.
public struct RegisteredCategories: Sendable {
    private let categories: CategoryStore
    private let cache = VersionedCache<Category, [Category]>()

    public init(_ categories: CategoryStore) {
        self.categories = categories
    }

    /// Sorted by identifier.
    public func categories(of app: App.ID) async throws -> [Category] {
        if let known = cache.value(for: app, at: try await categories.versions(app: app)) { return known }
        let records = try await categories.all(app: app)
        let sorted = records.map(\.value).sorted { $0.identifier < $1.identifier }
        cache.insert(sorted, for: app, at: records.map { (id: $0.id, version: $0.version) })
        return sorted
    }
}
