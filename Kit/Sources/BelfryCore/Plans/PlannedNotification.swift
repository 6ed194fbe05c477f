import Foundation

/// A local notification that the server wants scheduled: what a `UNNotificationRequest` is made of, in one language.
public struct PlannedNotification: Codable, Equatable, Sendable {
    /// Names its plan, too; unique among all plans of the app.
    public let identifier: String
    /// The time or place.
    public let trigger: Trigger
    /// The properties of `UNMutableNotificationContent`, by the server's names.
    public let content: JSONValue
    /// Of its plan; nil from a server that does not say.
    public let version: Int?
    /// The last day on which it may appear, by the phone's clock, like `2026-12-24`; nil: without end.
    public let lastDay: String?

    enum CodingKeys: String, CodingKey {
        case identifier, trigger, content, version
        case lastDay = "last_day"
    }

    /// For tests: the server makes them.
    public init(
        identifier: String, trigger: Trigger, content: JSONValue, version: Int? = nil, lastDay: String? = nil
    ) {
        self.version = version
        self.lastDay = lastDay
        self.identifier = identifier
        self.trigger = trigger
        self.content = content
    }

    /// Whether iOS would show the same at the same times: a new version of a plan may have changed others of it only.
    func isSame(as other: PlannedNotification) -> Bool {
        trigger == other.trigger && content == other.content && lastDay == other.lastDay
    }

    /// Whether the last day is over.
    func hasEnded(at date: Date, in zone: TimeZone) -> Bool {
        guard let lastDay else { return false }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let day = calendar.dateComponents([.year, .month, .day], from: date)
        // Texts of days have the order of the days.
        return [(day.year, 4), (day.month, 2), (day.day, 2)].map { number, width in
            let digits = String(number ?? 0)
            return String(repeating: "0", count: max(width - digits.count, 0)) + digits
        }.joined(separator: "-") > lastDay
    }

    /// The time or place of a local notification. A kind that this version of the kit does not know is `unknown`.
    public enum Trigger: Equatable, Sendable {
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
    public struct Region: Codable, Equatable, Sendable {
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

        enum CodingKeys: String, CodingKey {
            case identifier, latitude, longitude, radius
            case onEntry = "on_entry"
            case onExit = "on_exit"
        }

        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            identifier = try members.decode(String.self, forKey: .identifier)
            latitude = try members.decode(Double.self, forKey: .latitude)
            longitude = try members.decode(Double.self, forKey: .longitude)
            radius = try members.decode(Double.self, forKey: .radius)
            let onExit = try members.decodeIfPresent(Bool.self, forKey: .onExit)
            // The way in is the default, unless the way out is asked for.
            onEntry = try members.decodeIfPresent(Bool.self, forKey: .onEntry) ?? (onExit != true)
            self.onExit = onExit ?? false
        }
    }
}

/// The answer of `GET …/local-plans/scheduled`.
public struct PlanList: Codable, Equatable, Sendable {
    enum CodingKeys: String, CodingKey {
        case list = "notifications"
        case omitted = "omitted_count"
    }

    private let list: ReadableElements<PlannedNotification>
    private let omitted: Int?

    /// The soonest first.
    public var notifications: [PlannedNotification] { list.elements }
    /// Notifications of the server that did not fit.
    public var omittedCount: Int { omitted ?? 0 }
    /// Notifications that this version of the kit can't read. They are left out.
    public var unreadableCount: Int { list.unreadableCount }

    init(notifications: [PlannedNotification], omittedCount: Int) {
        list = ReadableElements(notifications)
        omitted = omittedCount
    }
}

extension PlannedNotification.Trigger: Codable {
    private enum Key: String, CodingKey {
        case type, seconds, repeats, components
        case timeZone = "time_zone"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        func repeats() throws -> Bool { try members.decodeIfPresent(Bool.self, forKey: .repeats) ?? false }
        switch try members.decode(String.self, forKey: .type) {
        case "interval":
            self = .interval(seconds: try members.decode(Double.self, forKey: .seconds), repeats: try repeats())
        case "calendar":
            self = .calendar(
                try members.decode([String: Int].self, forKey: .components),
                timeZone: try members.decodeIfPresent(String.self, forKey: .timeZone), repeats: try repeats())
        case "region": self = .region(try PlannedNotification.Region(from: decoder), repeats: try repeats())
        case "app_update": self = .appUpdate(seconds: try members.decode(Double.self, forKey: .seconds))
        case let other: self = .unknown(other)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        switch self {
        case .interval(let seconds, let repeats):
            try members.encode("interval", forKey: .type)
            try members.encode(seconds, forKey: .seconds)
            try members.encode(repeats, forKey: .repeats)
        case .calendar(let components, let timeZone, let repeats):
            try members.encode("calendar", forKey: .type)
            try members.encode(components, forKey: .components)
            try members.encodeIfPresent(timeZone, forKey: .timeZone)
            try members.encode(repeats, forKey: .repeats)
        case .region(let region, let repeats):
            try region.encode(to: encoder)
            try members.encode("region", forKey: .type)
            try members.encode(repeats, forKey: .repeats)
        case .appUpdate(let seconds):
            try members.encode("app_update", forKey: .type)
            try members.encode(seconds, forKey: .seconds)
        case .unknown(let type): try members.encode(type, forKey: .type)
        }
    }
}
