import Foundation
import JSON
import Notifications

/// Decodes an entry of a plan into the properties of UNNotificationRequest as an app does, and converts it back.
struct AppNotification: Decodable {
    /// A text, or what `NSString.localizedUserNotificationString` takes.
    enum Text: Decodable, Equatable {
        case text(String)
        case localized(key: String, arguments: [String])

        private enum Key: String, CodingKey {
            case localizationKey, arguments
        }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self = .text(text)
            } else {
                let container = try decoder.container(keyedBy: Key.self)
                self = .localized(
                    key: try container.decode(String.self, forKey: .localizationKey),
                    arguments: try container.decode([String].self, forKey: .arguments))
            }
        }
    }

    struct Sound: Decodable, Equatable {
        let name: String
        let critical: Bool
        let volume: Double?
    }

    struct Content: Decodable {
        let title: Text?
        let subtitle: Text?
        let body: Text?
        let badge: Int?
        let sound: Sound?
        let categoryIdentifier: String?
        let threadIdentifier: String?
        let targetContentIdentifier: String?
        let interruptionLevel: Int?
        let relevanceScore: Double?
        let filterCriteria: String?
        let launchImageName: String?
        let userInfo: JSON
        let attachmentUrl: URL?
    }

    struct Trigger: Decodable {
        let type: String
        let seconds: Double?
        let components: [String: Int]?
        let timeZone: String?
        let repeats: Bool?
        let identifier: String?
        let latitude: Double?
        let longitude: Double?
        let radius: Double?
        let onEntry: Bool?
        let onExit: Bool?
    }

    let identifier: String
    let trigger: Trigger
    let content: Content

    struct Plan: Decodable {
        let notifications: [AppNotification]
        let omittedCount: Int
    }

    static func plan(_ json: JSON) throws -> Plan {
        try AppCategory.decoder.decode(Plan.self, from: Data(json.encoded()))
    }
}

extension AppNotification.Trigger {
    /// Through DateComponents, as in the app.
    var trigger: LocalTrigger? {
        switch type {
        case "interval": seconds.map { .interval(seconds: $0, repeats: repeats ?? false) }
        case "calendar":
            .calendar(
                CalendarComponents(
                    year: dateComponents.year, month: dateComponents.month, day: dateComponents.day,
                    weekday: dateComponents.weekday, weekdayOrdinal: dateComponents.weekdayOrdinal,
                    hour: dateComponents.hour, minute: dateComponents.minute, second: dateComponents.second),
                timeZone: dateComponents.timeZone?.identifier, repeats: repeats ?? false)
        case "region": region.map { .region($0, repeats: repeats ?? false) }
        case "app_update": seconds.map { .appUpdate(seconds: $0) }
        default: nil
        }
    }

    private var dateComponents: DateComponents {
        var date = DateComponents()
        date.timeZone = timeZone.flatMap(TimeZone.init(identifier:))
        for (name, value) in components ?? [:] {
            switch name {
            case "year": date.year = value
            case "month": date.month = value
            case "day": date.day = value
            case "weekday": date.weekday = value
            case "weekday_ordinal", "weekdayOrdinal": date.weekdayOrdinal = value
            case "hour": date.hour = value
            case "minute": date.minute = value
            case "second": date.second = value
            default: break
            }
        }
        return date
    }

    private var region: LocalTrigger.Region? {
        guard let identifier, let latitude, let longitude, let radius, let onEntry, let onExit else { return nil }
        return LocalTrigger.Region(
            identifier: identifier, latitude: latitude, longitude: longitude, radius: radius, onEntry: onEntry,
            onExit: onExit)
    }
}
