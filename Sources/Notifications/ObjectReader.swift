/// Takes the known keys out of a JSON object one by one, collects every problem on the way, and leaves the rest.
///
/// A key that is absent and one whose value has the wrong type both give nil; the latter leaves a problem.
struct ObjectReader {
    private let path: String
    /// The members that nobody has taken.
    private(set) var rest: [JSON.Member]
    private(set) var problems: [Problem] = []

    init(_ members: [JSON.Member], path: String) {
        self.path = path
        rest = members
        var keys: Set<String> = []
        for member in members where !keys.insert(member.key).inserted {
            refuse(member.key, "key-twice", "must stand only once in its object")
        }
    }

    mutating func take(_ key: some RawRepresentable<String>) -> JSON? {
        guard let index = rest.firstIndex(where: { $0.key == key.rawValue }) else { return nil }
        return rest.remove(at: index).value
    }

    mutating func string(_ key: some RawRepresentable<String>) -> String? {
        guard let value = take(key) else { return nil }
        guard case .string(let text) = value else {
            wrongType(key, "text", value)
            return nil
        }
        return text
    }

    mutating func strings(_ key: some RawRepresentable<String>) -> [String]? {
        guard let value = take(key) else { return nil }
        guard case .array(let elements) = value else {
            wrongType(key, "a list of texts", value)
            return nil
        }
        return elements.enumerated().compactMap { index, element in
            if case .string(let text) = element { return text }
            refuse("\(key.rawValue)[\(index)]", "wrong-type", "must be text, not \(element.words)")
            return nil
        }
    }

    mutating func number(_ key: some RawRepresentable<String>) -> JSON.Number? {
        guard let value = take(key) else { return nil }
        guard case .number(let number) = value else {
            wrongType(key, "a number", value)
            return nil
        }
        return number
    }

    /// A count: whole, and not below 0.
    mutating func count(_ key: some RawRepresentable<String>) -> Int? {
        guard let value = take(key) else { return nil }
        guard case .number(let number) = value, let count = number.int else {
            wrongType(key, "a whole number, like 2", value)
            return nil
        }
        guard count >= 0 else {
            refuse(key.rawValue, "out-of-range", "must be 0 or more, not \(count)")
            return nil
        }
        return count
    }

    /// Apple's yes and no: the numbers 1 and 0, where `true` would be of the wrong type.
    mutating func flag(_ key: some RawRepresentable<String>) -> Bool? {
        guard let value = take(key) else { return nil }
        switch value {
        case 1: return true
        case 0: return false
        default:
            wrongType(key, "the number 1 or 0", value)
            return nil
        }
    }

    /// The object under `key` as `read` makes it; `read` takes what it knows and the problems come here.
    mutating func object<Value>(_ key: some RawRepresentable<String>, _ read: (inout ObjectReader) -> Value) -> Value? {
        guard let value = take(key) else { return nil }
        guard case .object(let members) = value else {
            wrongType(key, "an object", value)
            return nil
        }
        return object(key, members, read)
    }

    /// As above for a value that was taken already, where it may be something else too.
    mutating func object<Value>(
        _ key: some RawRepresentable<String>, _ members: [JSON.Member], _ read: (inout ObjectReader) -> Value
    ) -> Value {
        var reader = ObjectReader(members, path: path(of: key.rawValue))
        let value = read(&reader)
        problems += reader.problems
        return value
    }

    mutating func wrongType(_ key: some RawRepresentable<String>, _ wanted: String, _ found: JSON) {
        refuse(key.rawValue, "wrong-type", "must be \(wanted), not \(found.words)")
    }

    mutating func refuse(_ key: String, _ code: String, _ message: String) {
        problems.append(Problem(path: path(of: key), code: code, message: message))
    }

    private func path(of key: String) -> String {
        path.isEmpty ? key : "\(path).\(key)"
    }
}
