import JSON

/// The meaning of a character between the braces of a template.
///
/// Names consist of letters, marks and digits of any language, `_` and `-`. White space of any kind separates. All
/// other signs of Liquid are ASCII; what looks like one of them, as curly quotes and full-width colons do, is an error
/// that knows what was meant.
///
/// Docs/decisions/content.md explains why signs beyond ASCII are errors.
enum LiquidCharacter {
    static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    /// Full-width letters are meant to be ASCII, and letters like U+3164 cannot be seen.
    static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x80 else { return isASCIILetter(scalar) || scalar == "_" }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter: break
        case .modifierLetter where !modifiers.contains(scalar.value): break
        default: return false
        }
        return !isFullWidth(scalar) && !isIgnorable(scalar)
    }

    static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        if isNameStart(scalar) || scalar == "-" { return true }
        switch scalar.properties.generalCategory {
        case .decimalNumber: return !isFullWidth(scalar)
        case .nonspacingMark, .spacingMark: return !isIgnorable(scalar)
        // An apostrophe like that of п’ять, as a letter.
        case .modifierLetter: return true
        default: return false
        }
    }

    /// Zero-width joiner and non-joiner, which words in Persian and in languages of India need between their letters.
    static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }

    /// Whether it shows nothing: zero-width spaces, soft hyphens, marks of direction, variation selectors, controls.
    static func isIgnorable(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isDefaultIgnorableCodePoint || scalar.value == 0xFEFF
            || (scalar.properties.generalCategory == .control && !isSpace(scalar))
    }

    /// U+FF01 to U+FF5E are the printable characters of ASCII in the width of Chinese ones.
    private static func isFullWidth(_ scalar: Unicode.Scalar) -> Bool { (0xFF01...0xFF5E).contains(scalar.value) }

    private static func isASCIILetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(Unicode.Scalar(scalar.value | 0x20) ?? " ")
    }

    /// Letters that look like quotation marks and primes (U+02B9 to U+02BF, U+02C8, U+02CA, U+02CB, U+02EE).
    private static let modifiers: Set<UInt32> = Set(0x2B9...0x2BF).union([0x2C8, 0x2CA, 0x2CB, 0x2EE])

    // MARK: The intended sign

    /// The signs of Liquid that a sign was meant as; nil if that is unclear. Empty: the sign has to be removed.
    static func replacement(for scalar: Unicode.Scalar) -> String? {
        guard scalar.value >= 0x80 else { return isIgnorable(scalar) ? "" : nil }
        if isFullWidth(scalar), let ascii = Unicode.Scalar(scalar.value - 0xFEE0) { return String(ascii) }
        if let sign = signs[scalar] { return sign }
        if scalar.properties.generalCategory == .decimalNumber, let digit = scalar.properties.numericValue {
            return String(Int(digit))
        }
        return isIgnorable(scalar) ? "" : nil
    }

    private static let signs: [Unicode.Scalar: String] = {
        let kinds: [(String, meant: String)] = [
            ("‐‑‒–—―⸺⸻−﹘﹣➖", "-"), ("、，﹐﹑､", ","), ("。．｡﹒․", "."), ("：﹕︰︓∶ː꞉", ":"), ("│∣¦❘ǀ⏐", "|"), ("【〔〖﹝", "["),
            ("】〕〗﹞", "]"), ("﹛❴", "{"), ("﹜❵", "}"), ("﹪", "%"), ("﹦", "="), ("﹤〈⟨", "<"), ("﹥〉⟩", ">"), ("﹗", "!"),
            ("﹟", "#"), ("﹙", "("), ("﹚", ")"), ("﹍﹎﹏", "_"), ("≠", "!="), ("≤⩽≦", "<="), ("≥⩾≧", ">="), ("…", "\"…\""),
        ]
        let all = kinds.flatMap { signs, meant in signs.unicodeScalars.map { ($0, meant) } }
        return Dictionary(all) { first, _ in first }
    }()

    // MARK: Words

    /// The character as an error shows it: `“ (curly quote)`, `the invisible character zero width space (U+200B)`.
    static func description(of scalar: Unicode.Scalar) -> Message {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
        let name = scalar.properties.name?.lowercased() ?? scalar.properties.nameAlias?.lowercased() ?? ""
        if isIgnorable(scalar) || isSpace(scalar) {
            return name.isEmpty ? "the invisible character \(code)" : "the invisible character \(name) (\(code))"
        }
        if "“”‘’".unicodeScalars.contains(scalar) { return "\(scalar) (curly quote)" }
        return scalar.value < 0x80 || name.isEmpty
            ? "\(scalar)" : "\(scalar) (\(name.replacing("fullwidth", with: "full-width")))"
    }
}
