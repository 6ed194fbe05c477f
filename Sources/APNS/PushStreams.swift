import DequeModule
import EventLoop
import HTTP2

/// The pushes of one connection: windows that wait or are on the wire, their streams, deadlines and
/// answers. It lives inside the connection's actor, and nghttp2 calls it on the loop.
///
/// Nothing here allocates, locks or makes a task per push: a push is an index into its window's
/// raw memory, and the stream's tag leads there.
final class PushStreams: HTTP2Events {
    /// Windows on one connection at once; the tag has room for no more.
    static let maximumWindows = 64

    private struct Active {
        let window: PushWindow
        var next = 0
        var inFlight = 0
        let finished: UnsafeContinuation<Void, Never>
    }

    /// Pushes that were submitted together and share a deadline.
    private struct Group {
        let deadline: MonotonicTime
        let submitted: MonotonicTime
        let tag: Int
        let end: Int
    }

    private(set) var state = ConnectionState()
    /// Apple's words when it said goodbye, or what ended the connection.
    private(set) var farewell: String?
    var session: HTTP2Session?
    /// Called when the connection has ended.
    var onEnd: (() -> Void)?
    /// Resumed by the first SETTINGS, or by the end.
    private var opening: UnsafeContinuation<Void, Never>?

    private let reasons: ReasonTable
    private let options: APNSOptions
    private let headers = PushHeaderList()
    private var actives: [Active?] = []
    private var generations: [Int] = []
    private var waiting: Deque<Int> = []
    private var groups: Deque<Group> = []
    private var bodies: [Int: [UInt8]] = [:]
    /// Something came from the peer; the next tick or submission notes the time.
    private var hasHeard = true
    private var lastHeard = MonotonicTime.now()
    private var pingSent: MonotonicTime?

    init(authority: String, token: ProviderToken, reasons: ReasonTable, options: APNSOptions) {
        self.reasons = reasons
        self.options = options
        headers.set(authority: authority)
        headers.set(token: token)
    }

    // MARK: For the connection

    func waitUntilOpen() async {
        guard state.phase == .awaitingSettings else { return }
        await withUnsafeContinuation { opening = $0 }
    }

    func use(_ token: ProviderToken) { headers.set(token: token) }

    var hasRoomForWindow: Bool { actives.count { $0 != nil } < Self.maximumWindows }

    /// Returns when each unsent push of the window has an answer, is unknown, or is certainly unsent.
    func send(_ window: PushWindow) async {
        guard state.phase == .open || state.phase == .awaitingSettings, hasRoomForWindow else { return }
        await withUnsafeContinuation { continuation in
            let slot = actives.firstIndex { $0 == nil } ?? actives.endIndex
            if slot == actives.endIndex {
                actives.append(nil)
                generations.append(0)
            }
            actives[slot] = Active(window: window, finished: continuation)
            waiting.append(slot)
            maySubmit()
            session?.flush()
        }
    }

    /// Deadlines, stuck windows and silent peers; to be called a few times a second.
    func tick(at now: MonotonicTime) {
        noteHeard(at: now)
        expireGroups(at: now)
        releaseStuckWindows(at: now)
        checkSilence(at: now)
        // Streams that a deadline freed: no answer may come that would let the next pushes go.
        maySubmit()
        session?.flush()
        if state.isDrained { end(farewell ?? "drained") }
    }

    /// Stops taking pushes; ends when those on the wire are answered.
    func drain() {
        state.stopAccepting()
        releaseWaiting()
        if state.isDrained { end(farewell ?? "drained") }
    }

    func end(_ reason: String) {
        session?.close()
        connectionEnded(reason)
    }

    // MARK: Submitting

    func maySubmit() {
        if state.phase == .draining { releaseWaiting() }
        guard state.freeStreams > 0, let session, !session.isBlocked, !waiting.isEmpty else { return }
        let now = MonotonicTime.now()
        // What came before these pushes is no sign of life after them.
        noteHeard(at: now)
        while state.freeStreams > 0, let slot = waiting.first {
            if submit(slot, session: session, now: now) {
                waiting.removeFirst()
                finishIfDone(slot)
            }
        }
    }

