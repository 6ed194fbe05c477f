import EventLoop
import Foundation

/// A file that is read in pieces, with progress output.
final class FileSource: Sendable {
    /// The size of a piece in bytes.
    private static let pieceSize = 256 * 1024

    let size: Int
    private let state: Lock<State>

    private struct State {
        let handle: FileHandle
        var progress: ImportProgress
        let output: ProgressOutput

        mutating func show() {
            if let line = progress.line(now: .now()) { output.show(line) }
        }
    }

    init(_ path: String, progress output: ProgressOutput) throws {
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: path))
            size = Int(try handle.seekToEnd())
            try handle.seek(toOffset: 0)
            let progress = ImportProgress(size: size, isLive: output.isTerminal, now: .now())
            state = Lock(State(handle: handle, progress: progress, output: output))
        } catch {
            throw TextFile.unreadable(path, error)
        }
    }

    /// Returns the next piece; nil at the end of the file.
    func next() throws -> [UInt8]? {
        try state.withLock { state in
            state.show()
            guard let data = try state.handle.read(upToCount: Self.pieceSize), !data.isEmpty else { return nil }
            let piece = [UInt8](data)
            state.progress.sent += piece.count
            return piece
        }
    }

    /// Shows what the server says about the import.
    func show(_ received: ImportProgress.Received) {
        state.withLock { state in
            state.progress.received = received
            state.show()
        }
    }

    func endProgress() {
        state.withLock { $0.output.end() }
    }
}

/// Formats the progress of an import, and returns lines to print.
struct ImportProgress {
    /// Bytes that the server has read, and lines that it has stored and refused.
    struct Received {
        var bytes: Int
        var stored: Int
        var failed: Int
    }

    /// The minimum time between two lines on a terminal.
    static let interval = Duration.milliseconds(200)
    /// Elsewhere a line is printed each time the progress advances by this many percent.
    static let step = 10
    private static let width = 30

    private let size: Int
    private let isLive: Bool
    private let started: MonotonicTime
    private var shown: MonotonicTime
    private var shownPercent = 0
    /// In bytes.
    var sent = 0
    /// Nil if the server does not say, because another of its processes answers.
    var received: Received?

    init(size: Int, isLive: Bool, now: MonotonicTime) {
        self.size = size
        self.isLive = isLive
        started = now
        shown = now
    }

    private var bytes: Int { received?.bytes ?? sent }

    private var percent: Int { size == 0 ? 100 : Int(Double(bytes) / Double(size) * 100) }

    /// Returns the next line; nil when none is due.
    mutating func line(now: MonotonicTime) -> String? {
        if isLive {
            guard now - shown >= Self.interval else { return nil }
        } else {
            guard percent / Self.step > shownPercent / Self.step else { return nil }
        }
        shown = now
        shownPercent = percent
        let seconds = (now - started).seconds
        let text = "\(percent) %  \(counts(after: seconds))"
        guard isLive else { return text }
        let filled = Self.width * percent / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
        let left = bytes > 0 ? Int(seconds / Double(bytes) * Double(size - bytes)) : 0
        return "[\(bar)]  \(text), \(left) s left"
    }
}

extension ImportProgress {
    private func counts(after seconds: Double) -> String {
        guard let received else { return "sent" }
        let rate = seconds > 0 ? Int(Double(received.stored) / seconds) : 0
        let failed = received.failed > 0 ? ", \(received.failed.grouped) failed" : ""
        let lines = "\(received.stored.grouped) \(received.stored == 1 ? "line" : "lines")"
        return "\(lines) stored, \(rate.grouped)/s\(failed)"
    }
}

/// Prints progress to standard error. On a terminal each line overwrites the one before.
struct ProgressOutput: Sendable {
    let isTerminal = isatty(STDERR_FILENO) == 1

    func show(_ line: String) {
        write(isTerminal ? "\r\u{1B}[K\(line)" : "\(line)\n")
    }

    /// Clears the progress line.
    func end() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
