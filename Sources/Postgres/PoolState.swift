import DequeModule
import EventLoop

/// The decisions of a pool: who gets a connection, who makes one, who waits. A value without sockets.
///
/// A place is a connection or the right to make one. Whoever gets an empty place connects in his
/// own task, so connecting needs no task without an owner; if he gives up, the place goes on.
struct PoolState<Connection> {
    typealias Waiter = UInt64

    enum Lease {
        /// `idleFor` is how long nobody has used it.
        case use(Connection, idleFor: Duration)
        /// Make a connection, not before `notBefore`; then `placeIsFilled` or `placeIsEmpty`.
        case connect(notBefore: MonotonicTime)
        case wait
        case refuse
    }

    /// What became possible for someone who waits.
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
    /// The connection used last is used next, so that those not needed stay idle.
    private var idle: [Idle] = []
    /// Places with a connection in use or in the making.
    private(set) var busy = 0
    private var waiters: Deque<Waiter> = []
    private var backoff: Backoff
    private var notBefore = MonotonicTime(nanoseconds: 0)

    init(limit: Int, waiterLimit: Int, backoff: Backoff) {
        precondition(limit >= 1, "a pool needs a connection")
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

    /// The connection goes to who has waited longest, or rests.
    mutating func release(_ connection: Connection, now: MonotonicTime) -> Handover {
        if let waiter = waiters.popFirst() { return .use(waiter, connection) }
        busy -= 1
        idle.append(Idle(connection: connection, since: now))
        return .nothing
    }

    /// A connection broke or was given up: its place goes to who has waited longest.
    mutating func placeIsEmpty() -> Handover {
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

    /// The next attempt, whoever makes it, waits. Attempts under way together count once.
    mutating func connectFailed(now: MonotonicTime) {
        guard now >= notBefore else { return }
        notBefore = now + backoff.failed()
    }

    /// When the next attempt may be made.
    var nextAttempt: MonotonicTime { notBefore }

    /// Returns whether he was waiting.
    mutating func withdraw(_ waiter: Waiter) -> Bool {
        guard let index = waiters.firstIndex(of: waiter) else { return false }
        waiters.remove(at: index)
        return true
    }

    /// Returns what is to be closed and who is to be refused.
    mutating func close() -> (connections: [Connection], waiters: [Waiter]) {
        isClosed = true
        defer { idle.removeAll() }
        // One by one for the thread sanitizer's sake, as in `Pipeline.removeAll`.
        var refused: [Waiter] = []
        while let waiter = waiters.popFirst() { refused.append(waiter) }
        return (idle.map(\.connection), refused)
    }
}
