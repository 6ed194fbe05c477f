/// For JSON in Belfry's own formats: unlike in a payload, null is the same as absent, and an unknown key is
/// rejected, since it is most likely a typing error.
extension ObjectReader {
    /// Reads a document with `read`; throws if `read` or the document's structure has problems.
    public static func document<Value>(
        _ json: JSON, named name: Message, _ read: (inout ObjectReader) -> Value
    ) throws(Problems) -> Value {
        guard case .object(let members) = json else {
            let message: Message = "\(name) must be an object, not \(json.summary)"
            throw Problems([Problem(path: "", code: "wrong-type", message: message)])
        }
        var reader = ObjectReader(members)
        let value = reader.closed(read)
        let problems = json.structureProblems() + reader.problems
        guard problems.isEmpty else { throw Problems(problems) }
        return value
    }

    public mutating func closed<Value>(_ read: (inout ObjectReader) -> Value) -> Value {
        dropNulls()
        let value = read(&self)
        refuseRest()
        return value
    }

    public mutating func closedObject<Value>(
        _ key: some MemberName, _ read: (inout ObjectReader) -> Value
    ) -> Value? {
        object(key) { $0.closed(read) }
    }

    public mutating func closedObjects<Value>(
        _ key: some MemberName, _ read: (inout ObjectReader) -> Value
    ) -> [Value]? {
        elements(key, "a list of objects") { reader, path, element in
            guard case .object(let members) = element else {
                reader.refuse(at: path, "wrong-type", "must be an object, not \(element.summary)")
                return nil
            }
            return reader.object(at: path, members) { $0.closed(read) }
        }
    }
}
