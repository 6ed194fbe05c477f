import ArgumentParser

/// The form of log lines.
public enum LogFormat: String, Sendable {
    /// For people: the time, the level, the message, then the fields.
    case text
    /// For programs: an object of JSON per line.
    case json

    static func checked(_ text: String) throws -> LogFormat {
        guard let format = LogFormat(rawValue: text.lowercased()) else {
            throw ValidationError("The log format \"\(text.printable)\" is unknown; it must be text or json.")
        }
        return format
    }
}
