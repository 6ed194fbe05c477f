public import JSON

/// The identifier of a developer team: ten upper-case letters and digits, the `iss` of the provider token.
public struct TeamID: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    public init(_ text: String) throws(InvalidValue) {
        self.text = try AppleIdentifier.read(text)
    }

    public var description: String { text }
}
