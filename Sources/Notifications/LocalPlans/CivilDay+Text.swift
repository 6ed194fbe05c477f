extension CivilDay {
    /// Reads `2026-11-21`; nil for anything else, and for a day that the calendar does not have.
    public init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), year >= 1,
            1...12 ~= month, 1...Self.longest(month: month, year: year) ~= day
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// `2026-11-21`, for years of four digits.
    public var text: String {
        func padded(_ number: Int, _ length: Int) -> String {
            String(repeating: "0", count: max(0, length - "\(number)".count)) + "\(number)"
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