    /// True when the window has nothing more to submit.
    private func submit(_ slot: Int, session: HTTP2Session, now: MonotonicTime) -> Bool {
        guard var active = actives[slot], let shared = active.window.headers else { return true }
        let window = active.window
        guard now < window.mayStartUntil else { return true }
        headers.set(shared)
        let first = active.next
        defer {
            actives[slot] = active
            if active.next > first {
                groups.append(
                    Group(
                        deadline: now + options.requestDeadline, submitted: now, tag: tag(slot, first), end: active.next
                    ))
            }
        }
        while active.next < window.count {
            guard state.freeStreams > 0 else { return false }
            let index = active.next
            active.next += 1
            guard window.results[index].state == .unsent else { continue }
            headers.set(path: window.path(index), id: window.id(index))
            guard let stream = session.submitRequest(headers.list, tag: tag(slot, index), hasBody: true) else {
                // Stream ids have run out, or the session is ending: a new connection is needed.
                state.stopAccepting()
                return true
            }
            window.results[index].state = .inFlight
            window.items[index].stream = stream
            window.items[index].bodySent = 0
            active.inFlight += 1
            state.submitted()
        }
        return true
    }

    func body(stream: Int32, tag: Int, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isEnd: Bool) {
        guard let window = window(of: tag) else { return (0, true) }
        let payload = window.payload(tag & 0x3ff)
        let sent = Int(window.items[tag & 0x3ff].bodySent)
        let count = min(buffer.count, payload.count - sent)
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: payload[sent..<sent + count]))
        window.items[tag & 0x3ff].bodySent += Int32(count)
        return (count, sent + count == payload.count)
    }

    // MARK: Answers

    func requestBegan(stream: Int32) -> Int { 0 }

    func header(stream: Int32, tag: Int, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        hasHeard = true
        // ":status" is the only one that matters here; it always has three digits.
        guard name.count == 7, name[1] == UInt8(ascii: "s"), value.count == 3, let window = window(of: tag) else {
            return
        }
        let zero = UInt16(UInt8(ascii: "0"))
        let status = (UInt16(value[0]) &- zero) &* 100 &+ (UInt16(value[1]) &- zero) &* 10 &+ (UInt16(value[2]) &- zero)
        window.results[tag & 0x3ff].status = status
    }

    func data(stream: Int32, tag: Int, bytes: UnsafeRawBufferPointer) {
        guard window(of: tag) != nil else { return }
        let room = AnswerBody.maximumLength - bodies[tag, default: []].count
        bodies[tag, default: []].append(contentsOf: bytes.prefix(room))
    }

    func messageEnded(stream: Int32, tag: Int) {
        guard let window = window(of: tag), window.results[tag & 0x3ff].state == .inFlight else { return }
        let index = tag & 0x3ff
        window.results[index].state = .answered
        let status = window.results[index].status
        state.answered(status: status)
        if status != 200 { read(bodies.removeValue(forKey: tag) ?? [], into: window, index) }
        released(tag)
    }

    private func read(_ body: [UInt8], into window: PushWindow, _ index: Int) {
        let answer = AnswerBody(body)
        window.results[index].reason = answer.reason.map(reasons.number(for:)) ?? 0
        window.results[index].timestamp = answer.timestamp
        switch window.results[index].action {
        // A connection that has said this goes on saying it.
        case .reconnect, .renewToken: state.stopAccepting()
        default: return
        }
    }

    func streamClosed(stream: Int32, tag: Int, code: HTTP2Code) {
        // Its window may have gone back to its sender with the answer.
        if !bodies.isEmpty { bodies.removeValue(forKey: tag) }
        let index = tag & 0x3ff
        guard let window = window(of: tag), window.results[index].state == .inFlight else { return }
        // RFC 9113 §8.7: a refused stream was not processed.
        window.results[index].state = code == .refusedStream ? .unsent : .streamReset
        state.released()
        released(tag)
    }

    func requestNotSent(stream: Int32) {
        for (slot, active) in actives.enumerated() {
            guard let window = active?.window else { continue }
            for index in 0..<window.count
            where window.items[index].stream == stream && window.results[index].state == .inFlight {
                window.results[index].state = .unsent
                state.released()
                released(tag(slot, index))
                return
            }
        }
    }

    // MARK: The connection's life

    func settingsChanged() {
        guard let session else { return }
        hasHeard = true
        state.settingsReceived(maximumStreams: session.peerMaxConcurrentStreams)
        opening?.resume()
        opening = nil
    }

    /// Streams above the last one named are closed by nghttp2 as refused, and so become unsent.
    func goAway(lastStream: Int32, code: HTTP2Code, debugData: UnsafeRawBufferPointer) {
        farewell = AnswerBody(debugData).reason ?? "GOAWAY with code \(code.rawValue)"
        state.stopAccepting()
        opening?.resume()
        opening = nil
    }

    func pingAnswered() { hasHeard = true }

    func ended(_ error: HTTP2Error) { connectionEnded(error.description) }

    private func connectionEnded(_ reason: String) {
        guard state.phase != .closed else { return }
        state.ended()
        farewell = farewell ?? reason
        opening?.resume()
        opening = nil
        waiting.removeAll()
        groups.removeAll()
        bodies.removeAll()
        for slot in actives.indices {
            guard let active = actives[slot] else { continue }
            for index in 0..<active.window.count where active.window.results[index].state == .inFlight {
                active.window.results[index].state = .connectionLost
            }
            finish(slot)
        }
        onEnd?()
    }

    private func expireGroups(at now: MonotonicTime) {
        while let group = groups.first, group.deadline <= now {
            groups.removeFirst()
            guard let window = window(of: group.tag) else { continue }
            let late = (group.tag & 0x3ff..<group.end).filter { window.results[$0].state == .inFlight }
            guard !late.isEmpty else { continue }
            // Nothing at all since then, or output stuck: the connection is dead, not the request.
            if lastHeard <= group.submitted || session?.isBlocked == true {
                end("no answer within \(options.requestDeadline)")
                return
            }
            for index in late {
                let tag = group.tag & ~0x3ff | index
                window.results[index].state = .deadlinePassed
                // Otherwise the stream would go on holding its place.
                session?.submitReset(stream: window.items[index].stream, code: .cancel)
                state.released()
                released(tag)
            }
        }
    }

    /// A window may wait for streams only as long as it may still start.
    private func releaseStuckWindows(at now: MonotonicTime) {
        for slot in waiting where actives[slot].map({ now >= $0.window.mayStartUntil }) ?? false {
            waiting.removeAll { $0 == slot }
            finishIfDone(slot)
        }
    }

    private func noteHeard(at now: MonotonicTime) {
        guard hasHeard else { return }
        hasHeard = false
        lastHeard = now
        pingSent = nil
    }

    private func checkSilence(at now: MonotonicTime) {
        guard state.phase == .open, let session else { return }
        if let pingSent {
            if now - pingSent > options.pingDeadline { end("the peer does not answer a PING") }
        } else if now - lastHeard > options.pingAfter {
            pingSent = now
            session.submitPing()
        }
    }

    // MARK: Windows

    /// The window is known by slot and generation, so that a late word about an earlier one is
    /// not taken for this one's.
    private func tag(_ slot: Int, _ index: Int) -> Int { generations[slot] << 16 | slot << 10 | index }

    private func window(of tag: Int) -> PushWindow? {
        let slot = tag >> 10 & 0x3f
        guard tag >= 0, slot < actives.count, generations[slot] == tag >> 16 else { return nil }
        return actives[slot]?.window
    }

    private func released(_ tag: Int) {
        let slot = tag >> 10 & 0x3f
        actives[slot]?.inFlight -= 1
        finishIfDone(slot)
    }

    private func finishIfDone(_ slot: Int) {
        guard let active = actives[slot], active.inFlight == 0 else { return }
        if active.next < active.window.count && waiting.contains(slot) { return }
        finish(slot)
    }

    private func finish(_ slot: Int) {
        guard let active = actives[slot] else { return }
        actives[slot] = nil
        generations[slot] += 1
        active.finished.resume()
    }

    /// Windows that wait on a connection that takes nothing more go back to their sender.
    private func releaseWaiting() {
        while let slot = waiting.popFirst() { finishIfDone(slot) }
    }
}
