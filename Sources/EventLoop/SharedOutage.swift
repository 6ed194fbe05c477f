public import Logging

/// An outage that several clients of one peer notice: it is logged once, and ends when any of them succeeds.
public final class SharedOutage: Sendable {
    private let outage: Lock<Outage>

    /// See `Outage.init`.
    public init(firstReminder: Duration? = nil) {
        outage = Lock(Outage(firstReminder: firstReminder))
    }

    public var isOngoing: Bool { outage.withLock { $0.isOngoing } }

    public func failed(_ message: Logger.Message, because reason: String, in logger: Logger) {
        outage.withLock { $0.failed(message, because: reason, in: logger) }
    }

    public func succeeded(_ message: Logger.Message, in logger: Logger) {
        outage.withLock { $0.succeeded(message, in: logger) }
    }
}
