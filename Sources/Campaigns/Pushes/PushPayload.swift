/// A composed payload whose message id is not known yet: the id's text stands last, with room for it.
public struct PushPayload: Hashable, Sendable {
    /// What stands in the id's place until then.
    public static let room = MessageID(messageNumber: 0, device: 0, tag: 0)
    /// The quotation mark and the brace behind the id.
    private static let tail = 2

    private let bytes: [UInt8]

    public var count: Int { bytes.count }

    /// `bytes` end with `room`'s text, a quotation mark and a brace; nil if they do not.
    public init?(_ bytes: [UInt8]) {
        let length = MessageID.textLength + Self.tail
        guard bytes.count >= length, bytes.suffix(length).elementsEqual((Self.room.text + "\"}").utf8) else {
            return nil
        }
        self.bytes = bytes
    }

    /// Writes the payload with the id to the start of `buffer`, which has room for it.
    public func write(_ id: MessageID, into buffer: UnsafeMutableRawBufferPointer) {
        buffer.copyBytes(from: bytes)
        let place = bytes.count - Self.tail - MessageID.textLength
        id.write(into: UnsafeMutableRawBufferPointer(rebasing: buffer[place..<place + MessageID.textLength]))
    }
}
