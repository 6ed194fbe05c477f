import Logging

extension Logger {
    /// One line a fact, on standard error; standard output is a command's own.
    static func make(_ label: String, level: Level) -> Logger {
        var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }
}
