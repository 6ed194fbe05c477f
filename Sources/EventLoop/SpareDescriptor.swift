import Glibc

/// A descriptor that is kept open so that one more can be had when the process has no others left. Its owner closes it
/// at the end.
public struct SpareDescriptor {
    private var descriptor: Int32 = -1

    public init() { reserve() }

    /// Whether there is one to release.
    public var isReserved: Bool { descriptor >= 0 }

    /// Opens the descriptor unless it is open. Does nothing if the process has none left.
    public mutating func reserve() {
        guard !isReserved else { return }
        descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    /// Closes the descriptor, so that the next call that needs one succeeds.
    public mutating func release() {
        guard isReserved else { return }
        close(descriptor)
        descriptor = -1
    }
}
