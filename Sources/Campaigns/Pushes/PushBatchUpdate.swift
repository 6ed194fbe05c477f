/// The current state of a batch of transactional pushes.
public struct PushBatchUpdate: Sendable {
    public let batch: Batch.ID
    public let outcomes: [UInt8]
    public let ledger: Ledger

    /// Whether no recipient is pending.
    public var isEnd: Bool { ledger.isFinal }

    public init(batch: Batch.ID, outcomes: [UInt8], ledger: Ledger) {
        self.batch = batch
        self.outcomes = outcomes
        self.ledger = ledger
    }
}
