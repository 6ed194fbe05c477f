/// The id of a request of transactional pushes, which has no row of its own: the ranges of its recipients in their
/// batches. Valid within its app.
///
/// As text `118-0-3`: the batch's message number, the first index, and how many; with devices in both of Apple's
/// environments there are two batches, as in `118-0-3.119-7-1`.
public struct PushRequestID: Hashable, Sendable {
    public struct Part: Hashable, Sendable {
        public let messageNumber: Int64
        /// The first recipient's index in the batch, from 0.
        public let first: Int
        public let count: Int

        public init(messageNumber: Int64, first: Int, count: Int) {
            self.messageNumber = messageNumber
            self.first = first
            self.count = count
        }
    }

    /// One for each environment.
    public static let maximumParts = 2

    public let parts: [Part]

    /// In the order of their message numbers.
    public init(_ parts: [Part]) {
        self.parts = parts.sorted { $0.messageNumber < $1.messageNumber }
    }

    /// Nil if the text is not an id.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).compactMap { Part($0) }
        guard 1...Self.maximumParts ~= parts.count else { return nil }
        self.init(parts)
        // The whole text was parsed, and it is the canonical form.
        guard self.text == text else { return nil }
    }

    public var text: String { parts.map { "\($0.messageNumber)-\($0.first)-\($0.count)" }.joined(separator: ".") }
}

extension PushRequestID.Part {
    fileprivate init?(_ text: some StringProtocol) {
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int64($0) }
        guard numbers.count == 3, 1...MessageID.maximumMessageNumber ~= numbers[0],
            0..<Int64(Batch.maximumSize) ~= numbers[1], 1...Int64(Batch.maximumSize) ~= numbers[2]
        else { return nil }
        self.init(messageNumber: numbers[0], first: Int(numbers[1]), count: Int(numbers[2]))
    }
}
