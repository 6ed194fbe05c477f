public import HTTPTypes

/// Evaluates the preconditions of a request about the copy that its client has (RFC 9110 §13).
public enum Precondition {
    /// Whether the client's copy is current (§13.1.2, §13.1.3). A date must equal the one that was sent.
    public static func isUnchanged(_ headers: HTTPFields, tag: String, modified: String? = nil) -> Bool {
        if let field = headers[.ifNoneMatch] {
            return field.split(separator: ",").contains { item in
                let item = item.drop { $0 == " " || $0 == "\t" }
                let candidate = item.hasPrefix("W/") ? item.dropFirst(2) : item
                return candidate == "*" || String(candidate).trimmedBlanks == tag
            }
        }
        return modified != nil && headers[.ifModifiedSince] == modified
    }

    /// Whether If-Range matches the current content, by strong comparison (§13.1.5).
    static func ifRangeMatches(_ headers: HTTPFields, tag: String?, modified: String?) -> Bool {
        guard let condition = headers[.ifRange] else { return true }
        return condition == tag || condition == modified
    }
}

extension String {
    fileprivate var trimmedBlanks: String {
        var text = self[...]
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
