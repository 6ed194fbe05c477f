internal import CNGHTTP2
import EventLoop
public import TLS

/// One HTTP/2 connection: an nghttp2 session on a transport, as client or as server. It belongs to
/// the actor that owns the connection, runs on its loop, and reports to `events`.
///
/// Submit any number of frames, then call `flush()` once: frames are combined into large writes.
public final class HTTP2Session {
    public enum Role: Sendable { case client, server }

    /// Bytes that are collected before a write to the transport: one TLS record.
    static let writeSize = 16 * 1024
    /// Bytes that a single frame may add to a write that is almost full.
    static let frameRoom = 16 * 1024 + 64
    static let readSize = 64 * 1024

    public let role: Role
    private let transport: Transport
    /// Unowned and unchecked: it is called a dozen times per request, and reference counting showed in profiles.
    private unowned(unsafe) let events: any HTTP2Events
    private let session: OpaquePointer
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: HTTP2Session.readSize, alignment: 16)
    private let output = UnsafeMutableRawBufferPointer.allocate(
        byteCount: HTTP2Session.writeSize + HTTP2Session.frameRoom, alignment: 16)
    private var outputStart = 0
    private var outputEnd = 0
    private var isEnded = false
    /// True during nghttp2's callbacks, from which writing is not allowed.
    private var isReceiving = false

    /// Takes ownership of a transport whose handshake is complete. `events` must outlive the session.
    public init(role: Role, transport: Transport, events: any HTTP2Events) throws(HTTP2Error) {
        self.role = role
        self.transport = transport
        self.events = events
        guard let session = SessionCallbacks.makeSession(role: role) else {
            throw .protocolViolated("nghttp2 could not allocate a session")
        }
        self.session = session
        nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        nghttp2_session_del(session)
        input.deallocate()
        output.deallocate()
    }

    /// Starts reading and sends `settings`. A test server that must misbehave may omit them.
    public func start(settings: HTTP2Settings?) {
        if let settings { submit(settings) }
        transport.notify(whenReadable: true, whenWritable: false) { [unowned self] in self.receive() }
        flush()
        // TLS may have read ahead during the handshake, and the socket does not report those bytes.
        if !isEnded { receive() }
    }

    // MARK: Limits of the peer

    /// The number of concurrent streams that the peer allows; nghttp2 reports 100 before the first SETTINGS.
    public var peerMaxConcurrentStreams: Int {
        Int(nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    /// False once stream ids are exhausted (RFC 9113 §5.1.1) or GOAWAY was received.
    public var allowsRequests: Bool { !isEnded && nghttp2_session_check_request_allowed(session) != 0 }

    /// Whether bytes wait for the peer to read.
    public var isBlocked: Bool { outputStart < outputEnd }

    // MARK: Submitting

    /// Queues a request; its body, if any, is requested through `events`. Returns the stream's id, or nil if no more
    /// streams can be opened on this connection.
    public func submitRequest(_ headers: HeaderList, tag: Int, hasBody: Bool) -> Int32? {
        let stream: Int32
        if hasBody {
            var provider = SessionCallbacks.bodyProvider
            stream = nghttp2_submit_request(
                session, nil, headers.fields, headers.count, &provider, Self.pointer(tag))
        } else {
            stream = nghttp2_submit_request(session, nil, headers.fields, headers.count, nil, Self.pointer(tag))
        }
        return stream > 0 ? stream : nil
    }

    public func submitResponse(_ headers: HeaderList, stream: Int32, hasBody: Bool) {
        if hasBody {
            var provider = SessionCallbacks.bodyProvider
            expect(nghttp2_submit_response(session, stream, headers.fields, headers.count, &provider))
        } else {
            expect(nghttp2_submit_response(session, stream, headers.fields, headers.count, nil))
        }
    }

    public func submit(_ settings: HTTP2Settings) {
        let entries = settings.entries
        expect(nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count))
    }

    /// Sets how many bytes the peer may send on all streams together before it must wait (RFC 9113 §6.9); the
    /// protocol's default is 65,535.
    public func setConnectionWindow(_ size: Int32) {
        expect(nghttp2_session_set_local_window_size(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, size))
    }

    public func submitReset(stream: Int32, code: HTTP2Code) {
        expect(nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue))
    }

    /// Sends GOAWAY. `lastStream` is by default the last stream that was processed.
    public func submitGoAway(lastStream: Int32? = nil, code: HTTP2Code, debugData: String = "") {
        let last = lastStream ?? nghttp2_session_get_last_proc_stream_id(session)
        let data = Array(debugData.utf8)
        expect(nghttp2_submit_goaway(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, code.rawValue, data, data.count))
    }

    /// Starts a graceful shutdown of a server: sends GOAWAY with the highest stream id, after which requests in flight
    /// are still accepted (RFC 9113 §6.8). `submitGoAway` completes it.
    public func submitShutdownNotice() {
        expect(nghttp2_submit_shutdown_notice(session))
    }

    public func submitPing() {
        expect(nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil))
    }

    /// Replaces the tag of a stream that was submitted and is not closed.
    public func setTag(_ tag: Int, of stream: Int32) {
        expect(nghttp2_session_set_stream_user_data(session, stream, Self.pointer(tag)))
    }

    /// Whether any part of a submitted request may have been sent, for a stream that was not reported as closed. Valid
    /// also after the session has ended.
    ///
    /// False is certain: nghttp2 opens a stream directly before it serializes the request's HEADERS, and until then the
    /// request is in its queue. True is not certain: the bytes may still be buffered here or in OpenSSL.
    public func hasStartedSending(stream: Int32) -> Bool { nghttp2_session_find_stream(session, stream) != nil }

    // MARK: Reading and writing

    /// Writes queued frames until the socket blocks; the rest follows when the socket is ready.
    public func flush() {
        guard !isReceiving, !isEnded else { return }
        do throws(HTTP2Error) {
            let wasBlocked = isBlocked
            try writeAll()
            if wasBlocked && !isBlocked {
                events.maySubmit()
                try writeAll()
            }
        } catch {
            end(error)
            return
        }
        transport.interest(reading: true, writing: isBlocked)
        // After a GOAWAY of either side, nghttp2 reports when no work is left.
        if nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0 && !isBlocked {
            end(.closed)
        }
    }

    /// Closes the connection immediately, without GOAWAY; `events.ended` is not called.
    public func close() {
        guard !isEnded else { return }
        isEnded = true
        transport.close()
    }

    private func receive() {
        do throws(HTTP2Error) {
            var mayHaveMore = true
            while mayHaveMore && !isEnded {
                switch try transport.reading(into: input) {
                case .bytes(let count): try take(UnsafeRawBufferPointer(rebasing: input[..<count]))
                case .wouldBlock: mayHaveMore = false
                case .end: throw HTTP2Error.closed
                }
            }
            guard !isEnded else { return }
            events.maySubmit()
            flush()
        } catch {
            end(error)
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Error) {
        isReceiving = true
        let status = nghttp2_session_mem_recv(session, bytes.baseAddress, bytes.count)
        isReceiving = false
        guard status >= 0 else { throw HTTP2Error(code: Int32(status)) }
    }

    /// Writes until nothing is left or the socket blocks.
    private func writeAll() throws(HTTP2Error) {
        repeat {
            guard try writeOutput() else { return }
        } while try fillOutput()
    }

    /// Fills the output with the next frames. Returns false if there are none.
    private func fillOutput() throws(HTTP2Error) -> Bool {
        outputStart = 0
        outputEnd = 0
        while outputEnd < Self.writeSize {
            var bytes: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &bytes)
            guard count >= 0 else { throw HTTP2Error(code: Int32(count)) }
            guard count > 0, let bytes else { break }
            UnsafeMutableRawBufferPointer(rebasing: output[outputEnd...])
                .copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: count))
            outputEnd += count
        }
        return outputEnd > 0
    }

    /// Returns true if all of the output was written.
    private func writeOutput() throws(HTTP2Error) -> Bool {
        while outputStart < outputEnd {
            switch try transport.writing(UnsafeRawBufferPointer(rebasing: output[outputStart..<outputEnd])) {
            case .bytes(let count): outputStart += count
            case .wouldBlock: return false
            case .end: throw .closed
            }
        }
        return true
    }

    private func end(_ error: HTTP2Error) {
        guard !isEnded else { return }
        close()
        events.ended(error)
    }

    /// A submit fails only when out of memory, or for a stream that was closed meanwhile, which `events` reports.
    private func expect(_ status: Int32) {
        precondition(status != NGHTTP2_ERR_NOMEM.rawValue, "nghttp2 has no memory")
    }

    static func pointer(_ tag: Int) -> UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: tag + 1) }
    static func tag(_ pointer: UnsafeMutableRawPointer?) -> Int { Int(bitPattern: pointer) - 1 }
}

