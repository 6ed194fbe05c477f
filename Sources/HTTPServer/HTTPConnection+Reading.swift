import EventLoop
import Logging
import TLS

extension HTTPConnection {
    /// The number of bytes that a client may send ahead during a streamed response before the server stops reading.
    static let readAheadBytes = 64 * 1024
    /// An unread body of up to this size is read and discarded, so that the connection can be reused.
    static let discardBytes = 64 * 1024

    /// Returns the next chunk of the body of this request of the connection; nil at its end.
    func nextBodyChunk(request number: Int) async throws -> [UInt8]? {
        guard number == request.number, !request.isBodyComplete else { return nil }
        if let failure = request.failure { throw failure }
        precondition(!request.isBeingRead, "a body must be read by one task only")
        request.isBeingRead = true
        defer { request.isBeingRead = false }
        while true {
            switch parser.next() {
            case .body(let bytes):
                request.mustSendContinue = false
                return bytes
            case .end:
                request.isBodyComplete = true
                return nil
            case .refused(let error): throw fail(error)
            case .head: preconditionFailure("a head comes after the end of the body before it")
            case nil: try await receiveBody()
            }
        }
    }

    private func receiveBody() async throws {
        if request.mustSendContinue {
            request.mustSendContinue = false
            ResponseEncoder.append("HTTP/1.1 100 Continue\r\n\r\n", to: &output.bytes)
        }
        try await flush()
        let start = MonotonicTime.now()
        switch await receive(until: start + request.budget.allowance) {
        case .bytes(let count): request.budget.waited(.now() - start, for: count)
        case .timedOut: throw fail(.bodyTimeout)
        case .end: throw fail(.incompleteBody)
        case .closed: throw ConnectionFailure.closed
        }
    }

    private func fail(_ error: HTTPError) -> HTTPError {
        mustClose = true
        request.failure = error
        return error
    }

    /// Reads the available bytes, or waits for some.
    func receive(until deadline: MonotonicTime) async -> Received {
        while true {
            if mayHaveInput || origin.isSecure {
                switch readOnce() {
                case .bytes(let count): return .bytes(count)
                case .end: return .end
                case .wouldBlock: break
                }
            }
            switch await waitUntilReadable(until: deadline) {
            case .ready: mayHaveInput = true
            case .timedOut: return .timedOut
            case .closed: return .closed
            }
        }
    }

    private func readOnce() -> IOResult {
        do {
            let result = try transport.read(into: resources.input)
            mayHaveInput = false
            if case .bytes(let count) = result {
                parser.append(UnsafeRawBufferPointer(rebasing: resources.input[..<count]))
                // A short read has emptied the socket.
                mayHaveInput = count == resources.input.count
            }
            return result
        } catch {
            logger.debug("read failed", metadata: ["error": "\(error)"])
            return .end
        }
    }

    /// Reads and discards bytes until the client closes or the linger deadline passes. Closing a socket with unread
    /// bytes sends a reset, which can destroy the response before the client reads it (RFC 9112 §9.6).
    func linger() async {
        transport.shutdownWriting()
        let deadline = MonotonicTime.now() + configuration.lingerDeadline
        var parsed = RequestParser(limits: configuration.limits)
        swap(&parser, &parsed)
        while case .bytes = await receive(until: deadline), MonotonicTime.now() < deadline {
            parser = RequestParser(limits: configuration.limits)
        }
    }

    // MARK: Waiting

    func waitUntilReadable(until deadline: MonotonicTime) async -> Wake {
        guard !transport.isClosed else { return .closed }
        arm(deadlines.begin(.reading, until: deadline))
        transport.interest(reading: true, writing: writeWaiter != nil)
        return await withUnsafeContinuation { continuation in
            if transport.isClosed || isIdle && isDraining {
                continuation.resume(returning: .closed)
            } else {
                readWaiter = continuation
            }
        }
    }

    func waitUntilWritable(until deadline: MonotonicTime) async -> Wake {
        guard !transport.isClosed else { return .closed }
        arm(deadlines.begin(.writing, until: deadline))
        transport.interest(reading: readWaiter != nil || !stream.untilClientLeaves.isEmpty, writing: true)
        return await withUnsafeContinuation { continuation in
            if transport.isClosed { continuation.resume(returning: .closed) } else { writeWaiter = continuation }
        }
    }

    /// Wakes the tasks that wait for the socket. The interest in reading stays armed until the socket is readable while
    /// no task waits, which saves two system calls per request.
    func becameReady() {
        if readWaiter != nil || writeWaiter != nil {
            if writeWaiter != nil { transport.interest(reading: readWaiter != nil, writing: false) }
            wakeReader(.ready)
            wakeWriter(.ready)
        } else if !stream.untilClientLeaves.isEmpty, parser.bufferedBytes < Self.readAheadBytes {
            if readOnce() == .end { stream.clientLeft() }
        } else {
            mayHaveInput = true
            transport.interest(reading: false, writing: false)
        }
    }

    func wakeReader(_ wake: Wake) {
        guard let waiter = readWaiter else { return }
        deadlines.end(.reading)
        readWaiter = nil
        waiter.resume(returning: wake)
    }

    func wakeWriter(_ wake: Wake) {
        guard let waiter = writeWaiter else { return }
        deadlines.end(.writing)
        writeWaiter = nil
        waiter.resume(returning: wake)
    }

    private func arm(_ deadline: MonotonicTime?) {
        guard let deadline else { return }
        if let timer { loop.cancel(timer) }
        timer = loop.schedule(at: deadline) { self.timerFired() }
    }

    private func timerFired() {
        timer = nil
        let over = deadlines.fired(at: .now())
        arm(over.next)
        if over.reading { wakeReader(.timedOut) }
        if over.writing { wakeWriter(.timedOut) }
    }
}
