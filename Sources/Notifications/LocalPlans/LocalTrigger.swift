/// The condition that makes a local notification appear.
public enum LocalTrigger: Sendable, Equatable {
    /// Fires `seconds` after the app has scheduled it, once or repeatedly (UNTimeIntervalNotificationTrigger).
    case interval(seconds: Double, repeats: Bool)
    /// Fires when the components match, in a time zone by its IANA name or, without one, in the device's
    /// (UNCalendarNotificationTrigger).
    case calendar(CalendarComponents, timeZone: String?, repeats: Bool)
    /// Fires when the device enters or leaves a region (UNLocationNotificationTrigger); needs location permission.
    case region(Region, repeats: Bool)
    /// Fires `seconds` after the first launch of a new version of the app; 0 is immediately. iOS has no such trigger:
    /// the app detects the update and schedules an interval.
    case appUpdate(seconds: Double)

    /// A circle (CLCircularRegion).
    public struct Region: Sendable, Equatable {
        public var identifier: String
        /// In degrees, south is negative.
        public var latitude: Double
        /// In degrees, west is negative.
        public var longitude: Double
        /// In metres.
        public var radius: Double
        public var onEntry: Bool
        public var onExit: Bool

        /// In metres. Devices reduce a radius above their own limit.
        public static let radii = 1.0...1_000_000.0

        public init(
            identifier: String, latitude: Double, longitude: Double, radius: Double, onEntry: Bool = true,
            onExit: Bool = false
        ) {
            self.identifier = identifier
            self.latitude = latitude
            self.longitude = longitude
            self.radius = radius
            self.onEntry = onEntry
            self.onExit = onExit
        }
    }

    /// In seconds: iOS raises an exception for a shorter repeating interval.
    public static let minimumRepeatingInterval = 60.0
    /// In seconds: ten years, far beyond the life of a plan.
    public static let maximumInterval = 315_360_000.0
}
