/// Memory for a text on its way through the filters, used again for every recipient. It grows to the longest and then
/// stays so.
final class Scratch {
    private static let firstCapacity = 1024

    private var base = UnsafeMutableRawPointer.allocate(byteCount: Scratch.firstCapacity, alignment: 8)
    private var capacity = Scratch.firstCapacity

    deinit {
        base.deallocate()
    }

    /// Room for so many bytes. What was here before is gone.
    func reserve(_ count: Int) -> UnsafeMutableRawPointer {
        if count > capacity {
            base.deallocate()
            capacity = max(count, capacity * 2)
            base = .allocate(byteCount: capacity, alignment: 8)
        }
        return base
    }
}
