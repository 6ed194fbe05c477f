import Foundation

/// A local notification that the server wants scheduled: what a `UNNotificationRequest` is made of, in one language.
public struct PlannedNotification: Codable, Equatable, Sendable {
    /// Names its plan, too; unique among all plans of the app.
    public let identifier: String
    /// The time or place.
    public let trigger: Trigger
    /// The properties of `UNMutableNotificationContent`, by the server's names.
    public let content: JSONValue
    /// The last day on which it may appear, by the phone's clock, like `2026-12-24`; nil: without end.
    public let lastDay: String?
    /// Of its plan; nil from a server that does not say.
    public var version: Int? { json["version"]?.integer }

    let json: JSONValue

    /// Whether iOS would show the same at the same times: a new version of a plan may have changed others of it only.
    func isSame(as other: PlannedNotification) -> Bool {
        json["trigger"] == other.json["trigger"] && content == other.content && lastDay == other.lastDay
    }

    /// Whether the last day is over.
    func hasEnded(at date: Date, in zone: TimeZone) -> Bool {
        guard let lastDay else { return false }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let day = calendar.dateComponents([.year, .month, .day], from: date)
        // Texts of days have the order of the days.
        return [(day.year, 4), (day.month, 2), (day.day, 2)].map { number, width in
            EventFile.padded(Int64(number ?? 0), width)
        }.joined(separator: "-") > lastDay
    }

    /// The time or place of a local notification. A kind that this version of the kit does not know is `unknown`.
    public enum Trigger: Sendable {
        /// After this time, counted from when it is scheduled.
        case interval(seconds: TimeInterval, repeats: Bool)
        /// The components of a `DateComponents`, by name; the zone is the device's if it is nil.
        case calendar([String: Int], timeZone: String?, repeats: Bool)
        /// On entering or leaving a circle. The app needs the person's permission for the location.
        case region(Region, repeats: Bool)
        /// After this time, counted from the first start of a version of the app.
        case appUpdate(seconds: TimeInterval)
        /// One that a later server knows. It is not scheduled.
        case unknown(String)

        /// Seconds from its scheduling until it appears, as far as the server knows.
        var delay: TimeInterval {
            switch self {
            case .interval(let seconds, _), .appUpdate(let seconds): seconds
            case .calendar, .region, .unknown: 0
            }
        }
    }

    /// A circle on the earth, for a `CLCircularRegion`.
    public struct Region: Sendable {
        /// The region's name, which is one for the app.
        public let identifier: String
        /// In degrees.
        public let latitude: Double
        /// In degrees.
        public let longitude: Double
        /// In meters.
        public let radius: Double
        /// True: shown when the person arrives.
        public let onEntry: Bool
        /// True: shown when the person leaves.
        public let onExit: Bool
    }
}
