import JSON

extension ByteReader {
    /// Skips a number and returns whether a double can represent it. PostgreSQL's numeric refuses larger numbers, and
    /// also zeros with a large exponent.
    mutating func number() throws(Malformed) -> Bool {
        let start = position
        var isLoose = false
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") {
            position += 1
            if let next, isDigit(next) { throw malformed("a number must not have leading zeros") }
            isLoose = position == start + 2
        } else {
            try digits()
        }
        if next == UInt8(ascii: ".") {
            position += 1
            try digits()
            isLoose = bytes[position - 1] == UInt8(ascii: "0")
        }
        hasLooseNumber = hasLooseNumber || isLoose
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            hasLooseNumber = true
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits()
        } else if position - start <= Self.certainDigits {
            return true
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let value = Double(text), value.isFinite else { return false }
        guard value == 0 else { return true }
        let parts = text.split { $0 == "e" || $0 == "E" }
        let exponent = parts.count > 1 ? Int(parts[1]) : 0
        return !parts[0].contains { "1"..."9" ~= $0 } && (exponent?.magnitude ?? .max) <= Self.maximumExponentOfZero
    }

    /// PostgreSQL accepts about 16,000 digits after the decimal point; a zero doesn't need them.
    private static let maximumExponentOfZero: UInt = 1_000

    /// A number without an exponent that has at most this many characters is always in range.
    private static let certainDigits = 300

    private mutating func digits() throws(Malformed) {
        guard let first = next, isDigit(first) else { throw unexpected("a digit") }
        while let next, isDigit(next) { position += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }
}
