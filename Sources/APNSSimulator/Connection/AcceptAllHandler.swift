import EventLoop
import HTTP2
import Logging
import Synchronization
import TLS

/// A connection handler that accepts every push, or puts it off, as the listener's `QuickAnswers` say. It checks
/// nothing, records nothing and allocates no memory per push.
final class AcceptAllHandler: ConnectionHandler {
    /// Streams per block of memory. Memory must not move while a response waits in it.
    private static let slotsPerChunk = 1_024
    /// In bytes. The default window has room for 200 pushes, and the two sides would mostly wait for each other.
    private static let connectionWindow: Int32 = 1 << 20

    private let state: ListenerState
    private var session: HTTP2Session?
    private var ending: UnsafeContinuation<Void, Never>?
    private let loop: EventLoop
    private let acceptance: HeaderList
    private let refusal: HeaderList
    private let refusalBody: StaticString
    private let idField: Int
    /// Nil if answers are immediate.
    private let choice: AnswerChoice?
    private let deferral: QuickAnswers.Deferral
    /// Answers after the usual time, and late ones.
    private var usual: AnswerQueue
    private var slow: AnswerQueue
    private var timer: (due: MonotonicTime, timer: EventLoop.Timer)?
    private var chunks: [UnsafeMutableRawPointer] = []
    /// Whether the slot contains an apns-id, by slot.
    private var hasID: [Bool] = []
    private var free: [Int] = []

    /// The stream of each slot; 0 for free ones. Answers to streams that were closed meanwhile are dropped.
    private var streams: [Int32] = []

    init(state: ListenerState, loop: EventLoop) {
        self.state = state
        self.loop = loop
        let answers = state.quickAnswers.withLock { $0 }
        choice = answers.areImmediate ? nil : AnswerChoice(answers)
        deferral = answers.deferral
        usual = AnswerQueue(delay: answers.latency)
        slow = AnswerQueue(delay: answers.slowLatency)
        acceptance = Self.headers(status: "200")
        switch answers.deferral {
        case .once429: (refusal, refusalBody) = (Self.headers(status: "429"), #"{"reason":"TooManyRequests"}"#)
        case .always503: (refusal, refusalBody) = (Self.headers(status: "503"), #"{"reason":"ServiceUnavailable"}"#)
        }
        idField = 1
    }

    private static func headers(status: StaticString) -> HeaderList {
        let headers = HeaderList(capacity: 2)
        headers.append(name: ":status", value: bytes(of: status), isIndexed: true)
        headers.append(name: "apns-id", value: noID, isIndexed: false)
        return headers
    }

    deinit {
        for chunk in chunks { chunk.deallocate() }
    }

    func begin(_ transport: Transport, _ ending: UnsafeContinuation<Void, Never>) throws(HTTP2Error) {
        let session = try HTTP2Session(role: .server, transport: transport, events: self)
        self.session = session
        self.ending = ending
        session.setConnectionWindow(Self.connectionWindow)
        session.start(
            settings: state.configuration.firstSettings(streams: state.configuration.streams.afterToken))
    }

    func requestBegan(stream: Int32) -> Int {
        if free.isEmpty { addChunk() }
        let slot = free.removeLast()
        hasID[slot] = false
        streams[slot] = stream
        return slot
    }

    func header(stream: Int32, tag: Int, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        guard name.count == 7, value.count == PushID.textLength, name[0] == UInt8(ascii: "a"),
            name[6] == UInt8(ascii: "d")
        else { return }
        idMemory(tag).copyMemory(from: value)
        hasID[tag] = true
    }

    func messageEnded(stream: Int32, tag: Int) {
        guard let choice, hasID[tag] else { return answer(stream, tag, isDeferral: false) }
        let (isSlow, isChosen, hash) = choice.choose(UnsafeRawBufferPointer(idMemory(tag)))
        let isDeferral = isChosen && (deferral == .always503 || state.isFirstAttempt(hash))
        if isSlow {
            slow.add(stream: stream, slot: tag, isDeferral: isDeferral, at: .now())
        } else {
            usual.add(stream: stream, slot: tag, isDeferral: isDeferral, at: .now())
        }
        scheduleNext()
    }

    private func answer(_ stream: Int32, _ slot: Int, isDeferral: Bool) {
        guard let session else { return }
        if !isDeferral { state.acceptAllPushes.wrappingAdd(1, ordering: .relaxed) }
        let headers = isDeferral ? refusal : acceptance
        headers.setValue(at: idField, hasID[slot] ? UnsafeRawBufferPointer(idMemory(slot)) : Self.noID)
        session.submitResponse(headers, stream: stream, hasBody: isDeferral)
    }

    /// Sends all answers that are due, together.
    private func answerDue() {
        timer = nil
        let now = MonotonicTime.now()
        while let next = usual.popDue(at: now) ?? slow.popDue(at: now) {
            if streams[next.slot] == next.stream { answer(next.stream, next.slot, isDeferral: next.isDeferral) }
        }
        scheduleNext()
        session?.flush()
    }

    private func scheduleNext() {
        guard let due = AnswerQueue.earlier(usual.nextDue, slow.nextDue) else { return }
        if let timer {
            guard due < timer.due else { return }
            loop.cancel(timer.timer)
        }
        timer = (due, loop.schedule(at: due) { [unowned self] in answerDue() })
    }

    func streamClosed(stream: Int32, tag: Int, code: HTTP2Code) {
        guard tag >= 0 else { return }
        streams[tag] = 0
        free.append(tag)
    }

    func ended(_ error: HTTP2Error) {
        state.logger.debug("connection ended", metadata: ["reason": "\(error)"])
        finish()
    }

    func close() {
        session?.close()
        finish()
    }

    private func finish() {
        if let timer { loop.cancel(timer.timer) }
        timer = nil
        ending?.resume()
        ending = nil
    }

    func beginShutdown() {
        session?.submitGoAway(code: .noError, debugData: Fault.GoAway().debugData)
        session?.flush()
    }

    func inject(_ fault: Fault) {
        if case .disconnect = fault { close() }
    }

    private func idMemory(_ slot: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            start: chunks[slot / Self.slotsPerChunk] + slot % Self.slotsPerChunk * PushID.textLength,
            count: PushID.textLength)
    }

    private func addChunk() {
        let first = chunks.count * Self.slotsPerChunk
        chunks.append(.allocate(byteCount: Self.slotsPerChunk * PushID.textLength, alignment: 16))
        hasID.append(contentsOf: repeatElement(false, count: Self.slotsPerChunk))
        streams.append(contentsOf: repeatElement(0, count: Self.slotsPerChunk))
        free.append(contentsOf: (first..<first + Self.slotsPerChunk).reversed())
    }

    private static var noID: UnsafeRawBufferPointer { bytes(of: "00000000-0000-4000-8000-000000000000") }

    private static func bytes(of text: StaticString) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    func data(stream: Int32, tag: Int, bytes: UnsafeRawBufferPointer) {}
    /// Only refusals have one. It is shorter than any frame.
    func body(stream: Int32, tag: Int, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isEnd: Bool) {
        buffer.copyMemory(from: Self.bytes(of: refusalBody))
        return (refusalBody.utf8CodeUnitCount, true)
    }
    func settingsChanged() {}
    func requestNotSent(stream: Int32) {}
    func goAway(lastStream: Int32, code: HTTP2Code, debugData: UnsafeRawBufferPointer) {}
    func pingAnswered() {}
    func maySubmit() {}
}
