/// Rules for names that people and apps choose. They are shown in lists, logs, terminals and addresses, beside other
/// text.
public enum NameText {
    /// Why a text is no name, as a continuation of its path; nil if it is one: one line, without control characters and
    /// without characters that reorder the text around them (Unicode Standard Annex 9, "Explicit Directional
    /// Embeddings").
    public static func problem(_ text: some StringProtocol) -> InvalidValue? {
        if isVisibleASCII(text) { return nil }
        if !text.isEmpty, text.unicodeScalars.allSatisfy(\.isInvisible) {
            return InvalidValue("blank", "must contain a visible character")
        }
        guard let scalar = text.unicodeScalars.first(where: \.isUnsafeInNames) else { return nil }
        return InvalidValue(
            "bad-character",
            "must be one line without control characters; remove the character U+\(scalar.hexadecimal)")
    }

    /// Most names: judged by their bytes, since every registration holds several.
    private static func isVisibleASCII(_ text: some StringProtocol) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.allSatisfy { 0x20...0x7E ~= $0 } && bytes.contains { $0 != 0x20 }
        } ?? false
    }

    /// Why a text can't be a segment of a path; nil if it can. Clients and proxies remove "." and ".." from addresses,
    /// also if they are percent-encoded (RFC 3986 §5.2.4), so nobody could reach what has such a name.
    public static func problem(inPath text: some StringProtocol) -> InvalidValue? {
        guard text == "." || text == ".." else { return problem(text) }
        return InvalidValue("not-allowed", "must not be \(text), which an address can't contain")
    }
}

extension Unicode.Scalar {
    /// Control characters, line separators, and the characters that open or close a reordered part.
    public var isUnsafeInNames: Bool {
        switch value {
        case 0x20...0x7E: return false
        case 0x202A...0x202E, 0x2066...0x2069: return true
        default: break
        }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// Shown as nothing or as a space: also U+200B, U+00AD, U+2800 and U+3164.
    public var isInvisible: Bool {
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint || value == 0x2800
    }

    /// At least four digits, like 202E.
    public var hexadecimal: String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
