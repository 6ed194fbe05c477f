/// The `apns-priority` header.
public enum Priority: Int, CaseIterable, Sendable {
    /// At once.
    case immediate = 10
    /// At a time that spares the battery; may be batched and throttled.
    case powerAware = 5
    /// Power before all else: never wakes the device.
    case powerFirst = 1
}
