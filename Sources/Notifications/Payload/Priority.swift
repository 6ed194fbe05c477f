/// The `apns-priority` header.
public enum Priority: Int, CaseIterable, Sendable {
    /// Delivered immediately.
    case immediate = 10
    /// Delivered with regard to the battery; may be batched and throttled.
    case powerAware = 5
    /// Saves power before anything else: never wakes the device.
    case powerFirst = 1
}
