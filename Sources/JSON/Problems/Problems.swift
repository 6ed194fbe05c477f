/// All problems of a category, a plan or another document that people edit. Never empty.
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
    /// The path and the message as a sentence: "aps.badge must be a number." Some messages have their own subject, and
    /// some end with a question.
    public var sentence: String {
        let hasSubject = ["the ", "a ", "an "].contains { message.hasPrefix($0) }
        let text = path.isEmpty ? message : path + (hasSubject ? ": " : " ") + message
        return text.hasSuffix("?") ? text : text + "."
    }

    /// The same problem in an outer document, where this one is at the path `outer`, like `actions[1]`.
    public func inside(_ outer: String) -> Problem {
        Problem(path: ProblemPath.joined(outer, path), code: code, message: message, severity: severity, fix: fix)
    }
}
