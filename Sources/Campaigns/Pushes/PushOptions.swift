public import Notifications

/// The options of pushes to single devices.
public struct PushOptions: Hashable, Sendable {
    public let bundleID: BundleID
    public let pushType: PushType
    public let priority: Priority
    /// Seconds since 1970; 0 is one attempt and no storage.
    public let expiration: Int
    public let collapseID: CollapseID?

    public init(
        bundleID: BundleID, pushType: PushType, priority: Priority, expiration: Int, collapseID: CollapseID?
    ) {
        self.bundleID = bundleID
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
    }
}
