/// All that is wrong with a category, a plan or another thing that people edit, at once. Never empty.
public struct Problems: Error, Sendable, Equatable, CustomStringConvertible {
    public let problems: [Problem]

    public init(_ problems: [Problem]) {
        self.problems = problems
    }

    public var description: String {
        problems.map { $0.path.isEmpty ? $0.message : "\($0.path) \($0.message)" }.joined(separator: "; ")
    }
}

extension Problem {
    /// "aps.badge must be a number." Some messages have a subject of their own, and some end with a question.
    public var sentence: String {
        let hasSubject = ["the ", "a ", "an "].contains { message.hasPrefix($0) }
        let words = path.isEmpty ? message : path + (hasSubject ? ": " : " ") + message
        return words.hasSuffix("?") ? words : words + "."
    }

    /// The same problem where the thing stands inside a larger one, as `actions[1]` does in a category.
    public func inside(_ outer: String) -> Problem {
        Problem(path: ProblemPath.joined(outer, path), code: code, message: message, severity: severity)
    }
}
