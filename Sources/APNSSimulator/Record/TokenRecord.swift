/// The requests for one device token.
public struct TokenRecord: Sendable, Equatable {
    public internal(set) var requests: UInt32 = 0
    public internal(set) var accepted: UInt32 = 0
    /// The status of the last response, sent or not; 0 for none.
    public internal(set) var lastStatus: UInt16 = 0
}

/// A push that the simulator accepted more than once.
public struct RepeatedPush: Sendable, Hashable {
    public let id: PushID
    /// Equal for equal device tokens.
    public let tokenHash: UInt64
    public let accepted: Int
}
