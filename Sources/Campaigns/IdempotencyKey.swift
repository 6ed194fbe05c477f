/// A key that the client sends with a request, so that repeated requests are carried out once.
public struct IdempotencyKey: Hashable, Sendable {
    /// Characters, all of them printable ASCII.
    public static let maximumLength = 255

    /// The sender of the request. Another sender's key is another key, even if it has the same text: nobody is answered
    /// with what somebody else did.
    public struct Owner: Hashable, Comparable, Sendable {
        public let text: String

        /// An owner as it was stored.
        public init(text: String) { self.text = text }

        public static func apiKey(_ id: Int64) -> Owner { Owner(text: "key:\(id)") }
        public static func user(_ id: User.ID) -> Owner { Owner(text: "user:\(id)") }

        public static func < (left: Owner, right: Owner) -> Bool { left.text < right.text }
    }

    /// The name of a key within its app.
    public struct Name: Hashable, Sendable {
        public let owner: Owner
        public let text: String

        public init(owner: Owner, text: String) {
            self.owner = owner
            self.text = text
        }
    }

    public let owner: Owner
    public let text: String
    /// SHA-256 of the body: a key belongs to one request.
    public let bodyHash: [UInt8]

    /// Nil if the text is not a valid key.
    public init?(_ text: String, of owner: Owner, bodyHash: [UInt8]) {
        guard 1...Self.maximumLength ~= text.utf8.count, text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
        self.owner = owner
        self.text = text
        self.bodyHash = bodyHash
    }

    public var name: Name { Name(owner: owner, text: text) }
}
