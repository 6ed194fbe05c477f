/// Why there is no client, as a message for a person. Retrying does not help.
struct ClientUnavailable: Error, CustomStringConvertible {
    let meaning: String
    let remedy: String

    var description: String { "\(meaning) \(remedy)" }
}
