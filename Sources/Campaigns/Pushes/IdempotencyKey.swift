/// A key that the client sends with a request, so that repeated requests are carried out once.
public struct IdempotencyKey: Hashable, Sendable {
    /// Characters, all of them printable ASCII.
    public static let maximumLength = 255

    public let text: String
    /// SHA-256 of the body: a key belongs to one request.
    public let bodyHash: [UInt8]

    /// Nil if the text is not a valid key.
    public init?(_ text: String, bodyHash: [UInt8]) {
        guard 1...Self.maximumLength ~= text.utf8.count, text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
        self.text = text
        self.bodyHash = bodyHash
    }
}
