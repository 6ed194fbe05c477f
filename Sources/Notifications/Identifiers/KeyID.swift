public import JSON

/// The identifier of a provider key (.p8): ten upper-case letters and digits, the `kid` of the provider token.
public struct KeyID: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    public init(_ text: String) throws(InvalidValue) {
        try AppleIdentifier.check(text)
        self.text = text
    }

    public var description: String { text }
}
