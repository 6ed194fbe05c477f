extension JSON {
    /// Finds texts and keys with the character U+0000, which PostgreSQL can't process in JSON.
    public func nullCharacterProblems(at path: String = "") -> [Problem] {
        switch self {
        case .null, .bool, .number: []
        case .string(let text): Self.nullCharacterProblems(of: text, at: path)
        case .array(let elements):
            elements.enumerated().flatMap { index, element in
                element.nullCharacterProblems(at: ProblemPath.element(index, of: path))
            }
        case .object(let members):
            members.flatMap { member in
                let path = ProblemPath.member(member.key, of: path)
                return Self.nullCharacterProblems(of: member.key, at: path)
                    + member.value.nullCharacterProblems(at: path)
            }
        }
    }

    private static func nullCharacterProblems(of text: String, at path: String) -> [Problem] {
        guard text.utf8.contains(0) else { return [] }
        return [.error(path, "null-character", "must not contain the character U+0000, which can't be stored")]
    }
}
