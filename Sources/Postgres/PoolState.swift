import DequeModule
import EventLoop

/// The logic of a connection pool: which caller gets a connection, opens one, or waits. A value without sockets.
///
/// A slot is a connection or the right to open one. A caller that gets an empty slot connects in its own task, so no
/// unowned task is needed; if it gives up, the slot passes to the next caller.
struct PoolState<Connection> {
    typealias Waiter = UInt64

    enum Lease {
        /// `idleFor` is how long the connection was unused.
        case use(Connection, idleFor: Duration)
        /// Open a connection, not before `notBefore`; then `connected` or `slotIsFree`.
        case connect(notBefore: MonotonicTime)
        case wait
        case refuse
    }

    /// The action for a waiting caller.
    enum Handover {
        case nothing
        case use(Waiter, Connection)
        case connect(Waiter, notBefore: MonotonicTime)
    }

    private struct Idle {
        let connection: Connection
        let since: MonotonicTime
    }

    let limit: Int
    let waiterLimit: Int
    private(set) var isClosed = false
    /// The most recently used connection is used next, so that surplus connections stay idle.
    private var idle: [Idle] = []
    /// Slots whose connection is in use or being opened.
    private(set) var busy = 0
    private var waiters: Deque<Waiter> = []
    private var backoff: Backoff
    private var notBefore = MonotonicTime(nanoseconds: 0)

    init(limit: Int, waiterLimit: Int, backoff: Backoff) {
        precondition(limit >= 1, "a pool needs at least one connection")
        self.limit = limit
        self.waiterLimit = waiterLimit
        self.backoff = backoff
    }

    var idleCount: Int { idle.count }
    var waiterCount: Int { waiters.count }

    mutating func lease(_ waiter: Waiter, now: MonotonicTime) -> Lease {
        guard !isClosed else { return .refuse }
        if waiters.isEmpty {
            if let last = idle.popLast() {
                busy += 1
                return .use(last.connection, idleFor: now - last.since)
            }
            if busy < limit {
                busy += 1
                return .connect(notBefore: notBefore)
            }
        }
        guard waiters.count < waiterLimit else { return .refuse }
        waiters.append(waiter)
        return .wait
    }

    /// Returns a connection: it passes to the caller that has waited longest, or becomes idle.
    mutating func release(_ connection: Connection, now: MonotonicTime) -> Handover {
        if let waiter = waiters.popFirst() { return .use(waiter, connection) }
        busy -= 1
        idle.append(Idle(connection: connection, since: now))
        return .nothing
    }

    /// A connection was lost or closed: its slot passes to the caller that has waited longest.
    mutating func slotIsFree() -> Handover {
        guard let waiter = waiters.popFirst() else {
            busy -= 1
            return .nothing
        }
        return .connect(waiter, notBefore: notBefore)
    }

    mutating func connected() {
        backoff.succeeded()
        notBefore = MonotonicTime(nanoseconds: 0)
    }

    /// Delays the next attempt of any caller. Concurrent attempts count once.
    mutating func connectFailed(now: MonotonicTime) {
        guard now >= notBefore else { return }
        notBefore = now + backoff.failed()
    }

    /// When the next attempt may be made.
    var nextAttempt: MonotonicTime { notBefore }

    /// Returns whether the caller was waiting.
    mutating func withdraw(_ waiter: Waiter) -> Bool {
        guard let index = waiters.firstIndex(of: waiter) else { return false }
        waiters.remove(at: index)
        return true
    }

    /// Closes the pool. Returns the connections to close and the callers to reject.
    mutating func close() -> (connections: [Connection], waiters: [Waiter]) {
        isClosed = true
        defer { idle.removeAll() }
        // One by one for the thread sanitizer's sake, as in `Pipeline.removeAll`.
        var refused: [Waiter] = []
        while let waiter = waiters.popFirst() { refused.append(waiter) }
        return (idle.map(\.connection), refused)
    }
}
