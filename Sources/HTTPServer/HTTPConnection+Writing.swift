import EventLoop
import Logging
import TLS

extension HTTPConnection {
    /// The write deadline restarts each time the client has received this many bytes.
    static let writeProgressBytes = 64 * 1024
    /// After this many bytes a connection lets the others of its loop go on.
    static let turnBytes = 64 * 1024

    /// Returns when the kernel has taken all of `output`.
    func flush() async throws(ConnectionFailure) {
        while isFlushing {
            await withUnsafeContinuation { turn in
                if isFlushing { flushTurns.add(turn) } else { turn.resume() }
            }
        }
        guard !output.isEmpty else { return }
        isFlushing = true
        defer {
            isFlushing = false
            flushTurns.resumeAll()
        }
        var deadline: MonotonicTime?
        var (progress, total) = (0, 0)
        while !output.isEmpty {
            switch writeOnce() {
            case .bytes(let count):
                output.took(count)
                progress += count
                total += count
                if progress >= Self.writeProgressBytes {
                    progress = 0
                    deadline = nil
                }
            case .wouldBlock:
                let until = deadline ?? .now() + configuration.writeDeadline
                deadline = until
                switch await waitUntilWritable(until: until) {
                case .ready: break
                case .timedOut: throw abortWrite(.timedOut)
                case .closed: throw abortWrite(.closed)
                }
            case .end: throw abortWrite(.closed)
            }
        }
        output.clear()
        bytesOfTurn += total
        guard bytesOfTurn >= Self.turnBytes else { return }
        // Otherwise hundreds of clients that ask for large files keep the loop for seconds.
        bytesOfTurn = 0
        await Task.yield()
    }

    private func writeOnce() -> IOResult {
        do {
            return try output.withUnsafeBytes { bytes throws(TLSError) in try transport.write(bytes) }
        } catch {
            logger.debug("write failed", metadata: ["error": "\(error)"])
            return .end
        }
    }

    private func abortWrite(_ reason: ConnectionFailure) -> ConnectionFailure {
        output.discard()
        mustClose = true
        return reason
    }

    /// Schedules a write for when the current task suspends, so that a response does not wait for the handler of the
    /// next request.
    func flushSoon() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        _ = loop.schedule(after: .zero) {
            self.isFlushScheduled = false
            guard !self.isFlushing, !self.output.isEmpty, !self.transport.isClosed else { return }
            // The next flush writes the rest, and reports any error.
            if case .bytes(let count) = self.writeOnce() { self.output.took(count) }
        }
    }
}
