import EventLoop
import Foundation

/// A file that is sent piece by piece, and tells how far it is.
final class FileSource: Sendable {
    /// Bytes of a piece.
    private static let pieceSize = 256 * 1024

    let size: Int
    private let state: Lock<State>

    private struct State {
        let handle: FileHandle
        var progress: ImportProgress
        let output: ProgressOutput
    }

    init(_ path: String, progress output: ProgressOutput) throws {
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: path))
            size = Int(try handle.seekToEnd())
            try handle.seek(toOffset: 0)
            let progress = ImportProgress(size: size, isLive: output.isTerminal, now: .now())
            state = Lock(State(handle: handle, progress: progress, output: output))
        } catch {
            throw CommandFailure("The file \(path) cannot be read: \(error.localizedDescription)")
        }
    }

    /// The next piece, when those before were taken; nil at the end.
    func next() throws -> [UInt8]? {
        try state.withLock { state in
            if let line = state.progress.line(now: .now()) { state.output.show(line) }
            guard let data = try state.handle.read(upToCount: Self.pieceSize), !data.isEmpty else { return nil }
            let piece = [UInt8](data)
            state.progress.took(piece)
            return piece
        }
    }

    func endProgress() {
        state.withLock { $0.output.end() }
    }
}

/// What to say of an import on its way. A value: it is told the pieces and asked for a line.
struct ImportProgress {
    /// Between two lines on a terminal.
    static let interval = Duration.milliseconds(200)
    /// Elsewhere there is a line for each so many percent.
    static let step = 10
    private static let width = 30

    private let size: Int
    private let isLive: Bool
    private let started: MonotonicTime
    private var shown: MonotonicTime
    private var shownPercent = 0
    private var bytes = 0
    private var lines = 0

    init(size: Int, isLive: Bool, now: MonotonicTime) {
        self.size = size
        self.isLive = isLive
        started = now
        shown = now
    }

    mutating func took(_ piece: [UInt8]) {
        bytes += piece.count
        lines += piece.count { $0 == UInt8(ascii: "\n") }
    }

    private var percent: Int { size == 0 ? 100 : Int(Double(bytes) / Double(size) * 100) }

    /// Nil while there is nothing new to say.
    mutating func line(now: MonotonicTime) -> String? {
        if isLive {
            guard now - shown >= Self.interval else { return nil }
        } else {
            guard percent / Self.step > shownPercent / Self.step else { return nil }
        }
        shown = now
        shownPercent = percent
        let seconds = (now - started).seconds
        let rate = seconds > 0 ? Int(Double(lines) / seconds) : 0
        let text = "\(percent) %  about \(lines.grouped) lines, \(rate.grouped)/s"
        guard isLive else { return text }
        let filled = Self.width * percent / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
        let left = bytes > 0 ? Int(seconds / Double(bytes) * Double(size - bytes)) : 0
        return "[\(bar)]  \(text), \(left) s left"
    }
}

/// Where progress goes: a line that is written over on a terminal, else one after the other. Not among the results.
struct ProgressOutput: Sendable {
    let isTerminal = isatty(STDERR_FILENO) == 1

    func show(_ line: String) {
        write(isTerminal ? "\r\u{1B}[K\(line)" : "\(line)\n")
    }

    /// What comes next begins on a line of its own.
    func end() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
