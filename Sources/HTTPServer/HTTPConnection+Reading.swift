import EventLoop
import Logging
import TLS

extension HTTPConnection {
    /// How many bytes a client may send ahead during a streamed response before the server stops reading.
    static let readAheadBytes = 64 * 1024
    /// An unread body of up to this size is read and discarded, so that the connection can be reused.
    static let discardBytes = 64 * 1024

    /// Returns the next chunk of the body of request number `request`; nil at its end.
    func nextBodyChunk(request: Int) async throws -> [UInt8]? {
        guard request == requests, !bodyIsComplete else { return nil }
        if let bodyFailure { throw bodyFailure }
        precondition(!isReadingBody, "a body must be read by one task only")
        isReadingBody = true
        defer { isReadingBody = false }
        while true {
            switch parser.next() {
            case .body(let bytes):
                mustSendContinue = false
                return bytes
            case .end:
                bodyIsComplete = true
                return nil
            case .refused(let error): throw fail(error)
            case .head: preconditionFailure("a head comes after the end of the body before it")
            case nil: try await receiveBody()
            }
        }
    }

    private func receiveBody() async throws {
        if mustSendContinue {
            mustSendContinue = false
            ResponseEncoder.append("HTTP/1.1 100 Continue\r\n\r\n", to: &output)
        }
        try await flush()
        let start = MonotonicTime.now()
        switch await receive(until: start + bodyBudget.allowance) {
        case .bytes(let count): bodyBudget.waited(.now() - start, for: count)
        case .timedOut: throw fail(.bodyTimeout)
        case .end: throw fail(.incompleteBody)
        case .closed: throw ConnectionFailure.closed
        }
    }

    private func fail(_ error: HTTPError) -> HTTPError {
        mustClose = true
        bodyFailure = error
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
        readDeadline = deadline
        arm(for: deadline)
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
        writeDeadline = deadline
        arm(for: deadline)
        transport.interest(reading: readWaiter != nil || clientLeftWaiter != nil, writing: true)
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
        } else if clientLeftWaiter != nil, parser.bufferedBytes < Self.readAheadBytes {
            if readOnce() == .end { clientLeft() }
        } else {
            mayHaveInput = true
            transport.interest(reading: false, writing: false)
        }
    }

    func wakeReader(_ wake: Wake) {
        readWaiter?.resume(returning: wake)
        readWaiter = nil
    }

    func wakeWriter(_ wake: Wake) {
        writeWaiter?.resume(returning: wake)
        writeWaiter = nil
    }

    private func arm(for deadline: MonotonicTime) {
        if let timer {
            guard deadline < timerDeadline else { return }
            loop.cancel(timer)
        }
        timerDeadline = deadline
        timer = loop.schedule(at: deadline) { self.timerFired() }
    }

    private func timerFired() {
        timer = nil
        let now = MonotonicTime.now()
        if readWaiter != nil {
            if readDeadline <= now { wakeReader(.timedOut) } else { arm(for: readDeadline) }
        }
        if writeWaiter != nil {
            if writeDeadline <= now { wakeWriter(.timedOut) } else { arm(for: writeDeadline) }
        }
    }
}
