/// One request that waits for a connection.
///
/// `@unchecked Sendable`: used only on its client's loop; a cancellation is passed to that loop.
final class Waiter: @unchecked Sendable {
    var continuation: UnsafeContinuation<Bool, Never>?

    var isWaiting: Bool { continuation != nil }

    /// Ends the wait. `mayTry` is false if the request must fail. Calling it again has no effect.
    func end(_ mayTry: Bool) {
        continuation?.resume(returning: mayTry)
        continuation = nil
    }
}

/// A queue of waiters in order; cancelled ones are skipped.
struct WaiterQueue {
    private var items: [Waiter] = []
    private var first = 0

    var count: Int { items.count - first }

    mutating func append(_ waiter: Waiter) {
        items.append(waiter)
    }

    mutating func pop() -> Waiter? {
        while first < items.count {
            let waiter = items[first]
            first += 1
            // The items move rarely, so `pop` takes constant time on average.
            if first > 64 && first * 2 > items.count {
                items.removeFirst(first)
                first = 0
            }
            if waiter.isWaiting { return waiter }
        }
        return nil
    }
}
