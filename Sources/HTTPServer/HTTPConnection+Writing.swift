import EventLoop
import Logging
import TLS

extension HTTPConnection {
    /// Answers to pipelined requests are gathered up to this size.
    static let batchBytes = 64 * 1024
    /// A client that takes so much within the write deadline gets the deadline anew.
    static let writeProgressBytes = 64 * 1024

    /// Returns when the kernel has taken all of `output`.
    func flush() async throws(Broken) {
        while isFlushing {
            await withUnsafeContinuation { turn in
                if isFlushing { flushTurns.append(turn) } else { turn.resume() }
            }
        }
        guard sent < output.count else { return }
        isFlushing = true
        defer {
            isFlushing = false
            for turn in flushTurns { turn.resume() }
            flushTurns.removeAll()
        }
        var deadline: MonotonicTime?
        var progress = 0
        while sent < output.count {
            switch writeOnce() {
            case .bytes(let count):
                sent += count
                progress += count
                if progress >= Self.writeProgressBytes {
                    progress = 0
                    deadline = nil
                }
            case .wouldBlock:
                let until = deadline ?? .now() + configuration.writeDeadline
                deadline = until
                switch await waitUntilWritable(until: until) {
                case .ready: break
                case .timedOut: throw breakOff(.timedOut)
                case .closed: throw breakOff(.closed)
                }
            case .end: throw breakOff(.closed)
            }
        }
        sent = 0
        if output.capacity > Self.batchBytes { output = [] } else { output.removeAll(keepingCapacity: true) }
    }

    private func writeOnce() -> IOResult {
        do {
            return try output.withUnsafeBytes { bytes throws(TLSError) in
                try transport.write(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
            }
        } catch {
            logger.debug("writing failed", metadata: ["error": "\(error)"])
            return .end
        }
    }

    private func breakOff(_ reason: Broken) -> Broken {
        sent = 0
        output = []
        mustClose = true
        return reason
    }

    /// Sends what is gathered as soon as the present task waits for something: an answer must not wait
    /// for the next one's handler.
    func flushSoon() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        _ = loop.schedule(after: .zero) {
            self.isFlushScheduled = false
            guard !self.isFlushing, self.sent < self.output.count, !self.transport.isClosed else { return }
            // What the socket does not take now goes with the next flush, which also meets any error.
            if case .bytes(let count) = self.writeOnce() { self.sent += count }
        }
    }
}
