/// A day of the week. The raw value is Apple's and `CivilDay`'s: 1 is Sunday.
public enum Weekday: Int, CaseIterable, Hashable, Sendable {
    case sunday = 1
    case monday, tuesday, wednesday, thursday, friday, saturday

    /// As rules write it (RFC 5545 §3.3.10).
    var code: String {
        switch self {
        case .sunday: "SU"
        case .monday: "MO"
        case .tuesday: "TU"
        case .wednesday: "WE"
        case .thursday: "TH"
        case .friday: "FR"
        case .saturday: "SA"
        }
    }

    init?(code: String) {
        guard let match = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = match
    }

    var name: String {
        switch self {
        case .sunday: "Sunday"
        case .monday: "Monday"
        case .tuesday: "Tuesday"
        case .wednesday: "Wednesday"
        case .thursday: "Thursday"
        case .friday: "Friday"
        case .saturday: "Saturday"
        }
    }

    /// From 0, as weeks are written where they begin on Monday.
    var indexFromMonday: Int { (rawValue + 5) % 7 }
}
