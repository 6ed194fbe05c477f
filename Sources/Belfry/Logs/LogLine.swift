import EventLoop
import Foundation
import JSON
import Logging

/// One line of the log.
struct LogLine {
    let level: Logger.Level
    /// A fixed text, so that it names the event: what differs is in the fields.
    let message: String
    let fields: Logger.Metadata
    let date: Date
    /// The fields that each line of JSON has or can have.
    static let ownFields: Set = [
        "time", "level", "event", "message", "process", "host", "pid", "repeated", "in_seconds",
    ]

    /// How often it was logged in the time before without being written, and the length of that time in seconds.
    var repeats: (count: Int, seconds: Int)?

    /// The words of the message, joined by underscores: "run paused" is `run_paused`.
    var event: String {
        message.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "_")
    }

    /// With a line feed at its end.
    func text(_ format: LogFormat, from source: LogSource, isColored: Bool = false) -> String {
        switch format {
        case .text: textForPeople(isColored: isColored)
        case .json: String(decoding: json(from: source).encoded(), as: UTF8.self) + "\n"
        }
    }

    private func textForPeople(isColored: Bool) -> String {
        var line = "\(Self.time(date)) \(isColored ? coloredLevel : level.rawValue) \(message.printable)"
        for (key, value) in members { line += " \(key)=\(Self.quoted(value))" }
        if let repeats { line += " repeated=\(repeats.count) in_seconds=\(repeats.seconds)" }
        return line + "\n"
    }

    private func json(from source: LogSource) -> JSON {
        var object = [
            JSON.Member("time", .string(Self.time(date))), JSON.Member("level", .string(level.rawValue)),
            JSON.Member("event", .string(event)), JSON.Member("message", .string(message)),
            JSON.Member("process", .string(source.process)), JSON.Member("host", .string(source.host)),
            JSON.Member("pid", .number(JSON.Number(Int(source.pid)))),
        ]
        // Two members of one name would hide each other. Libraries choose the names of their fields themselves.
        object += members.map { JSON.Member(Self.ownFields.contains($0) ? "field_\($0)" : $0, .string($1)) }
        if let repeats {
            object.append(JSON.Member("repeated", .number(JSON.Number(repeats.count))))
            object.append(JSON.Member("in_seconds", .number(JSON.Number(repeats.seconds))))
        }
        return .object(object)
    }

    /// By name; reasons, which may be long, are last.
    private var members: [(String, String)] {
        fields.map { ($0.key, "\($0.value)") }.sorted { ($0.0.isReason ? 1 : 0, $0.0) < ($1.0.isReason ? 1 : 0, $1.0) }
    }

    /// Yellow for a warning, red for an error.
    private var coloredLevel: String {
        let color = level >= .error ? 31 : level == .warning ? 33 : 2
        return "\u{1B}[\(color)m\(level.rawValue)\u{1B}[0m"
    }

    /// A value with blanks is put in quotation marks. Line feeds and other control characters are escaped, so that a
    /// value can neither look like another line nor change the terminal.
    private static func quoted(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
        let text = isPlain && !value.isEmpty ? value : String(decoding: JSON.string(value).encoded(), as: UTF8.self)
        return text.printable
    }

    /// "2026-11-28T07:40:12.345Z"
    private static func time(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

/// The process that logs.
struct LogSource: Sendable {
    var process: String
    var host: String
    var pid: Int32
}

extension String {
    fileprivate var isReason: Bool { self == "reason" || self == "error" }
}
