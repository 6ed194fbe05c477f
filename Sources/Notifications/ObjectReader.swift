/// Takes the known keys out of a JSON object one by one, collects every problem on the way, and leaves the rest.
///
/// A key that is absent and one whose value has the wrong type both give nil; the latter leaves a problem.
public struct ObjectReader {
    private let path: String
    let keyOrder: KeyOrder
    /// The members that nobody has taken.
    private(set) var rest: [JSON.Member]
    private(set) var problems: [Problem] = []

    init(_ members: [JSON.Member], path: String) {
        self.path = path
        keyOrder = KeyOrder(members)
        rest = members
    }

    mutating func take(_ key: some RawRepresentable<String>) -> JSON? {
        guard let index = rest.firstIndex(where: { $0.key == key.rawValue }) else { return nil }
        return rest.remove(at: index).value
    }

    public mutating func string(_ key: some RawRepresentable<String>) -> String? {
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
            let path = ProblemPath.element(index, of: path(of: key))
            problems.append(.error(path, "wrong-type", "must be text, not \(element.words)"))
            return nil
        }
    }

    /// One of a few words.
    public mutating func choice<Word: RawRepresentable<String> & CaseIterable>(_ key: some RawRepresentable<String>)
        -> Word?
    {
        guard let text = string(key) else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue)
        let meant = Spelling.nearest(to: text, among: words).map { "; \($0) was probably meant" } ?? ""
        refuse(key, "unknown-value", "must be \(words.alternatives), not \(JSON.string(text).words)\(meant)")
        return nil
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
            refuse(key, "out-of-range", "must be 0 or more, not \(count)")
            return nil
        }
        return count
    }

    /// A time in seconds since 1970.
    mutating func seconds(_ key: some RawRepresentable<String>) -> JSON.Number? {
        guard let number = number(key) else { return nil }
        let limit = Double(PushRules.maximumExpiration)
        guard let seconds = number.double, (0..<limit).contains(seconds) else {
            refuse(
                key, "out-of-range",
                "must be a time in seconds since 1970, not \(JSON.number(number).words)"
                    + (number.double.map { $0 >= limit } ?? false ? ", which looks like milliseconds" : ""))
            return nil
        }
        return number
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

    mutating func bool(_ key: some RawRepresentable<String>) -> Bool? {
        guard let value = take(key) else { return nil }
        guard case .bool(let bool) = value else {
            wrongType(key, "true or false", value)
            return nil
        }
        return bool
    }

    /// An object that is the app's own.
    mutating func members(_ key: some RawRepresentable<String>) -> [JSON.Member]? {
        guard let value = take(key) else { return nil }
        guard case .object(let members) = value else {
            wrongType(key, "an object", value)
            return nil
        }
        return members
    }

    /// The object under `key` as `read` makes it; `read` takes what it knows and the problems come here.
    mutating func object<Value>(_ key: some RawRepresentable<String>, _ read: (inout ObjectReader) -> Value) -> Value? {
        members(key).map { object(key, $0, read) }
    }

    /// As above for a value that was taken already, where it may be something else too.
    mutating func object<Value>(
        _ key: some RawRepresentable<String>, _ members: [JSON.Member], _ read: (inout ObjectReader) -> Value
    ) -> Value {
        var reader = ObjectReader(members, path: path(of: key))
        let value = read(&reader)
        problems += reader.problems
        return value
    }

    mutating func wrongType(_ key: some RawRepresentable<String>, _ wanted: String, _ found: JSON) {
        refuse(key, "wrong-type", "must be \(wanted), not \(found.words)")
    }

    public mutating func refuse(_ key: some RawRepresentable<String>, _ code: String, _ message: String) {
        problems.append(.error(path(of: key), code, message))
    }

    /// The object at a place below this one that is not simply a key: `actions[1]`, by `ProblemPath`.
    mutating func object<Value>(
        at place: String, _ members: [JSON.Member], _ read: (inout ObjectReader) -> Value
    ) -> Value {
        var reader = ObjectReader(members, path: ProblemPath.place(place, in: path))
        let value = read(&reader)
        problems += reader.problems
        return value
    }

    /// A problem at such a place.
    mutating func refuse(at place: String, _ code: String, _ message: String) {
        problems.append(.error(ProblemPath.place(place, in: path), code, message))
    }

    private func path(of key: some RawRepresentable<String>) -> String {
        ProblemPath.member(key.rawValue, of: path)
    }
}
