import EventLoop
import FoundationEssentials
import HTTP2
import Logging
import TLS

/// A connection handler that answers as Apple does, and injects the configured faults.
final class ValidatingHandler: ConnectionHandler {
    /// The connection closes this long after a GOAWAY, even if streams are still unanswered.
    private static let goAwayGrace = Duration.seconds(5)
    /// The time between the two GOAWAY frames of a graceful shutdown: longer than a round trip.
    private static let noticePeriod = Duration.milliseconds(100)

    private let state: ListenerState
    private let loop: EventLoop
    private let validator: RequestValidator
    private var authority: ConnectionAuthority
    private var policy: StreamPolicy
    private var session: HTTP2Session?
    private var ending: UnsafeContinuation<Void, Never>?
    private let connectionFault: Fault?
    private let headers = HeaderList(capacity: 4)

    private var streams: [PushStream] = []
    private var free: [Int] = []
    private var rejectsAllTokens = false
    private var isEnded = false
    /// The highest stream that was processed. GOAWAY must not name a lower one.
    private var highestProcessed: Int32 = 0
    /// The last stream that a GOAWAY has named. nghttp2 applies it only after the frame has been written.
    private var lastProcessable = Int32.max
    private var timers: [EventLoop.Timer] = []

    init(state: ListenerState, loop: EventLoop, fault: Fault?) {
        self.state = state
        self.loop = loop
        connectionFault = fault
        validator = RequestValidator(state.configuration)
        authority = ConnectionAuthority(state.configuration)
        policy = StreamPolicy(state.configuration.streams)
    }

    func begin(_ transport: Transport, _ ending: UnsafeContinuation<Void, Never>) throws(HTTP2Error) {
        let session = try HTTP2Session(role: .server, transport: transport, events: self)
        self.session = session
        self.ending = ending
        if case .goAwayBeforeSettings(let reason) = connectionFault {
            session.submitGoAway(code: .noError, debugData: Fault.GoAway(reason: reason).debugData)
            session.start(settings: nil)
        } else {
            session.start(settings: state.configuration.firstSettings(streams: policy.announced))
        }
    }

    func close() {
        let connectionClosed = streams.count { isLost($0) }
        if openStreams > 0 {
            state.record.note {
                $0.connectionClosed += connectionClosed
                $0.connectionsCut += 1
            }
        }
        for stream in streams { stream.isFinished = true }
        session?.close()
        finish()
    }

    /// Whether the request was processed and not answered.
    private func isLost(_ stream: PushStream) -> Bool {
        stream.isOpen && !stream.isFinished && stream.number <= lastProcessable
    }

    func ended(_ error: HTTP2Error) {
        state.logger.debug("connection ended", metadata: ["reason": "\(error)"])
        finish()
    }

    private func finish() {
        guard !isEnded else { return }
        isEnded = true
        let abandoned = streams.count { isLost($0) }
        if abandoned > 0 { state.record.note { $0.abandoned += abandoned } }
        for stream in streams where stream.isOpen { stream.close(on: loop) }
        for timer in timers { loop.cancel(timer) }
        timers = []
        ending?.resume()
        ending = nil
    }

    // MARK: Requests

    private var openStreams: Int { streams.count - free.count }

    func requestBegan(stream: Int32) -> Int {
        let tag = free.popLast() ?? streams.endIndex
        if tag == streams.endIndex { streams.append(PushStream()) }
        streams[tag].open(stream)
        return tag
    }

    func header(stream: Int32, tag: Int, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        guard tag >= 0 else { return }
        streams[tag].request.append(name: name, value: value)
    }

    func data(stream: Int32, tag: Int, bytes: UnsafeRawBufferPointer) {
        guard tag >= 0 else { return }
        streams[tag].request.append(body: bytes)
    }

    func streamClosed(stream: Int32, tag: Int, code: HTTP2Code) {
        guard tag >= 0, streams[tag].isOpen else { return }
        if isLost(streams[tag]) { state.record.note { $0.abandoned += 1 } }
        streams[tag].close(on: loop)
        free.append(tag)
    }

    func messageEnded(stream: Int32, tag: Int) {
        // A fault may have closed the connection while the bytes just read contained more requests.
        guard tag >= 0, !isEnded else { return }
        let stream = streams[tag]
        guard stream.number <= lastProcessable else { return }
        let check = validator.check(
            stream.request, &authority, devices: state.devices, at: Date(),
            environmentReason: state.faults.environmentReason.rawValue)
        if check.isAuthenticated { announce(policy.tokenSeen()) }

        let decision = state.requestCame(tokenHash: check.tokenHash)
        let outcome = RequestOutcome(
            rejection: check.rejection, fault: decision.fault, rejectsAllTokens: rejectsAllTokens
        ) { goAway in
            lastStream(of: goAway, at: stream.number).map { stream.number <= $0 } ?? true
        }
        if outcome.beginsRejectingTokens { rejectsAllTokens = true }
        note(check, outcome, stream)
        if let goAway = outcome.goAway { begin(goAway, at: stream.number) }
        if outcome.status != nil { highestProcessed = max(highestProcessed, stream.number) }
        if let limit = outcome.streamLimit { announce(policy.limitChanged(to: limit)) }

        guard decision.delay > .zero else { return perform(outcome, on: stream, check) }
        stream.timer = loop.schedule(after: decision.delay) { [unowned self, unowned stream] in
            stream.timer = nil
            perform(outcome, on: stream, check)
            session?.flush()
        }
    }

