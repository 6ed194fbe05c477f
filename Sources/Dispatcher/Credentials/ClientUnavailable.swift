import JSON

/// Why there is no client, as a message for a person. Retrying does not help.
struct ClientUnavailable: Error, CustomStringConvertible {
    let meaning: Message
    let remedy: Message

    var message: Message { .sentences([meaning, remedy]) }

    var description: String { message.description }
}
