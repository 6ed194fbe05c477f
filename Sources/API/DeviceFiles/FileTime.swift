import Campaigns

/// Times as databases and programs write them into files.
enum FileTime {
    /// Reads `2026-11-20`, `2026-11-20 10:00`, with seconds, fractions, `UTC` or an offset (RFC 3339, and the forms of
    /// PostgreSQL and Rails), and Unix time. Without a zone, the time is UTC. Nil for anything else: `11/20/2026` is a
    /// day of November only in some countries.
    static func instant(_ text: String) -> Instant? {
        if let instant = Instant(rfc3339: text) { return instant }
        if let number = Double(text) { return unixTime(number) }
        let day = text.prefix(dayLength)
        let rest = text.dropFirst(dayLength)
        guard let mark = rest.first else { return Instant(rfc3339: day + "T00:00:00Z") }
        guard mark == " " || mark == "T" || mark == "t", let (clock, offset) = parts(rest.dropFirst()) else {
            return nil
        }
        return Instant(rfc3339: "\(day)T\(clock)\(offset)")
    }

    private static let dayLength = "2026-11-20".count
    private static let maximumFraction = 6

    /// A time of the day and its offset, as RFC 3339 has them.
    private static func parts(_ text: Substring) -> (clock: String, offset: String)? {
        var clock = text
        var offset = "Z"
        if let word = ["UTC", "GMT", "Z", "z"].first(where: { text.hasSuffix($0) }) {
            clock = text.dropLast(word.count)
        } else if let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            clock = text[..<sign]
            let digits = text[text.index(after: sign)...].filter { $0 != ":" }
            guard digits.count == 2 || digits.count == 4 else { return nil }
            offset = "\(text[sign])\(digits.prefix(2)):\(digits.count == 4 ? String(digits.suffix(2)) : "00")"
        }
        if clock.last == " " { clock = clock.dropLast() }
        let pieces = clock.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard let seconds = pieces.first else { return nil }
        let whole = seconds.count == "10:00".count ? seconds + ":00" : String(seconds)
        let fraction = pieces.count > 1 ? "." + pieces[1].prefix(maximumFraction) : ""
        return (whole + fraction, offset)
    }

    /// In seconds: before APNs there were no tokens, so a smaller number is something else, like 20261120.
    private static let firstSeconds = 1_199_145_600.0

    /// Seconds, or thousandths, millionths or billionths of them, by the size of the number.
    private static func unixTime(_ number: Double) -> Instant? {
        guard number >= firstSeconds, number < 1e20 else { return nil }
        let factor = number < 1e11 ? 1e6 : number < 1e14 ? 1e3 : number < 1e17 ? 1 : 1e-3
        return Instant(microseconds: Int64((number * factor).rounded()))
    }
}
