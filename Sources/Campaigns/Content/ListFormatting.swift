import Notifications

extension [String] {
    /// As in "Monday, Tuesday and Friday".
    var joinedWithAnd: String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}

extension Int {
    /// As in "1st" and "12th".
    var ordinalText: String {
        let ending =
            switch (self % 10, self % 100) {
            case (_, 11...13): "th"
            case (1, _): "st"
            case (2, _): "nd"
            case (3, _): "rd"
            default: "th"
            }
        return "\(self)\(ending)"
    }
}

extension CivilTime {
    /// As in "Monday, 30 November 2026 at 18:00".
    var summary: String {
        let names = LiquidDateNames.english
        return "\(names.weekdays[date.weekday - 1]), \(date.day) \(names.months[date.month - 1]) \(date.year) "
            + "at \(clockText)"
    }

    /// As in "2026-11-30 at 18:00".
    var dateAndTimeText: String { "\(date.text) at \(clockText)" }
}
