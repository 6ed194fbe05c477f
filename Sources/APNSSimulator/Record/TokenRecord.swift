/// What came for one device token.
public struct TokenRecord: Sendable, Equatable {
    public internal(set) var requests: UInt32 = 0
    public internal(set) var accepted: UInt32 = 0
    /// Of the last answer that was decided on; 0 for none.
    public internal(set) var lastStatus: UInt16 = 0
}

/// A push that Apple's side accepted more than once.
public struct RepeatedPush: Sendable, Hashable {
    public let id: PushID
    /// Equal for equal device tokens.
    public let tokenHash: UInt64
    public let accepted: Int
}
