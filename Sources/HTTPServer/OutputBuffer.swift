/// The bytes of responses that the kernel has not taken yet.
struct OutputBuffer {
    /// Responses to pipelined requests are buffered up to this size. Larger memory is not kept.
    static let batchBytes = 64 * 1024

    var bytes: [UInt8] = []
    private var taken = 0

    var isEmpty: Bool { taken >= bytes.count }

    /// Calls `body` with the bytes that are left.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[taken...])) }
    }

    /// The kernel has taken this many more.
    mutating func took(_ count: Int) { taken += count }

    /// Forgets what was taken, after the last byte.
    mutating func clear() {
        taken = 0
        if bytes.capacity > Self.batchBytes { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
    }

    /// Forgets all bytes.
    mutating func discard() {
        taken = 0
        bytes = []
    }
}