    private func note(_ check: RequestCheck, _ outcome: RequestOutcome, _ stream: PushStream) {
        state.record.note(
            Record.Request(
                check: check, status: outcome.status, reason: outcome.reason,
                isAccepted: outcome.isAccepted, hasFault: outcome.hasFault, openStreams: openStreams,
                providerTokens: authority.tokenCount))
        state.observe?(ObservedPush(stream.request, check, outcome))
        guard outcome.isAccepted, let deliver = state.deliver else { return }
        stream.request.body.withUnsafeBytes { payload in
            deliver(DeliveredPush(device: check.device, id: check.id, payload: payload))
        }
    }

    // MARK: Answers

    private func perform(_ outcome: RequestOutcome, on stream: PushStream, _ check: RequestCheck) {
        switch outcome.action {
        case .answer:
            announce(policy.accepted())
            answer(stream, check, status: 200, body: nil)
        case .refuse(let rejection):
            announce(policy.refused(status: rejection.status))
            answer(stream, check, status: rejection.status, body: rejection.body)
        case .refuseWithText(let status, let body):
            announce(policy.refused(status: status))
            answer(stream, check, status: status, body: body)
        case .noAnswer: return
        case .reset(let code):
            stream.isFinished = true
            if code != .refusedStream { state.record.note { $0.reset += 1 } }
            session?.submitReset(stream: stream.number, code: code)
        case .disconnect: close()
        }
    }

    private func answer(_ stream: PushStream, _ check: RequestCheck, status: Int, body: String?) {
        stream.isFinished = true
        let hasUniqueID = status == 200 && state.configuration.environment == .sandbox
        stream.compose(
            status: status, echo: check.id == nil ? nil : stream.request[.id], generated: state.makeID,
            uniqueID: hasUniqueID ? state.makeID() : nil, body: body)
        headers.removeAll()
        headers.append(name: ":status", value: stream.statusText, isIndexed: true)
        headers.append(name: "apns-id", value: stream.idText, isIndexed: false)
        if hasUniqueID { headers.append(name: "apns-unique-id", value: stream.uniqueIDText, isIndexed: false) }
        if stream.hasBody { headers.append(name: "content-type", value: Self.json, isIndexed: true) }
        session?.submitResponse(headers, stream: stream.number, hasBody: stream.hasBody)
    }

    private static var json: UnsafeRawBufferPointer {
        let text: StaticString = "application/json"
        return UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    func body(stream: Int32, tag: Int, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isEnd: Bool) {
        guard tag >= 0 else { return (0, true) }
        return streams[tag].writeBody(into: buffer)
    }

    private func announce(_ limit: Int?) {
        guard let limit else { return }
        session?.submit(HTTP2Settings(maxConcurrentStreams: UInt32(clamping: limit)))
    }

    // MARK: Endings

    func inject(_ fault: Fault) {
        switch fault {
        case .disconnect: return close()
        case .goAway(let goAway): begin(goAway, at: highestProcessed)
        case .streamLimit(let limit): announce(policy.limitChanged(to: limit))
        case .expiredTokenFromNowOn: rejectsAllTokens = true
        case .answer, .answerText, .noAnswer, .delay, .reset, .goAwayBeforeSettings, .refuseConnection: return
        }
        session?.flush()
    }

    func beginShutdown() {
        begin(Fault.GoAway(lastStream: .all), at: highestProcessed)
        session?.flush()
    }

    private func begin(_ goAway: Fault.GoAway, at stream: Int32) {
        guard let last = lastStream(of: goAway, at: stream) else {
            session?.submitShutdownNotice()
            later(Self.noticePeriod) { handler in
                handler.session?.submitGoAway(code: goAway.code, debugData: goAway.debugData)
                handler.session?.flush()
            }
            return later(Self.noticePeriod + Self.goAwayGrace) { $0.close() }
        }
        lastProcessable = min(lastProcessable, last)
        for _ in 0..<(goAway.isDouble ? 2 : 1) {
            session?.submitGoAway(lastStream: last, code: goAway.code, debugData: goAway.debugData)
        }
        later(Self.goAwayGrace) { $0.close() }
    }

    /// Nil means all streams.
    private func lastStream(of goAway: Fault.GoAway, at stream: Int32) -> Int32? {
        switch goAway.lastStream {
        case .thisStream: max(stream, highestProcessed)
        case .previousStream: max(stream - 2, highestProcessed, 0)
        case .number(let number): number
        case .all: nil
        }
    }

    private func later(_ delay: Duration, _ body: @escaping (ValidatingHandler) -> Void) {
        timers.append(loop.schedule(after: delay) { [unowned self] in body(self) })
    }

    func settingsChanged() {}
    func requestNotSent(stream: Int32) {}
    func goAway(lastStream: Int32, code: HTTP2Code, debugData: UnsafeRawBufferPointer) {}
    func pingAnswered() {}
    func maySubmit() {}
}
