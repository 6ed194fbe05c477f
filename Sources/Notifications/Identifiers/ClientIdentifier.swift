import JSON

/// Checks the names that an app and iOS use: of categories, actions, local notifications and regions.
enum ClientIdentifier {
    /// In bytes. Apple documents no limit; a category's identifier is part of each payload.
    static let maximumSize = 128

    static func check(_ text: String) throws(InvalidValue) -> String {
        guard !text.isEmpty else { throw InvalidValue("empty", "must not be empty") }
        guard text.utf8.count <= maximumSize else {
            throw InvalidValue("too-long", "must be at most \(maximumSize) bytes, not \(text.utf8.count)")
        }
        guard !text.unicodeScalars.contains(where: \.isUnsafeInNames) else {
            throw InvalidValue("bad-character", "must not contain line breaks or other control characters")
        }
        guard text.first?.isWhitespace != true, text.last?.isWhitespace != true else {
            throw InvalidValue(
                "surrounding-whitespace", "must not begin or end with a space: the app compares it exactly")
        }
        if let problem = NameText.problem(inPath: text) { throw problem }
        return text
    }
}
