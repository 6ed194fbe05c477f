import EventLoop
import TLS

extension HTTPConnection {
    /// Runs the closure that writes a streamed body. The closure is cancelled when the client leaves.
    func writeStream(
        isChunked: Bool, keepAlive: Duration?, _ write: @escaping @Sendable (ResponseWriter) async throws -> Void
    ) async throws {
        stream.hasClientLeft = transport.isClosed || isDraining && stream.isOfEvents
        let writer = ResponseWriter { try await self.writePiece($0, isChunked: isChunked) }
        let loop = loop
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await write(writer) }
                group.addTask { await self.waitForClientToLeave() }
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
            // The closure stopped because it was cancelled.
        } catch {
            // The head is already sent. Only a missing end tells the client that the body is incomplete.
            mustClose = true
            throw error
        }
        if isChunked { ResponseEncoder.appendLastChunk(to: &output.bytes) }
        try await flush()
    }

    private func writePiece(_ bytes: [UInt8], isChunked: Bool) async throws {
        guard !transport.isClosed else { throw ConnectionFailure.closed }
        sentBodyBytes += bytes.count
        if isChunked {
            ResponseEncoder.appendChunk(bytes, to: &output.bytes)
        } else {
            output.bytes.append(contentsOf: bytes)
            stream.remainingBytes -= bytes.count
        }
        try await flush()
    }

    /// Returns when the client has left, or when the server stops during an event stream.
    private func waitForClientToLeave() async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                guard !stream.hasClientLeft, !transport.isClosed else { return continuation.resume() }
                stream.untilClientLeaves.add(continuation)
                transport.interest(reading: true, writing: writeWaiter != nil)
            }
        } onCancel: {
            loop.perform { self.assumeIsolated { $0.stream.clientLeft() } }
        }
    }
}
