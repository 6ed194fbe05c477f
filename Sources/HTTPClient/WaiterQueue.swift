/// One request that waits for a connection.
///
/// `@unchecked Sendable`: touched on its client's loop only; a cancellation hands it over there.
final class Waiter: @unchecked Sendable {
    var continuation: UnsafeContinuation<Bool, Never>?

    var isWaiting: Bool { continuation != nil }

    /// `mayTry` is false for one who is to give up. Harmless the second time.
    func end(_ mayTry: Bool) {
        continuation?.resume(returning: mayTry)
        continuation = nil
    }
}

/// Waiters in their order; those who have given up are passed over.
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
            // Moved to the front seldom enough to cost nothing on average.
            if first > 64 && first * 2 > items.count {
                items.removeFirst(first)
                first = 0
            }
            if waiter.isWaiting { return waiter }
        }
        return nil
    }
}
