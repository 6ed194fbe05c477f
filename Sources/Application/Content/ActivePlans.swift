public import Campaigns
public import Notifications
public import Store

/// An app's plans of local notifications as devices schedule them.
public struct ActivePlans: Sendable {
    private let plans: LocalPlanStore
    private let cache = VersionedCache<LocalPlan, [LocalPlan]>()

    public init(_ plans: LocalPlanStore) {
        self.plans = plans
    }

    /// The plans that are not archived, in the order of their creation.
    public func plans(of app: App.ID) async throws -> [LocalPlan] {
        if let known = cache.value(for: app, at: try await plans.activeVersions(app: app)) { return known }
        let records = try await plans.active(app: app)
        cache.insert(records.map(\.plan), for: app, at: records.map { (id: $0.id, version: $0.version) })
        return records.map(\.plan)
    }
}
