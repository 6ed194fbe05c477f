import Logging

extension Logger {
    /// Makes a logger that writes to standard error. Standard output is reserved for the output of commands.
    static func make(_ label: String, level: Level) -> Logger {
        var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }
}
