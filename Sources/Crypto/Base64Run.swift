/// Texts of base64's characters within another text: the values of a data URL, or of a file of settings.
enum Base64Run {
    /// In characters. The shortest key has 90; shorter runs are words.
    private static let leastLength = 64
    /// Base64 is wrapped at 64 characters (RFC 7468) or 76 (RFC 2045): a word of this length goes on in the next line.
    private static let lineLengths = [64, 76]

    /// How JSON and URLs write line ends and characters of base64.
    private static let escapes: [(written: String, meant: String)] = [
        (#"\r"#, " "), (#"\n"#, " "), (#"\/"#, "/"), (#"\u002B"#, "+"), (#"\u002b"#, "+"), ("%2B", "+"), ("%2b", "+"),
        ("%2F", "/"), ("%2f", "/"), ("%3D", "="), ("%3d", "="),
    ]

    static func all(in text: String) -> [[UInt8]] {
        let plain = escapes.reduce(text) { $0.replacing($1.written, with: $1.meant) }
        var runs: [[UInt8]] = []
        // Words between other characters, such as quotes, are parts of one value.
        for part in plain.utf8.split(whereSeparator: { !isCharacter($0) && !isSpace($0) }) {
            var run: [UInt8] = []
            for word in part.split(whereSeparator: isSpace) {
                run += word
                if lineLengths.contains(word.count) { continue }
                runs.append(run)
                run = []
            }
            runs.append(run)
        }
        return runs.filter { $0.count >= leastLength }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    private static func isCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
