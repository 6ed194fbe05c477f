/// A sentence for a person, or a part of one, that can be translated: it knows which sentence it is and which values
/// are in it, as Apple's `loc-key` and `loc-args` do.
///
/// A literal is a message by itself: `"must be at most \(limit) bytes, not \(count)"` has the key
/// "must be at most {} bytes, not {}" and two arguments. A message inside a literal stays a message. A `String` is a
/// value, which nobody translates: it becomes a message only by `init(verbatim:)`, so the compiler finds the places
/// where a sentence would lose its structure. `Public/js/messages.js` translates what the server sends.
public struct Message: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    public enum Argument: Sendable {
        /// A number, a name, or something that a person wrote.
        case text(String)
        case message(Message)
    }

    /// The text before, between and after the arguments: one more than there are arguments.
    private let pieces: [String]
    public let arguments: [Argument]

    init(pieces: [String], arguments: [Argument]) {
        self.pieces = pieces
        self.arguments = arguments
    }

    public init(stringLiteral text: String) {
        self.init(pieces: [text], arguments: [])
    }

    public init(stringInterpolation parts: StringInterpolation) {
        self.init(pieces: parts.pieces, arguments: parts.arguments)
    }

    /// A text that is no sentence of ours, such as another program's error. It stays as it is in every language.
    public init(verbatim text: String) {
        self.init(pieces: ["", ""], arguments: [.text(text)])
    }

    /// A sentence without values that a module below this one has, such as the server of HTTP.
    public init(sentence text: String) {
        self.init(pieces: [text], arguments: [])
    }

    /// The sentence with `{}` for each argument. A brace of the sentence itself is doubled.
    public var key: String {
        pieces.map(Self.escaped).joined(separator: "{}")
    }

    /// The text in English.
    public var description: String {
        zip(pieces, arguments).reduce(into: "") { text, part in
            text += part.0
            text += part.1.description
        } + (pieces.last ?? "")
    }

    public var isEmpty: Bool { description.isEmpty }

    private static func escaped(_ piece: String) -> String {
        var escaped = ""
        for scalar in piece.unicodeScalars {
            escaped.unicodeScalars.append(scalar)
            if scalar == "{" || scalar == "}" { escaped.unicodeScalars.append(scalar) }
        }
        return escaped
    }

    /// A literal that is continued on the next line: both are one sentence, with one key.
    public static func + (first: Message, second: Message) -> Message {
        let seam = (first.pieces.last ?? "") + (second.pieces.first ?? "")
        return Message(
            pieces: first.pieces.dropLast() + [seam] + second.pieces.dropFirst(),
            arguments: first.arguments + second.arguments)
    }
}

extension Message.Argument: CustomStringConvertible {
    public var description: String {
        switch self {
        case .text(let text): text
        case .message(let message): message.description
        }
    }
}

/// Messages are equal if they read the same, however they were put together.
extension Message: Hashable {
    public static func == (first: Message, second: Message) -> Bool { first.description == second.description }

    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
