extension JSON {
    /// The value in the form in which values of devices are stored and compared: numbers by value, texts and names in
    /// Unicode's normalization form C.
    public var canonical: JSON {
        switch self {
        case .null, .bool: self
        case .number(let number): .number(number.canonical)
        case .string(let text): .string(text.composed)
        case .array(let elements): .array(elements.map(\.canonical))
        case .object(let members): .object(members.map { Member($0.key.composed, $0.value.canonical) })
        }
    }
}

extension JSON.Number {
    /// The same value in one spelling: `3` for `3.0`, `30E-1` and `3e0`, `0` for `-0`, `100` for `1e2`. No digit is
    /// lost, however many there are.
    public var canonical: JSON.Number {
        let parts = text.split { $0 == "e" || $0 == "E" }
        let halves = parts[0].drop { $0 == "-" }.split(separator: ".")
        guard parts.count == 2 || halves.count == 2 || text == "-0" else { return self }
        let exponent = parts.count == 2 ? Int(parts[1]) : 0
        // Beyond all numbers that are stored.
        guard let exponent, exponent.magnitude < UInt(Int32.max) else { return self }
        let digits = halves.joined()
        let significant = digits.drop { $0 == "0" }
        let end = significant.lastIndex { $0 != "0" }.map { significant.index(after: $0) }
        let kept = significant[..<(end ?? significant.startIndex)]
        guard !kept.isEmpty else { return 0 }
        // Digits before the point; the point may lie outside of the digits.
        let whole = halves[0].count + exponent - (digits.count - significant.count)
        return JSON.Number(validated: (text.hasPrefix("-") ? "-" : "") + Self.plain(String(kept), whole: whole))
    }

    /// Digits that are written without an exponent at most.
    private static let longestPlain = 40

    private static func plain(_ digits: String, whole: Int) -> String {
        let length = max(whole, digits.count, digits.count - whole)
        guard length <= longestPlain || whole == digits.count || (0..<digits.count).contains(whole) else {
            return "\(digits)e\(whole - digits.count)"
        }
        if whole <= 0 { return "0." + String(repeating: "0", count: -whole) + digits }
        guard whole < digits.count else { return digits + String(repeating: "0", count: whole - digits.count) }
        return "\(digits.prefix(whole)).\(digits.dropFirst(whole))"
    }
}
