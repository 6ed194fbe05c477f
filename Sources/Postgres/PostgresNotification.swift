import CPostgres
import DequeModule
import EventLoop

/// A notification that was sent with `NOTIFY channel, payload`.
public struct PostgresNotification: Hashable, Sendable {
    public let channel: String
    public let payload: String
    /// The server process id of the session that sent it.
    public let process: Int32
}

/// The queue of received notifications, and the task that waits for one.
struct NotificationBuffer {
    /// The maximum queue length. Further notifications are dropped and reported as lost.
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

    /// Waits for a notification; returns immediately if there is one. Only one task may wait.
    mutating func wait(_ continuation: UnsafeContinuation<Item, Never>) {
        precondition(waiter == nil, "only one task may wait for a connection's notifications")
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
