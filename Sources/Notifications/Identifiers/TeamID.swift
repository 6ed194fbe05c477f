public import JSON

/// The identifier of a developer team: ten upper-case letters and digits, the `iss` of the provider token.
public struct TeamID: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    /// Also accepts an app ID, which is the team's identifier and the bundle ID.
    public init(_ text: String) throws(InvalidValue) {
        let team = text.firstIndex(of: ".").flatMap { try? AppleIdentifier.read(String(text[..<$0])) }
        if let team {
            self.text = team
        } else {
            self.text = try AppleIdentifier.read(text)
        }
    }

    public var description: String { text }
}
