/// Texts in a CSV file that a spreadsheet would take for formulas. An app can state any text about a device, and one like
/// `=HYPERLINK(…)` would run in the spreadsheet of whoever opens an export (OWASP, "CSV Injection").
///
/// An export writes an apostrophe before such a text, which spreadsheets hide, and an import removes it. So that each
/// text is imported as it was, a text that begins with apostrophes before such a character gets one more.
enum SpreadsheetText {
    private static let apostrophe = UInt8(ascii: "'")

    /// The full-width forms ＝ ＋ － ＠: spreadsheets in East Asian languages read them as =, +, - and @.
    private static let wideSigns: [[UInt8]] = ["\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].map { Array($0.utf8) }

    static func isFormula(_ text: some Collection<UInt8>) -> Bool {
        let text = text.drop { $0 == apostrophe }
        switch text.first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: return true
        case 0xEF: return wideSigns.contains { text.starts(with: $0) }
        default: return false
        }
    }

    /// The text without the apostrophe of an export.
    static func text(of field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        field.first == apostrophe && isFormula(field) ? field.dropFirst() : field
    }
}
