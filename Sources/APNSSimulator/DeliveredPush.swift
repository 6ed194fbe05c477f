/// A push that was accepted, on its way to a phone. The payload is there during the call only.
public struct DeliveredPush {
    /// The number in the device table; nil for a token that is not in it.
    public let device: Int?
    public let id: PushID?
    public let payload: UnsafeRawBufferPointer
}
