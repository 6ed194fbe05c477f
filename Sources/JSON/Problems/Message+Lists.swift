/// Lists of messages are messages whose keys have nothing but `{}` and separators, which each language has its own of.
extension Message {
    /// Sentences that follow each other.
    public static func sentences(_ sentences: [Message]) -> Message {
        joined(sentences.map(Argument.message), by: " ")
    }

    /// Parts of one sentence.
    public static func clauses(_ clauses: [Message]) -> Message {
        joined(clauses.map(Argument.message), by: "; ")
    }

    /// Names or values: "edit, start".
    public static func list(_ items: [String]) -> Message {
        joined(items.map(Argument.text), by: ", ")
    }

    /// Names or values, one of which is wanted: "start, update or end".
    public static func alternatives(_ items: [String]) -> Message {
        guard items.count > 1, let last = items.last else { return list(items) }
        return "\(list(items.dropLast())) or \(last)"
    }

    private static func joined(_ arguments: [Argument], by separator: String) -> Message {
        guard !arguments.isEmpty else { return "" }
        let between = Array(repeating: separator, count: arguments.count - 1)
        return Message(pieces: [""] + between + [""], arguments: arguments)
    }
}
