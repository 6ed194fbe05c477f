import EventLoop
import Glibc
import Logging

/// Looks after the server: it is started again when it ends by itself or when its program was replaced, and its log
/// stays short.
extension LocalCluster {
    /// Repeats itself until the owner stops the server.
    func watch() {
        rotateLog()
        if let readySince, !isStopping, let status = process.withLock({ $0?.exitStatus() }) {
            process.withLock { $0 = nil }
            self.readySince = nil
            let pause = pauses.ended(after: .now() - readySince)
            logger.error(
                "PostgreSQL ended by itself; starting it again",
                metadata: [
                    "reason": "\(Self.reason(status))", "pause": "\(pause)", "log": "\(logPath)",
                ])
            revival = Task(executorPreference: loop) { await self.startAgain(after: pause) }
        }
        if readySince != nil, !isStopping, programWatch?.found(programFiles, at: .now()) == .restart {
            readySince = nil
            logger.warning(
                "PostgreSQL's program was replaced; restarting it", metadata: ["program": "\(binaries.postgres)"])
            revival = Task(executorPreference: loop) { await self.replaceServer() }
        }
        watchTimer.map(loop.cancel)
        watchTimer = loop.schedule(after: Self.watchInterval) { [weak self] in
            self?.assumeIsolated { $0.watch() }
        }
    }

    /// A fast shutdown: sessions of the old program end.
    private func replaceServer() async {
        await endServer(by: SIGINT)
        await startAgain(after: .zero)
    }

    /// The program, and the library of PL/pgSQL, which each session loads for itself.
    var programFiles: ProgramFiles {
        ProgramFiles([binaries.postgres, languageLibrary].compactMap(\.self))
    }

    /// Returns when the server is ready, or is being stopped. The log has each new reason once.
    private func startAgain(after pause: Duration) async {
        var pause = pause
        var lastReason = ""
        while true {
            await loop.pause(pause)
            guard !isStopping else { return }
            do {
                return try await startServer()
            } catch {
                guard !isStopping else { return }
                pause = pauses.ended(after: .zero)
                let reason = "\(error)"
                let level: Logger.Level = reason == lastReason ? .debug : .error
                logger.log(level: level, "PostgreSQL not started, trying again", metadata: ["reason": "\(reason)"])
                lastReason = reason
            }
        }
    }

    /// A status of `wait`, in words.
    private static func reason(_ status: Int32) -> String {
        status & 0x7f == 0 ? "exit status \(status >> 8 & 0xff)" : "signal \(status & 0x7f)"
    }

    private func rotateLog() {
        do throws(LocalClusterError) {
            try log?.rotate(ifLongerThan: options.logLimit)
        } catch {
            logger.warning("PostgreSQL log not rotated", metadata: ["reason": "\(error)"])
        }
    }
}
