/// A group of requests that was committed, for metrics.
public struct StoredGroup: Sendable {
    public let requests: Int
    /// How long the first of them waited for the transaction to begin.
    public let waited: Duration
    /// The transaction, with its wait for locks.
    public let stored: Duration
}
