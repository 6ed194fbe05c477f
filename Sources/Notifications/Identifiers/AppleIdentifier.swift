import JSON

/// Reads Apple's key and team identifiers: ten upper-case letters and digits.
enum AppleIdentifier {
    /// Repairs what copying adds, and lower case: all that Apple issues are upper case.
    static func read(_ pasted: String) throws(InvalidValue) -> String {
        let text = pasted.withoutPastedMarks.uppercased()
        if let repaired = repaired(text) { return repaired }
        guard text.utf8.allSatisfy(isAllowed) else {
            throw InvalidValue("bad-character", "must consist of the letters A to Z and digits")
        }
        guard text.utf8.count == 10 else {
            throw InvalidValue("wrong-length", "must be 10 characters long, like ABC123DEFG, not \(text.utf8.count)")
        }
        return text
    }

    /// The identifier without its label ("KEY ID: …"), spaces inside, and in place of full-width forms of its characters.
    private static func repaired(_ text: String) -> String? {
        let scalars = text.unicodeScalars.compactMap { scalar in
            0xFF01...0xFF5E ~= scalar.value ? Unicode.Scalar(scalar.value - 0xFEE0) : scalar
        }
        let narrow = String(String.UnicodeScalarView(scalars)).uppercased()
        let value = narrow.trimmingPrefix(/(?:KEY|TEAM)\s*ID\s*[:=#]?\s*/).filter { !$0.isWhitespace }
        return value.utf8.count == 10 && value.utf8.allSatisfy(isAllowed) ? String(value) : nil
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}

extension String {
    /// Without the spaces and quotes around an identifier, and without characters that are not shown: tables, chats and
    /// websites add them when a person copies it.
    var withoutPastedMarks: String {
        let shown = unicodeScalars.filter { $0.properties.generalCategory != .format }
        let kept = shown.drop(while: \.surroundsIdentifiers).reversed().drop(while: \.surroundsIdentifiers).reversed()
        return String(String.UnicodeScalarView(kept))
    }
}

extension Unicode.Scalar {
    fileprivate var surroundsIdentifiers: Bool {
        switch properties.generalCategory {
        case .spaceSeparator, .control, .initialPunctuation, .finalPunctuation: true
        default: self == "\"" || self == "'" || self == "`"
        }
    }
}
