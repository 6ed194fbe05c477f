/// What makes a local notification appear.
public enum LocalTrigger: Sendable, Equatable {
    /// So many seconds after the app has scheduled it, and after that again and again
    /// (UNTimeIntervalNotificationTrigger).
    case interval(seconds: Double, repeats: Bool)
    /// When the calendar shows the components, in a time zone by its IANA name or, without one, in the phone's
    /// (UNCalendarNotificationTrigger).
    case calendar(CalendarComponents, timeZone: String?, repeats: Bool)
    /// When the phone enters or leaves a region (UNLocationNotificationTrigger). It needs the permission for locations.
    case region(Region, repeats: Bool)
    /// So many seconds after the app has first run in a new version; 0 is at once. iOS has no such trigger: the app
    /// notices it and schedules an interval.
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

        /// In metres. Phones cut off what is beyond their own limit.
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

    /// In seconds: iOS raises an exception for a shorter interval that repeats.
    public static let minimumRepeatingInterval = 60.0
    /// In seconds: ten years, far beyond the life of a plan.
    public static let maximumInterval = 315_360_000.0
}
