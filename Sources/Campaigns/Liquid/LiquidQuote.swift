/// Quotation marks that editors and phones write in place of `"` and `'`.
enum LiquidQuote {
    case double, single

    init?(_ scalar: Unicode.Scalar) {
        if Self.doubles.contains(scalar) {
            self = .double
        } else if Self.singles.contains(scalar) {
            self = .single
        } else {
            return nil
        }
    }

    var ascii: Unicode.Scalar { self == .double ? "\"" : "'" }

    /// The marks that usually close what the mark opens, beside the same mark.
    static func partners(of mark: Unicode.Scalar) -> Set<Unicode.Scalar> {
        switch mark {
        case "“", "‟", "〝": ["”", "〞"]
        case "„": ["“", "”"]
        case "‘", "‛": ["’"]
        case "‚": ["‘", "’"]
        case "«": ["»"]
        case "»": ["«"]
        case "‹": ["›"]
        case "›": ["‹"]
        case "「": ["」"]
        case "『": ["』"]
        case "❝": ["❞"]
        case "❛": ["❜"]
        default: [mark]
        }
    }

    /// Whether the first of two marks in a text closes what nothing has opened, and the second opens again: between
    /// them is no text, but Liquid, as in `"x” or a == “y"`.
    static func isMispaired(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        switch first {
        case "”", "〞": ["“", "„", "‟", "〝"].contains(second)
        case "“": second == "„"
        case "’": ["‘", "‚", "‛"].contains(second)
        case "‘": second == "‚"
        default: false
        }
    }

    private static let doubles = Set("\"“”„‟«»″‶‴＂〝〞〟״「」『』｢｣﹁﹂﹃﹄❝❞ˮ˝".unicodeScalars)
    private static let singles = Set("'‘’‚‛‹›׳′‵＇`｀´ʹʻʼʽˈˊˋ❛❜".unicodeScalars)
}
