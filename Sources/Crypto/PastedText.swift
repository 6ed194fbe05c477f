/// The printable ASCII characters of a file or a pasted text, without everything that editors, chats, shells, forms and
/// JSON add to a key on its way. None of it can be a part of base64, so nothing is guessed.
struct PastedText {
    /// Without spaces, line ends, quotes and characters that are not shown.
    private(set) var characters: [UInt8] = []

    init(_ text: String) {
        var scalars = Array(text.unicodeScalars)[...]
        if text.contains("BEGIN+") {
            // A form was sent as the body of a URL: a plus sign of its own is %2B there.
            scalars = scalars.map { $0 == "+" ? " " : $0 }[...]
        }
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\\": append(Self.escape(&scalars))
            case "%": append(Self.number(&scalars, digits: 2, radix: 16) ?? " ")
            case "&": append(Self.entity(&scalars))
            case "<": Self.skipTag(&scalars)
            default: append(scalar)
            }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar.properties.generalCategory {
        case .dashPunctuation: characters.append(UInt8(ascii: "-"))
        case .mathSymbol where scalar == "\u{2212}": characters.append(UInt8(ascii: "-"))
        default:
            // Full-width forms of ASCII, which an input method leaves behind.
            let value = 0xFF01...0xFF5E ~= scalar.value ? scalar.value - 0xFEE0 : scalar.value
            guard 0x21...0x7E ~= value, !Self.noise.contains(UInt8(value)) else { return }
            characters.append(UInt8(value))
        }
    }

    /// Quotes of strings, lists and e-mails.
    private static let noise = Set("\"'`,;|>*".utf8)

    /// Reads the escape behind a backslash in JSON, a shell or a settings file: `\n`, `\\n`, `\/`, `\u002B`, or a line
    /// end.
    private static func escape(_ scalars: inout ArraySlice<Unicode.Scalar>) -> Unicode.Scalar {
        scalars = scalars.drop { $0 == "\\" }
        guard let letter = scalars.popFirst() else { return " " }
        switch letter {
        case "n", "r", "t": return " "
        case "u", "x": return number(&scalars, digits: letter == "u" ? 4 : 2, radix: 16) ?? " "
        default: return letter
        }
    }

    /// A character reference of HTML; a named one is a space or a quote.
    private static func entity(_ scalars: inout ArraySlice<Unicode.Scalar>) -> Unicode.Scalar {
        guard let end = scalars.prefix(10).firstIndex(of: ";") else { return " " }
        let name = String(String.UnicodeScalarView(scalars[..<end]))
        scalars = scalars[(end + 1)...]
        guard name.first == "#" else { return name == "plus" ? "+" : name == "equals" ? "=" : " " }
        let isHexadecimal = name.dropFirst().first?.lowercased() == "x"
        return UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10).flatMap(
            Unicode.Scalar.init)
            ?? " "
    }

    private static func number(
        _ scalars: inout ArraySlice<Unicode.Scalar>, digits: Int, radix: Int
    ) -> Unicode.Scalar? {
        let text = String(String.UnicodeScalarView(scalars.prefix(digits)))
        guard let value = UInt32(text, radix: radix), let scalar = Unicode.Scalar(value) else { return nil }
        scalars = scalars.dropFirst(digits)
        return scalar
    }

    private static func skipTag(_ scalars: inout ArraySlice<Unicode.Scalar>) {
        guard let first = scalars.first, first == "/" || first.properties.isAlphabetic,
            let end = scalars.prefix(longestTag).firstIndex(of: ">")
        else { return }
        scalars = scalars[(end + 1)...]
    }

    /// In characters. A `<` that no `>` follows so soon begins no tag.
    private static let longestTag = 200
}
