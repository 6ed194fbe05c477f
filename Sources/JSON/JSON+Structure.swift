extension JSON {
    /// Problems that the parser rejects, but a value built in code may have: duplicate keys in an object, and
    /// too deep nesting. `depth` counts the objects and arrays around the value.
    public func structureProblems(at path: String = "", depth: Int = 0) -> [Problem] {
        guard !isContainer || depth < Self.maximumDepth else {
            return [.error(path, "too-deep", "must not be nested inside \(Self.maximumDepth) other objects and lists")]
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
                    ProblemPath.member(member.key, of: path), "duplicate-key", "must occur only once in its object")
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
