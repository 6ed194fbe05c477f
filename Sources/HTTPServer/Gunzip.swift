import CZlib

/// Decompresses gzip (RFC 1952) piece by piece, so that a small body that expands to gigabytes never fills the memory.
/// It belongs to one iterator, which uses it from one task.
public final class Gunzip {
    /// In bytes, of one decompressed piece.
    static let pieceSize = 64 * 1024

    private var stream = z_stream()
    private var input: [UInt8] = []
    private var position = 0
    /// Between two members, or at the end.
    private var isAtStart = true

    public init?() {
        guard belfry_gunzip_init(&stream) == Z_OK else { return nil }
    }

    deinit { inflateEnd(&stream) }

    /// The bytes that were fed and have not been decompressed.
    public var unreadCount: Int { input.count - position }

    /// Whether everything that was fed has been decompressed.
    public var needsInput: Bool { position == input.count }

    /// Whether the body may end here.
    public var isComplete: Bool { isAtStart && needsInput }

    public func feed(_ bytes: [UInt8]) {
        input = bytes
        position = 0
    }

    /// The next piece, which may be empty; nil if the bytes are not gzip.
    public func next() -> [UInt8]? {
        guard !needsInput else { return [] }
        if isAtStart {
            // Several members may follow each other (§2.2).
            guard inflateReset(&stream) == Z_OK else { return nil }
            isAtStart = false
        }
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        let status = input.withUnsafeMutableBufferPointer { input in
            piece.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress?.advanced(by: position)
                stream.avail_in = UInt32(input.count - position)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return inflate(&stream, Z_NO_FLUSH)
            }
        }
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { return nil }
        position = input.count - Int(stream.avail_in)
        isAtStart = status == Z_STREAM_END
        piece.removeLast(Int(stream.avail_out))
        return piece
    }
}
