public import Logging

/// Logs when something begins to fail and when it works again, but not the attempts between: an outage of the database
/// or of Apple would fill the log otherwise.
public struct Outage: Sendable {
    private let firstReminder: Duration?
    private var began: MonotonicTime?
    /// The length at which the outage is logged again.
    private var reminder: Duration?

    /// With `firstReminder`, an outage is logged again when it has lasted for that time, and each time that its length
    /// has doubled.
    public init(firstReminder: Duration? = nil) {
        self.firstReminder = firstReminder
    }

    /// Whether an attempt has failed, and none has succeeded since.
    public var isOngoing: Bool { began != nil }

    /// An attempt failed. The first failure of an outage and reminders are logged as warnings, the others at the level
    /// debug.
    public mutating func failed(
        _ message: Logger.Message, because reason: String, at now: MonotonicTime = .now(), in logger: Logger
    ) {
        guard let began else {
            began = now
            reminder = firstReminder
            logger.warning(message, metadata: ["reason": .string(reason)])
            return
        }
        let length = now - began
        guard let reminder, length >= reminder else {
            logger.debug(message, metadata: ["reason": .string(reason)])
            return
        }
        self.reminder = length * 2
        logger.warning(message, metadata: ["reason": .string(reason), "for": "\(length.components.seconds) s"])
    }

    public mutating func failed(
        _ message: Logger.Message, because error: any Error, at now: MonotonicTime = .now(), in logger: Logger
    ) {
        failed(message, because: "\(error)", at: now, in: logger)
    }

    /// An attempt succeeded. The end of an outage is logged with its length in seconds.
    public mutating func succeeded(_ message: Logger.Message, at now: MonotonicTime = .now(), in logger: Logger) {
        guard let began else { return }
        self.began = nil
        logger.info(message, metadata: ["after": "\((now - began).components.seconds) s"])
    }
}
