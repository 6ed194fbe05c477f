/// The form in which versions are stored and compared: `4.3` for `v4.3`, ` 4.3 `, `４.３` and `Version 4.3`. Text behind
/// the numbers stays and does not count in comparisons: `4.3-beta`, `4.3 (123)`.
public enum VersionSpelling {
    public static func canonical(_ text: String) -> String {
        let plain = plain(text)
        return unnamed(plain) ?? plain
    }

    /// Without white space around it and a v, in digits of ASCII. A name in front of the number stays.
    public static func plain(_ text: String) -> String {
        if isNumbered(text), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) { return text }
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        var version = text.unicodeScalars.drop(while: isSpace)
        while let last = version.last, isSpace(last) { version.removeLast() }
        if version.contains(where: { $0.value >= 0x80 }) {
            version = Substring.UnicodeScalarView(String.UnicodeScalarView(version.map(ascii)))
        }
        if let first = version.first, first == "v" || first == "V" {
            let rest = version.dropFirst().drop { $0 == "." || isSpace($0) }
            if let digit = rest.first, isDigit(digit) { version = rest }
        }
        return version.isEmpty ? text : String(version)
    }

    /// Whether it begins with a number; other texts have no order.
    public static func isNumbered(_ text: String) -> Bool { text.unicodeScalars.first.map(isDigit) ?? false }

    /// Without the name in front of the number: `Version 4.3`, `release-4.3`, `r4.3`. Nil if there is none, or if the
    /// digits are a part of a word, as in the name of a commit.
    private static func unnamed(_ text: String) -> String? {
        guard !isNumbered(text) else { return nil }
        let scalars = text.unicodeScalars
        let rest = scalars.drop { !isDigit($0) }
        guard let name = scalars[..<rest.startIndex].last, !rest.isEmpty else { return nil }
        let number = rest.prefix { isDigit($0) || $0 == "." }
        let isWord = number.endIndex < rest.endIndex && rest[number.endIndex].properties.isAlphabetic
        guard !isWord || number.contains(".") || !name.properties.isAlphabetic else { return nil }
        return String(rest)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

    /// Digits and points of other scripts and widths.
    private static func ascii(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "．", "。", "｡", "٫": return "."
        default:
            guard scalar.value >= 0x80, scalar.properties.generalCategory == .decimalNumber,
                let value = scalar.properties.numericValue
            else { return scalar }
            return Unicode.Scalar(UInt8(value) + UInt8(ascii: "0"))
        }
    }
}
