/// All problems of a category, a plan or another document that people edit. Never empty.
public struct Problems: Error, Sendable, Equatable, CustomStringConvertible {
    public let problems: [Problem]

    public init(_ problems: [Problem]) {
        self.problems = problems
    }

    public var message: Message {
        .clauses(problems.map { $0.path.isEmpty ? $0.message : "\($0.path) \($0.message)" })
    }

    public var description: String { message.description }
}

extension Problem {
    /// The path and the message as a sentence: "aps.badge must be a number." Some messages have their own subject, and
    /// some end with a question.
    public var sentence: Message {
        let text = message.description
        let isQuestion = text.hasSuffix("?")
        if path.isEmpty { return isQuestion ? message : "\(message)." }
        let hasSubject = ["the ", "a ", "an "].contains { text.hasPrefix($0) }
        if hasSubject { return isQuestion ? "\(path): \(message)" : "\(path): \(message)." }
        return isQuestion ? "\(path) \(message)" : "\(path) \(message)."
    }

    /// The same problem in an outer document, where this one is at the path `outer`, like `actions[1]`.
    public func inside(_ outer: String) -> Problem {
        Problem(path: ProblemPath.joined(outer, path), code: code, message: message, severity: severity, fix: fix)
    }
}
