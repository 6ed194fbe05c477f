/// Memory for the results of filters, reused for every recipient. It grows to the longest text and never shrinks.
final class ScratchBuffer {
    private static let firstCapacity = 1024

    private var base = UnsafeMutableRawPointer.allocate(byteCount: ScratchBuffer.firstCapacity, alignment: 8)
    private var capacity = ScratchBuffer.firstCapacity

    deinit {
        base.deallocate()
    }

    /// Memory for `count` bytes. It overwrites the previous contents.
    func reserve(_ count: Int) -> UnsafeMutableRawPointer {
        if count > capacity {
            base.deallocate()
            capacity = max(count, capacity * 2)
            base = .allocate(byteCount: capacity, alignment: 8)
        }
        return base
    }
}
