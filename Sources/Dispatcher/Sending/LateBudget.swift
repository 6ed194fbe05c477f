import EventLoop

/// The number of pushes of this process that may be late: on the wire, without a stored outcome, and outside of a window.
/// If the process is lost, their outcomes are unknown.
final class LateBudget: Sendable {
    private let left: Lock<Int>

    init(_ maximum: Int) {
        left = Lock(maximum)
    }

    func take() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }

    func release(_ count: Int) {
        guard count > 0 else { return }
        left.withLock { $0 += count }
    }
}
