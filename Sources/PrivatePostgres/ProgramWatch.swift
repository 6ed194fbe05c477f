import EventLoop

/// Decides when a running server must be restarted because its program was replaced, as by an update of its package:
/// new sessions would load libraries that don't fit the old program.
struct ProgramWatch {
    enum Action: Equatable {
        case nothing
        /// The files are being replaced.
        case wait
        case restart
    }

    /// The time without a further change after which the new files are complete.
    static let settling = Duration.seconds(2)

    /// The files that the server was started from.
    private let started: ProgramFiles
    private var replacement: ProgramFiles
    private var unchangedSince: MonotonicTime?

    init(started: ProgramFiles) {
        self.started = started
        replacement = started
    }

    /// Call it repeatedly with the files as they are.
    mutating func found(_ files: ProgramFiles, at now: MonotonicTime) -> Action {
        guard files != started else {
            unchangedSince = nil
            return .nothing
        }
        // An update may have removed the old files before it has the new ones.
        guard files.areComplete else {
            unchangedSince = nil
            return .wait
        }
        guard let since = unchangedSince, files == replacement else {
            (replacement, unchangedSince) = (files, now)
            return .wait
        }
        return now - since >= Self.settling ? .restart : .wait
    }
}
