public import Notifications

/// A run's payload as constant bytes with one hole, the message id: `{…,"i":"<id>"}`. Made once per
/// run; a recipient then costs a copy.
public struct Composer: Sendable {
    private let before: [UInt8]
    private static let after: [UInt8] = Array(#""}"#.utf8)

    /// `messageIDKey` is not among the payload's own keys: saving a campaign sees to that.
    public init(payload: Payload, messageIDKey: String) {
        var bytes = payload.encoded()
        let isEmpty = bytes == Array("{}".utf8)
        bytes.removeLast()
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        bytes += JSON.string(messageIDKey).encoded()
        before = bytes + Array(#":""#.utf8)
    }

    /// Bytes of every payload it composes.
    public var length: Int { before.count + MessageID.textLength + Self.after.count }

    /// Writes a payload into `buffer`, which has room for `length` bytes. `id` is a message id's text.
    public func write(id: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer) {
        buffer.copyBytes(from: before)
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[before.count...])
        rest.copyMemory(from: id)
        UnsafeMutableRawBufferPointer(rebasing: rest[id.count...]).copyBytes(from: Self.after)
    }
}
