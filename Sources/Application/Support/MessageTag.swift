public import Campaigns
public import Crypto

// The tag of a message id, to create and to verify ids. It is defined here because `Campaigns`, which defines the id,
// does not depend on cryptography.

extension MessageID {
    /// The id of one push to one device, tagged under the app's key. Allocates nothing: made once per push.
    public init(messageNumber: Int64, device: Int64, key: HMACKey) {
        self.init(
            messageNumber: messageNumber, device: device, tag: key.messageTag(number: messageNumber, device: device))
    }
}

extension [HMACKey] {
    /// Whether the id's tag was made with one of the keys.
    public func verify(_ id: MessageID) -> Bool {
        contains { key in id.hasTag(key.messageTag(number: id.messageNumber, device: id.device)) }
    }
}

extension HMACKey {
    /// The first eight bytes of the tag over number and device.
    fileprivate func messageTag(number: Int64, device: Int64) -> UInt64 {
        withUnsafeTemporaryAllocation(byteCount: MessageID.authenticatedLength, alignment: 8) { message in
            MessageID.writeAuthenticatedBytes(messageNumber: number, device: device, into: message)
            var value: UInt64 = 0
            withUnsafeMutableBytes(of: &value) { tag(of: UnsafeRawBufferPointer(message), into: $0) }
            return UInt64(bigEndian: value)
        }
    }
}
