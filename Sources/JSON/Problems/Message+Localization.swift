/// The form of a message in answers and in the database, beside its English text:
/// `{"key": "must be at most {} bytes, not {}", "arguments": ["10", "12"]}`. An argument is a text or such an object.
extension Message {
    public var localization: JSON {
        ["key": .string(key), "arguments": .array(arguments.map(\.localization))]
    }

    /// Nil if the value has another form.
    public init?(localization: JSON) {
        guard case .object(let members) = localization, members.count == 2,
            case .string(let key)? = members.first(where: { $0.key == "key" })?.value,
            case .array(let values)? = members.first(where: { $0.key == "arguments" })?.value
        else { return nil }
        let pieces = Self.pieces(of: key)
        let arguments = values.compactMap(Argument.init(localization:))
        guard arguments.count == values.count, pieces.count == arguments.count + 1 else { return nil }
        self.init(pieces: pieces, arguments: arguments)
    }

    /// The member `name` with the English text, and beside it the one with the message's localization.
    public func members(_ name: String) -> [JSON.Member] {
        [
            JSON.Member(name, .string(description)),
            JSON.Member("\(name)_localization", localization),
        ]
    }

    private static func pieces(of key: String) -> [String] {
        var pieces = [""]
        var rest = Substring(key)
        while let character = rest.first {
            if rest.hasPrefix("{}") {
                pieces.append("")
                rest = rest.dropFirst(2)
            } else {
                pieces[pieces.endIndex - 1].append(character)
                rest = rest.dropFirst(rest.hasPrefix("{{") || rest.hasPrefix("}}") ? 2 : 1)
            }
        }
        return pieces
    }
}

extension Message.Argument {
    fileprivate var localization: JSON {
        switch self {
        case .text(let text): .string(text)
        case .message(let message): message.localization
        }
    }

    fileprivate init?(localization: JSON) {
        if case .string(let text) = localization {
            self = .text(text)
        } else if let message = Message(localization: localization) {
            self = .message(message)
        } else {
            return nil
        }
    }
}
