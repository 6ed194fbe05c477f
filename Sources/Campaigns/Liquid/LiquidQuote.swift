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

    /// Whether French puts a space between the mark and its text, which does not belong to the text.
    static func isSpaced(_ mark: Unicode.Scalar) -> Bool { "«»‹›".unicodeScalars.contains(mark) }

    private static let doubles = Set("\"“”„‟«»″‶‴＂〝〞〟״「」『』｢｣﹁﹂﹃﹄❝❞ˮ˝".unicodeScalars)
    private static let singles = Set("'‘’‚‛‹›׳′‵＇`｀´ʹʻʼʽˈˊˋ❛❜".unicodeScalars)
}
