import Campaigns
import JSON
import Notifications
import Store

/// Texts that programs write into files around a value, or in place of one.
enum FileText {
    /// What databases, pandas, R and JavaScript write for no value. As a user ID, it would make one person of all lines
    /// that have none.
    private static let noValues: Set<String> = [
        "NULL", "Null", "null", "None", "NONE", "none", "nan", "NaN", "NAN", "NaT", "NA", "N/A", "n/a", "#N/A", "nil",
        "undefined", #"\N"#, "<NA>", "<null>", "<NULL>", "(null)", "(NULL)", "[null]", "[NULL]",
    ]

    /// The same in attributes of text, in which `None` and `NA` may be values: a plan, and Namibia.
    private static let noAttributes: Set<String> = [
        "NULL", "null", "nan", "NaN", "NaT", "undefined", #"\N"#, "<NA>", "#N/A", "<null>", "<NULL>", "(null)",
        "(NULL)",
        "[null]", "[NULL]",
    ]

    private static let longestWord = 9

    static func isNoValue(_ text: String) -> Bool { noValues.contains(text) }

    /// The word in the field of a column that stands for no value; nil if the field has a value.
    static func noValue(_ field: ArraySlice<UInt8>, in column: DeviceColumn) -> String? {
        let words: Set<String>
        switch column {
        case .attribute(_, .text), .personAttribute(_, .text): words = noAttributes
        // null is JSON there, and removes the attribute.
        case .attribute(_, .json), .personAttribute(_, .json), .ignored: return nil
        default: words = noValues
        }
        let trimmed = trim(field)
        guard trimmed.count <= longestWord else { return nil }
        let text = String(decoding: trimmed, as: UTF8.self)
        return words.contains(text) ? text : nil
    }

    static func noValueChange(_ path: String, _ word: String) -> Problem {
        Problem(
            path: path, code: "no-value", message: "is \(word), which stands for no value; it counts as empty",
            severity: .warning)
    }

    // MARK: Spaces

    /// The field without the spaces around it, also those of other kinds and invisible characters.
    static func trim(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = field.first, let last = field.last else { return field }
        if isVisible(first), isVisible(last) { return field }
        guard let text = String(validating: field, as: UTF8.self) else { return field }
        let scalars = text.unicodeScalars
        let start = scalars.prefix { isSpace($0) }.utf8Count
        let end = scalars.reversed().prefix { isSpace($0) }.utf8Count
        return start + end >= field.count ? [] : field.dropFirst(start).dropLast(end)
    }

    static func trim(_ text: String) -> String {
        String(decoding: trim(Array(text.utf8)[...]), as: UTF8.self)
    }

    private static func isVisible(_ byte: UInt8) -> Bool { 0x21...0x7E ~= byte }

    /// White space, and characters that take no space: byte order marks and zero-width spaces. Those of the tags end the
    /// flags of England, Scotland and Wales.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .format && scalar.value < 0xE0000
    }
}

extension Sequence<Unicode.Scalar> {
    fileprivate var utf8Count: Int { reduce(0) { $0 + UTF8.width($1) } }
}

extension RegistrationBody {
    /// A text of a line, without what programs write around it or in place of it.
    mutating func textOfFile(_ path: String, _ given: PatchValue<String>) -> PatchValue<String> {
        guard case .value(let text) = given else { return given }
        let trimmed = FileText.trim(text)
        if FileText.isNoValue(trimmed) {
            warnings.append(FileText.noValueChange(path, trimmed))
            return .absent
        }
        guard trimmed.utf8.count < text.utf8.count else { return given }
        warnings.append(
            Problem(
                path: path, code: "trimmed-spaces",
                message: "has spaces or invisible characters around it, which were removed", severity: .warning))
        return trimmed.isEmpty ? .absent : .value(trimmed)
    }
}
