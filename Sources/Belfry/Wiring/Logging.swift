public import Logging

extension Logger {
    /// The metadata key of the log lines that name the owners of leases, one for each send loop.
    public static let processKey = "process"

    /// Makes a logger that writes to standard error. Standard output is reserved for the output of commands.
    public static func make(_ label: String, level: Level) -> Logger {
        var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }
}
