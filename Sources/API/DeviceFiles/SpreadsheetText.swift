/// Texts in a CSV file that a spreadsheet would take for formulas. An app can state any text about a device, and one like
/// `=HYPERLINK(…)` would run in the spreadsheet of whoever opens an export (OWASP, "CSV Injection").
///
/// An export writes an apostrophe before such a text, which spreadsheets hide, and an import removes it. So that each
/// text is imported as it was, a text that begins with apostrophes before such a character gets one more.
enum SpreadsheetText {
    private static let apostrophe = UInt8(ascii: "'")

    private static func beginsFormula(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: true
        default: false
        }
    }

    static func isFormula(_ text: some Collection<UInt8>) -> Bool {
        text.first { $0 != apostrophe }.map(beginsFormula) ?? false
    }

    /// The text without the apostrophe of an export.
    static func text(of field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        field.first == apostrophe && isFormula(field) ? field.dropFirst() : field
    }
}
