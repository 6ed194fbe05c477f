/// The result of submitting a request.
public enum PushSubmission: Hashable, Sendable {
    /// Stored, and being sent.
    case accepted(PushReceipt)
    /// The same request was accepted before, under the same key.
    case alreadyAccepted(PushReceipt)
    /// The key belongs to another request.
    case keyInUse
    case noSuchApp
}
