/// A composed payload whose message id is not known yet: it ends with a placeholder for the id.
public struct PushPayload: Hashable, Sendable {
    /// The placeholder for the message id.
    public static let placeholderID = MessageID(messageNumber: 0, device: 0, tag: 0)
    /// Bytes after the id: the quotation mark and the brace.
    private static let tail = 2

    private let bytes: [UInt8]

    public var count: Int { bytes.count }

    /// `bytes` end with the text of `placeholderID`, a quotation mark and a brace; nil if they do not.
    public init?(_ bytes: [UInt8]) {
        let length = MessageID.textLength + Self.tail
        guard bytes.count >= length, bytes.suffix(length).elementsEqual((Self.placeholderID.text + "\"}").utf8) else {
            return nil
        }
        self.bytes = bytes
    }

    /// Writes the payload with the id to the start of `buffer`, which has room for it.
    public func write(_ id: MessageID, into buffer: UnsafeMutableRawBufferPointer) {
        buffer.copyBytes(from: bytes)
        let start = bytes.count - Self.tail - MessageID.textLength
        id.write(into: UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + MessageID.textLength]))
    }
}
