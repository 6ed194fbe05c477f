/// What became of handing in a request.
public enum PushAnswer: Hashable, Sendable {
    /// Stored, and being sent.
    case taken(PushReceipt)
    /// It was taken before, under the same key.
    case takenBefore(PushReceipt)
    /// Another request had this key.
    case keyInUse
    case noSuchApp
}
