/// An accepted push, on its way to a phone of the fleet. The payload is valid only during the call.
public struct DeliveredPush {
    /// The device's index in the device table; nil if the token is not in it.
    public let device: Int?
    public let id: PushID?
    public let payload: UnsafeRawBufferPointer
}
