import Foundation

/// The time of a service extension. Apple's page `UNNotificationServiceExtension` says about 30 seconds, and promises
/// nothing. Uptime is counted, which a clock that is set does not change.
public struct ServiceTime: Sendable {
    /// Seconds that iOS gives an extension, about: Apple promises no number.
    public static let total: TimeInterval = 30
    /// For handing over the notification, before iOS has to ask for it.
    public static let reserve: TimeInterval = 5

    private let start: TimeInterval

    /// `uptime` in seconds.
    public init(startingAt uptime: TimeInterval) { start = uptime }

    /// Seconds that a download may take; at least 1, because 0 is no limit for `URLSession`.
    public func left(at uptime: TimeInterval) -> TimeInterval {
        max(Self.total - Self.reserve - max(uptime - start, 0), 1)
    }
}
