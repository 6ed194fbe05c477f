public import Notifications

/// The days that conditions about days mean by "today": one, or one for each time zone of the recipients.
///
/// Docs/decisions/audience.md explains which day it is.
public struct AudienceDays: Hashable, Sendable {
    /// The day of those whose zone is not in `zones` comes first.
    public private(set) var days: [CivilDay]
    /// The zones with other days, and the index of the day of each.
    public private(set) var zones: [String] = []
    public private(set) var indexes: [Int32] = []

    /// Everywhere.
    public init(_ day: CivilDay) {
        days = [day]
    }

    public mutating func set(_ day: CivilDay, in zone: String) {
        guard day != days[0] else { return }
        zones.append(zone)
        if let known = days.firstIndex(of: day) {
            indexes.append(Int32(known))
        } else {
            indexes.append(Int32(days.count))
            days.append(day)
        }
    }

    public func day(in zone: String?) -> CivilDay {
        guard let place = zones.firstIndex(where: { $0 == zone }) else { return days[0] }
        return days[Int(indexes[place])]
    }
}

extension ResolvedAudience {
    /// Whether who is in it depends on which day today is.
    public var dependsOnDay: Bool { audience.condition?.dependsOnDay ?? false }
}

extension AudienceCondition {
    fileprivate var dependsOnDay: Bool {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.contains(where: \.dependsOnDay)
        case .not(let condition): condition.dependsOnDay
        case .attribute(_, .day(let test)):
            switch test {
            case .before, .after: false
            case .withinDays, .olderThanDays, .withinNextDays, .anniversaryInDays: true
            }
        case .field, .attribute, .tag, .optedOut, .userIDs, .segment, .event, .outcome, .customEvent: false
        }
    }
}
