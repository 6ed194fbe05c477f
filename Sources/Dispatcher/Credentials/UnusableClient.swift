/// The reason why there is no client, for a person: waiting does not help.
struct UnusableClient: Error, CustomStringConvertible {
    let meaning: String
    let remedy: String

    var description: String { "\(meaning) \(remedy)" }
}
