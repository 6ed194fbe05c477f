import Campaigns
import JSON
import Notifications

/// Reads schedules, quiet hours and frequency caps from their columns.
enum RuleColumns {
    static func quietHours(_ text: String?) throws -> QuietHours? {
        try text.map { try QuietHours(json: try JSON(parsing: $0)) }
    }

    static func globalControl(_ text: String?) throws -> GlobalControl? {
        try text.map { try GlobalControl(json: try JSON(parsing: $0)) }
    }

    static func cap(_ count: Int?, _ days: Int?) -> FrequencyCap? {
        guard let count, let days else { return nil }
        return FrequencyCap(count: count, days: days)
    }

    /// Time zones were validated when the schedule was saved.
    static func schedule(_ text: String?) throws -> Schedule? {
        try text.map { try Schedule(json: try JSON(parsing: $0)) }
    }

    static func occurrence(_ text: String?) throws -> Occurrence? {
        switch try schedule(text) {
        case .at(let moment): .at(moment)
        case .local(let time, let ifPast, let until): .local(time, ifPast: ifPast, until: until)
        case .recurring, .triggered, nil: nil
        }
    }
}

extension Occurrence {
    /// Stored as a schedule with this occurrence only.
    var json: JSON {
        switch self {
        case .at(let moment): Schedule.at(moment).json
        case .local(let time, let ifPast, let until): Schedule.local(time, ifPast: ifPast, until: until).json
        }
    }
}

extension JSON {
    var text: String { String(decoding: encoded(), as: UTF8.self) }
}
