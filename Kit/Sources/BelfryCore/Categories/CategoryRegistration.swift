/// Decides what to hand to `setNotificationCategories(_:)`, which replaces the app's whole set, also the categories that
/// other code has registered. It is stored as a file: it knows which categories are the kit's after a launch.
public struct CategoryRegistration: Codable, Sendable {
    /// The categories that were registered last.
    public private(set) var registered: [NotificationCategory] = []

    /// Nothing has been registered.
    public init() {}

    /// A call to `UNUserNotificationCenter`.
    public enum Action: Equatable, Sendable {
        /// Call nothing: each call takes time, and two of them race.
        case none
        /// Set the present categories with the identifiers in `keeping`, and these.
        case set([NotificationCategory], keeping: Set<String>)
    }

    /// `present` are the identifiers that `getNotificationCategories` returns. A category of the server replaces one of
    /// the app's with the same identifier, because pushes name it.
    public mutating func update(to categories: [NotificationCategory], present: Set<String>) -> Action {
        let isComplete = categories.allSatisfy { present.contains($0.identifier) }
        guard categories != registered || !isComplete else { return .none }
        let own = (registered + categories).map(\.identifier)
        registered = categories
        return .set(categories, keeping: present.subtracting(own))
    }
}
