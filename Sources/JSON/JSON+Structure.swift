extension JSON {
    /// What the parser never lets in and a value built by hand may have: a key that stands twice in its object, and
    /// more nesting than is read back. `depth` counts the objects and arrays around the value.
    public func structureProblems(at path: String = "", depth: Int = 0) -> [Problem] {
        guard !isContainer || depth < Self.maximumDepth else {
            return [.error(path, "too-deep", "must not stand inside \(Self.maximumDepth) other objects and lists")]
        }
        switch self {
        case .null, .bool, .number, .string: return []
        case .array(let elements):
            return elements.enumerated().filter(\.element.isContainer).flatMap { index, element in
                element.structureProblems(at: ProblemPath.element(index, of: path), depth: depth + 1)
            }
        case .object(let members):
            var keys: Set<String> = []
            let repeated = members.filter { !keys.insert($0.key).inserted }.map { member in
                Problem.error(
                    ProblemPath.member(member.key, of: path), "key-twice", "must stand only once in its object")
            }
            return members.filter(\.value.isContainer).reduce(into: repeated) { problems, member in
                problems += member.value.structureProblems(
                    at: ProblemPath.member(member.key, of: path), depth: depth + 1)
            }
        }
    }

    private var isContainer: Bool {
        switch self {
        case .array, .object: true
        case .null, .bool, .number, .string: false
        }
    }
}
