extension ObjectReader {
    public mutating func strings(_ key: some MemberName) -> [String]? {
        elements(key, "a list of texts") { reader, path, element in reader.string(element, at: path) }
    }

    /// A list of texts in a certain format.
    public mutating func values<Value>(
        _ key: some MemberName, _ make: (String) throws(InvalidValue) -> Value
    ) -> [Value]? {
        elements(key, "a list of texts") { reader, path, element in
            reader.string(element, at: path).flatMap { reader.checked($0, at: path, make) }
        }
    }

    /// A set of names from `known`. `make` returns nil for an unknown name.
    public mutating func names<Name: Hashable>(
        _ key: some MemberName, among known: [String], _ make: (String) -> Name?
    ) -> Set<Name>? {
        let before = problems.count
        let names = elements(key, "a list of names from \(known.list)") { reader, path, element in
            if case .string(let text) = element, let name = make(text) { return name }
            reader.refuse(at: path, "unknown-value", "must be one of \(known.list)")
            return nil
        }
        return problems.count == before ? names.map { Set($0) } : nil
    }

    /// The elements of a list that `read` accepts. For each other element, `read` adds a problem at the given path.
    public mutating func elements<Value>(
        _ key: some MemberName, _ wanted: Message, _ read: (inout ObjectReader, String, JSON) -> Value?
    ) -> [Value]? {
        guard let value = take(key) else { return nil }
        guard case .array(let elements) = value else {
            wrongType(key, wanted, value)
            return nil
        }
        let path = ProblemPath.member(key.memberName, of: "")
        return elements.enumerated().compactMap { index, element in
            read(&self, ProblemPath.element(index, of: path), element)
        }
    }

    /// The elements of a list that was not taken yet; empty if it is absent or not a list.
    public func elements(of key: some MemberName) -> [JSON] {
        guard case .array(let elements)? = rest.first(where: { $0.key == key.memberName })?.value else { return [] }
        return elements
    }

    private mutating func string(_ element: JSON, at path: String) -> String? {
        if case .string(let text) = element { return text }
        refuse(at: path, "wrong-type", "must be text, not \(element.summary)")
        return nil
    }
}
