public import EventLoop
public import Logging

/// Logs when something begins to fail and when it works again, but not the attempts between: an outage of the database
/// would fill the log otherwise.
public struct Outage: Sendable {
    private var began: MonotonicTime?

    public init() {}

    /// An attempt failed. The first failure of an outage is logged as a warning, the others at the level debug.
    public mutating func failed(
        _ message: Logger.Message, because error: any Error, at now: MonotonicTime = .now(), in logger: Logger
    ) {
        logger.log(level: began == nil ? .warning : .debug, message, metadata: ["reason": "\(error)"])
        began = began ?? now
    }

    /// An attempt succeeded. The end of an outage is logged with its length in seconds.
    public mutating func succeeded(_ message: Logger.Message, at now: MonotonicTime = .now(), in logger: Logger) {
        guard let began else { return }
        self.began = nil
        logger.info(message, metadata: ["after": "\((now - began).components.seconds) s"])
    }
}
