import EventLoop
import TLS

extension HTTPConnection {
    /// Runs the author of a streamed body until it returns, or until there is nobody to write for:
    /// it is cancelled then.
    func stream(
        isChunked: Bool, keepAlive: Duration?, _ write: @escaping @Sendable (ResponseWriter) async throws -> Void
    ) async throws {
        hasDeparted = transport.isClosed || isDraining && isStreamingEvents
        let writer = ResponseWriter { try await self.writePiece($0, isChunked: isChunked) }
        let loop = loop
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await write(writer) }
                group.addTask { await self.departure() }
                if let keepAlive {
                    group.addTask {
                        while true {
                            try await loop.sleep(for: keepAlive)
                            try await writer.write(EventSink.keepAliveComment)
                        }
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch is CancellationError {
            // The author was told to stop and did.
        } catch {
            // The head is out: only a missing end can tell the client that this is not all.
            mustClose = true
            throw error
        }
        if isChunked { ResponseEncoder.appendLastChunk(to: &output) }
        try await flush()
    }

    private func writePiece(_ bytes: [UInt8], isChunked: Bool) async throws {
        guard !transport.isClosed else { throw Broken.closed }
        if isChunked {
            ResponseEncoder.appendChunk(bytes, to: &output)
        } else {
            output.append(contentsOf: bytes)
            owedBytes -= bytes.count
        }
        try await flush()
    }

    /// Returns when the client has left, or the server stops and the answer has no end of its own.
    private func departure() async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                guard !hasDeparted, !transport.isClosed else { return continuation.resume() }
                departureWaiter = continuation
                transport.interest(reading: true, writing: writeWaiter != nil)
            }
        } onCancel: {
            loop.perform { self.assumeIsolated { $0.depart() } }
        }
    }

    func depart() {
        hasDeparted = true
        departureWaiter?.resume()
        departureWaiter = nil
    }
}
