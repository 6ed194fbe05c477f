import EventLoop
import Foundation
import Glibc
public import Logging

/// The log of a process, which is written to standard error: standard output is reserved for the output of commands.
final class LogOutput: Sendable {
    private let format: LogFormat
    private let source: LogSource
    private let isColored: Bool
    private let file: Int32
    private let state = Lock(State())

    private struct State {
        var repeated = RepeatedLines()
        /// Lines so far, by level.
        var lines: [Logger.Level: Int] = [:]
    }

    init(_ format: LogFormat, from process: ProcessName, to file: Int32 = STDERR_FILENO) {
        self.format = format
        source = LogSource(process: process.name, host: ProcessName.host, pid: getpid())
        isColored = isatty(file) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
        self.file = file
    }

    deinit { writeCounts() }

    /// The numbers of warnings, errors and critical errors so far, also of those that were not written.
    var counts: [(level: Logger.Level, lines: Int)] {
        state.withLock { state in
            [.warning, .error, .critical].map { ($0, state.lines[$0, default: 0]) }
        }
    }

    func add(_ line: LogLine, at now: MonotonicTime = .now()) {
        state.withLock { state in
            state.lines[line.level, default: 0] += 1
            state.repeated.due(at: now).forEach(write)
            if state.repeated.mustWrite(line, at: now) { write(line) }
        }
    }

    /// Writes the counts of repeated lines whose minute is over.
    func writeDueCounts(at now: MonotonicTime = .now()) {
        state.withLock { $0.repeated.due(at: now).forEach(write) }
    }

    /// Writes all counts of repeated lines.
    func writeCounts(at now: MonotonicTime = .now()) {
        state.withLock { $0.repeated.takeAll(at: now).forEach(write) }
    }

    /// Nothing can be done if standard error can't be written.
    private func write(_ line: LogLine) {
        var rest = Array(line.text(format, from: source, isColored: isColored).utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// A logger of this process.
    func logger(level: Logger.Level) -> Logger {
        Logger(label: "belfry") { _ in Handler(output: self, logLevel: level) }
    }

    private struct Handler: LogHandler {
        let output: LogOutput
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let provided = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
            output.add(
                LogLine(
                    level: event.level, message: "\(event.message)",
                    fields: provided.merging(event.metadata ?? [:]) { $1 }, date: Date()))
        }
    }
}

extension Logger {
    /// The key of the lines that name the owners of leases, one for each send loop.
    public static let ownerKey = "owner"

    /// Makes a logger that writes to standard error, for commands that do their work and end.
    public static func make(level: Level) -> Logger { make(level: level, format: .text, process: ProcessName()) }

    static func make(level: Level, format: LogFormat, process: ProcessName) -> Logger {
        LogOutput(format, from: process).logger(level: level)
    }
}
