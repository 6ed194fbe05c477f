/// A batch of transactional pushes that is about to be stored.
public struct PushBatch: Sendable {
    /// Identifies the batch before it has an id.
    public struct Name: Hashable, Sendable {
        public let app: App.ID
        public let messageNumber: Int64
    }

    public let app: App.ID
    public let environment: PushEnvironment
    public let messageNumber: Int64
    public let messageKeyVersion: Int16
    /// In the order of the requests; each once.
    public let recipients: [Int64]
    /// One byte for each: pending or suppressed.
    public let outcomes: [UInt8]

    public var name: Name { Name(app: app, messageNumber: messageNumber) }

    public init(
        app: App.ID, environment: PushEnvironment, messageNumber: Int64, messageKeyVersion: Int16,
        recipients: [Int64], outcomes: [UInt8]
    ) {
        self.app = app
        self.environment = environment
        self.messageNumber = messageNumber
        self.messageKeyVersion = messageKeyVersion
        self.recipients = recipients
        self.outcomes = outcomes
    }
}
