import JSON

/// The form of a name by which an app and iOS know a thing: a category, an action, a local notification, a region.
enum ClientName {
    /// In bytes. Apple states no limit; a category's goes into each payload.
    static let maximumSize = 128

    static func check(_ text: String) throws(InvalidValue) -> String {
        guard !text.isEmpty else { throw InvalidValue("empty", "must not be empty") }
        guard text.utf8.count <= maximumSize else {
            throw InvalidValue("too-long", "must be at most \(maximumSize) bytes, not \(text.utf8.count)")
        }
        guard !text.unicodeScalars.contains(where: \.isControl) else {
            throw InvalidValue("bad-character", "must not hold line breaks or other control characters")
        }
        guard text.first?.isWhitespace != true, text.last?.isWhitespace != true else {
            throw InvalidValue("outer-space", "must not begin or end with a space: the app compares it exactly")
        }
        return text
    }
}

extension Unicode.Scalar {
    var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
