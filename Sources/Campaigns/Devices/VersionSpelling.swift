/// The form in which versions are stored and compared: `4.3` for `v4.3`, `V4.3` and ` 4.3 `. Text behind
/// the numbers stays and does not count in comparisons: `4.3-beta`, `4.3 (123)`.
public enum VersionSpelling {
    public static func canonical(_ text: String) -> String {
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        var version = text.unicodeScalars.drop(while: isSpace)
        while let last = version.last, isSpace(last) { version.removeLast() }
        if let first = version.first, first == "v" || first == "V" {
            let rest = version.dropFirst().drop { $0 == "." || isSpace($0) }
            if let digit = rest.first, "0"..."9" ~= digit { version = rest }
        }
        return version.isEmpty ? text : String(version)
    }
}
