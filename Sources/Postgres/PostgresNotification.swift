import CPostgres
import DequeModule
import EventLoop

/// What `NOTIFY channel, payload` said.
public struct PostgresNotification: Hashable, Sendable {
    public let channel: String
    public let payload: String
    /// The server process of the one who notified.
    public let process: Int32
}

/// Notifications that came and have not been taken, and who waits for one.
struct NotificationBuffer {
    /// More than these are dropped, and that is told.
    static let limit = 1_024

    enum Item: Sendable {
        case notification(PostgresNotification)
        /// Some were dropped.
        case overflow
        case end
    }

    private var items: Deque<PostgresNotification> = []
    private var hasOverflown = false
    private var waiter: UnsafeContinuation<Item, Never>?

    mutating func append(_ notification: PostgresNotification) {
        if let waiter = takeWaiter() { return waiter.resume(returning: .notification(notification)) }
        guard items.count < Self.limit else {
            items.removeAll()
            hasOverflown = true
            return
        }
        items.append(notification)
    }

    /// Resumes at once when there is something. There is one waiter at a time.
    mutating func wait(_ continuation: UnsafeContinuation<Item, Never>) {
        precondition(waiter == nil, "two wait for one connection's notifications")
        if hasOverflown {
            hasOverflown = false
            continuation.resume(returning: .overflow)
        } else if let item = items.popFirst() {
            continuation.resume(returning: .notification(item))
        } else {
            waiter = continuation
        }
    }

    mutating func end() {
        takeWaiter()?.resume(returning: .end)
    }

    private mutating func takeWaiter() -> UnsafeContinuation<Item, Never>? {
        defer { waiter = nil }
        return waiter
    }
}

extension PostgresConnection {
    func collectNotifications() {
        guard let connection else { return }
        while let pointer = PQnotifies(connection) {
            defer { PQfreemem(pointer) }
            notifications.append(
                PostgresNotification(
                    channel: String(cString: pointer.pointee.relname), payload: String(cString: pointer.pointee.extra),
                    process: pointer.pointee.be_pid))
        }
    }

    /// The next notification; `end` when the connection is gone or the task cancelled.
    func nextNotification() async -> NotificationBuffer.Item {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if connection == nil || Task.isCancelled {
                    continuation.resume(returning: .end)
                } else {
                    notifications.wait(continuation)
                }
            }
        } onCancel: {
            stopListeningLater()
        }
    }

    private nonisolated func stopListeningLater() {
        loop.perform { self.assumeIsolated { $0.notifications.end() } }
    }
}
