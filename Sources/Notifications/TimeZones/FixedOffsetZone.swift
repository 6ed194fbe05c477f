/// Zones with a fixed offset, as Foundation names them when a device has no other: "GMT+0800", "GMT+05:30", "UTC+8".
enum FixedOffsetZone {
    /// In hours.
    static let maximumEast = 14
    static let maximumWest = 12

    /// The canonical name of a zone. Etc/GMT-8 is eight hours east of Greenwich.
    static func name(of text: String) -> String? {
        guard let match = text.wholeMatch(of: /(?i:GMT|UTC)([+-])(\d{1,2}):?(\d{2})?/),
            let hours = Int(match.1 + match.2),
            let minutes = Int(match.3 ?? "00")
        else { return nil }
        if minutes > 0 { return halfHours["\(match.1)\(abs(hours)):\(minutes)"] }
        guard hours != 0 else { return ZoneName.utc }
        guard hours <= maximumEast, hours >= -maximumWest else { return nil }
        return "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
    }

    /// Zones without daylight saving time.
    private static let halfHours = [
        "+3:30": "Asia/Tehran", "+4:30": "Asia/Kabul", "+5:30": "Asia/Kolkata", "+5:45": "Asia/Kathmandu",
        "+6:30": "Asia/Yangon", "+8:45": "Australia/Eucla", "+9:30": "Australia/Darwin", "-9:30": "Pacific/Marquesas",
    ]
}
