import JSON
import Notifications

extension ObjectReader {
    /// Whether the body has exactly one of these members; adds a problem if not.
    mutating func requireOne(of keys: [String]) -> Bool {
        let present = keys.filter { has($0) }
        guard present.count != 1 else { return true }
        for key in present {
            _ = take(key)
            refuse(
                key, "mutually-exclusive",
                "can't be combined with the others; send only one of \(keys.list)")
        }
        if present.isEmpty, let first = keys.first {
            refuse(first, "missing", "is required, or one of \(Array(keys.dropFirst()).list)")
        }
        return false
    }

    mutating func priority(_ key: String) -> Priority? {
        guard let number = whole(key, in: 1...10) else { return nil }
        let priority = Priority(rawValue: number)
        if priority == nil { refuse(key, "not-allowed", "must be 10, 5 or 1, not \(number)") }
        return priority
    }

    /// Reads a list of distinct texts; `what` names one of them in messages. Nil if there is a problem.
    mutating func names(_ key: String, upTo limit: Int, of what: String) -> [String]? {
        guard let value = take(key) else { return nil }
        guard case .array(let elements) = value, 1...limit ~= elements.count else {
            refuse(key, "wrong-type", "must be a list of 1 to \(limit) \(what)s")
            return nil
        }
        var names: [String] = []
        var seen: Set<ByteString> = []
        for (index, element) in elements.enumerated() {
            guard case .string(let name) = element, !name.unicodeScalars.contains("\0") else {
                refuse(at: "\(key)[\(index)]", "wrong-type", "must be text: \(what.withArticle) without U+0000")
                continue
            }
            if !seen.insert(ByteString(text: name)).inserted {
                refuse(at: "\(key)[\(index)]", "duplicate", "must occur only once")
            }
            names.append(name)
        }
        return names.count == elements.count ? names : nil
    }
}

extension String {
    fileprivate var withArticle: String { (first.map { "aeiou".contains($0) } ?? false ? "an " : "a ") + self }
}
