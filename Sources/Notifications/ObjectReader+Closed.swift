/// For JSON of our own making. There, unlike in a payload, null is the same as absent, and a key that nobody knows is a
/// typing error and refused.
extension ObjectReader {
    /// A whole document as `read` makes it. What `read` makes of faulty members does not matter: it is thrown away.
    public static func document<Value>(
        _ json: JSON, named name: String, _ read: (inout ObjectReader) -> Value
    ) throws(Problems) -> Value {
        guard case .object(let members) = json else {
            let message = "\(name) must be an object, not \(json.words)"
            throw Problems([Problem(path: "", code: "wrong-type", message: message)])
        }
        var reader = ObjectReader(members, path: "")
        let value = reader.closed(read)
        let problems = json.structureProblems() + reader.problems
        guard problems.isEmpty else { throw Problems(problems) }
        return value
    }

    mutating func closed<Value>(_ read: (inout ObjectReader) -> Value) -> Value {
        for member in rest where member.value == .null { _ = take(Name(rawValue: member.key)) }
        let value = read(&self)
        for member in rest {
            refuse(Name(rawValue: member.key), "unknown-member", "is not known here: perhaps a typing error")
        }
        return value
    }

    /// Leaves the members that are there unread, where what they mean cannot be told.
    public mutating func skipRest() {
        for member in rest { _ = take(Name(rawValue: member.key)) }
    }

    public mutating func require<Key: RawRepresentable<String>>(_ keys: Key...) {
        for key in keys where !rest.contains(where: { $0.key == key.rawValue }) {
            refuse(key, "missing", "must be there")
        }
    }

    mutating func closedObject<Value>(
        _ key: some RawRepresentable<String>, _ read: (inout ObjectReader) -> Value
    ) -> Value? {
        object(key) { $0.closed(read) }
    }

    mutating func closedObjects<Value>(
        _ key: some RawRepresentable<String>, _ read: (inout ObjectReader) -> Value
    ) -> [Value]? {
        elements(key, "a list of objects") { reader, place, element in
            guard case .object(let members) = element else {
                reader.refuse(at: place, "wrong-type", "must be an object, not \(element.words)")
                return nil
            }
            return reader.object(at: place, members) { $0.closed(read) }
        }
    }

    /// The elements of a list that is yet to be taken; none if it is not there or no list.
    func elements(of key: some RawRepresentable<String>) -> [JSON] {
        guard case .array(let elements)? = rest.first(where: { $0.key == key.rawValue })?.value else { return [] }
        return elements
    }

    /// The elements of a list that `read` can make something of; it leaves a problem, at the place it is given, for
    /// each of the others.
    mutating func elements<Value>(
        _ key: some RawRepresentable<String>, _ wanted: String, _ read: (inout ObjectReader, String, JSON) -> Value?
    ) -> [Value]? {
        guard let value = take(key) else { return nil }
        guard case .array(let elements) = value else {
            wrongType(key, wanted, value)
            return nil
        }
        return elements.enumerated().compactMap { index, element in
            read(&self, ProblemPath.element(index, of: key.rawValue), element)
        }
    }

    /// A key that is not known before the JSON is read.
    struct Name: RawRepresentable {
        let rawValue: String
    }
}
