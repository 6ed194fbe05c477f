import EventLoop
import Logging
import TLS

extension HTTPConnection {
    /// What a streamed answer's reader may send ahead before it is no longer listened to.
    static let readAheadBytes = 64 * 1024
    /// An unread body up to this size is read and dropped, to keep the connection.
    static let discardBytes = 64 * 1024

    /// The next piece of the body of request number `request`; nil at its end.
    func nextBodyChunk(request: Int) async throws -> [UInt8]? {
        guard request == requests, !bodyIsComplete else { return nil }
        if let bodyFailure { throw bodyFailure }
        precondition(!isReadingBody, "a body is read by one task")
        isReadingBody = true
        defer { isReadingBody = false }
        while true {
            switch parser.next() {
            case .body(let bytes):
                owesContinue = false
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
        if owesContinue {
            owesContinue = false
            ResponseEncoder.append("HTTP/1.1 100 Continue\r\n\r\n", to: &output)
        }
        try await flush()
        let start = MonotonicTime.now()
        switch await receive(until: start + pace.allowance) {
        case .bytes(let count): pace.waited(.now() - start, for: count)
        case .timedOut: throw fail(.bodyTimeout)
        case .end: throw fail(.bodyCutShort)
        case .closed: throw Broken.closed
        }
    }

    private func fail(_ error: HTTPError) -> HTTPError {
        mustClose = true
        bodyFailure = error
        return error
    }

    /// Takes what the socket has, or waits for it.
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
            logger.debug("reading failed", metadata: ["error": "\(error)"])
            return .end
        }
    }

    /// Reads and drops until the client closes, for a while: a socket closed with bytes unread sends
    /// a reset, which may overtake the answer (RFC 9112 §9.6).
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
        transport.interest(reading: readWaiter != nil || departureWaiter != nil, writing: true)
        return await withUnsafeContinuation { continuation in
            if transport.isClosed { continuation.resume(returning: .closed) } else { writeWaiter = continuation }
        }
    }

    /// The socket is ready for something. Who waits tries again; the interest in reading stays armed
    /// until it turns out that nobody waits, which saves two system calls a request.
    func becameReady() {
        if readWaiter != nil || writeWaiter != nil {
            if writeWaiter != nil { transport.interest(reading: readWaiter != nil, writing: false) }
            wakeReader(.ready)
            wakeWriter(.ready)
        } else if departureWaiter != nil, parser.bufferedBytes < Self.readAheadBytes {
            if readOnce() == .end { depart() }
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