// MARK: nghttp2's callbacks

extension HTTP2Session {
    func frameReceived(_ frame: UnsafePointer<nghttp2_frame>) {
        let head = frame.pointee.hd
        let flags = UInt32(head.flags)
        switch UInt32(head.type) {
        case NGHTTP2_SETTINGS.rawValue where flags & NGHTTP2_FLAG_ACK.rawValue == 0:
            events.settingsChanged()
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            guard flags & NGHTTP2_FLAG_END_STREAM.rawValue != 0 else { return }
            events.messageEnded(stream: head.stream_id, tag: tag(of: head.stream_id))
        case NGHTTP2_GOAWAY.rawValue:
            let goAway = frame.pointee.goaway
            events.goAway(
                lastStream: goAway.last_stream_id, code: HTTP2Code(rawValue: goAway.error_code),
                debugData: UnsafeRawBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len))
        case NGHTTP2_PING.rawValue where flags & NGHTTP2_FLAG_ACK.rawValue != 0:
            events.pingAnswered()
        default: return
        }
    }

    func beginHeaders(_ frame: UnsafePointer<nghttp2_frame>) {
        guard role == .server, frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else { return }
        let stream = frame.pointee.hd.stream_id
        let tag = events.requestBegan(stream: stream)
        nghttp2_session_set_stream_user_data(session, stream, Self.pointer(tag))
    }

    func header(stream: Int32, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        events.header(stream: stream, tag: tag(of: stream), name: name, value: value)
    }

    func data(stream: Int32, bytes: UnsafeRawBufferPointer) {
        events.data(stream: stream, tag: tag(of: stream), bytes: bytes)
    }

    func streamClosed(_ stream: Int32, code: UInt32) {
        events.streamClosed(stream: stream, tag: tag(of: stream), code: HTTP2Code(rawValue: code))
    }

    func frameNotSent(_ frame: UnsafePointer<nghttp2_frame>) {
        guard role == .client, UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue else { return }
        events.requestNotSent(stream: frame.pointee.hd.stream_id)
    }

    func body(stream: Int32, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isEnd: Bool) {
        events.body(stream: stream, tag: tag(of: stream), into: buffer)
    }

    private func tag(of stream: Int32) -> Int {
        Self.tag(nghttp2_session_get_stream_user_data(session, stream))
    }
}

extension Transport {
    fileprivate func reading(into buffer: UnsafeMutableRawBufferPointer) throws(HTTP2Error) -> IOResult {
        do { return try read(into: buffer) } catch { throw .transport(error) }
    }

    fileprivate func writing(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Error) -> IOResult {
        do { return try write(bytes) } catch { throw .transport(error) }
    }
}
