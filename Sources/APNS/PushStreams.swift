import EventLoop
import HTTP2

/// The pushes of one connection: submits windows, watches over deadlines and the peer, and ends it all when the
/// connection ends. It lives inside the connection's actor, and nghttp2 calls it on the loop.
///
/// Nothing here allocates, locks or makes a task per push: a push is an index into its window's
/// raw memory, and the stream's tag leads there.
final class PushStreams {
    var state = ConnectionState()
    /// Apple's words when it said goodbye, or what ended the connection.
    private(set) var farewell: String?
    var session: HTTP2Session?
    /// Called when the connection has ended.
    var onEnd: (() -> Void)?
    /// Resumed by the first SETTINGS, or by the end.
    private var opening: UnsafeContinuation<Void, Never>?

    let reasons: ReasonTable
    private let options: APNSOptions
    private let headers = PushHeaderList()
    var windows = ActiveWindows<UnsafeContinuation<Void, Never>>()
    private var deadlines = PushDeadlines()
    var silence: PeerSilence
    private var lastSubmitted = MonotonicTime.now()
    /// Bodies of refusals, as far as they have come.
    var bodies: [Int: [UInt8]] = [:]

    init(authority: String, token: ProviderToken, reasons: ReasonTable, options: APNSOptions) {
        self.reasons = reasons
        self.options = options
        silence = PeerSilence(pingAfter: options.pingAfter, pingDeadline: options.pingDeadline, now: .now())
        headers.set(authority: authority)
        headers.set(token: token)
    }

    // MARK: For the connection

    func waitUntilOpen() async {
        guard state.phase == .awaitingSettings else { return }
        await withUnsafeContinuation { opening = $0 }
    }

    func use(_ token: ProviderToken) { headers.set(token: token) }

    var hasRoomForWindow: Bool { windows.hasRoom }

    /// Returns when each unsent push of the window has an answer, is unknown, or is certainly unsent.
    func send(_ window: PushWindow) async {
        guard state.phase == .open || state.phase == .awaitingSettings, hasRoomForWindow else { return }
        await withUnsafeContinuation { continuation in
            windows.add(window, sender: continuation)
            maySubmit()
            session?.flush()
        }
    }

    /// Deadlines, stuck windows and silent peers; to be called a few times a second.
    func tick(at now: MonotonicTime) {
        silence.note(at: now)
        expireGroups(at: now)
        // A window may wait for streams only as long as it may still start.
        resume(windows.stopWaiting { now >= $0.mayStartUntil })
        checkSilence(at: now)
        // Streams that a deadline freed: no answer may come that would let the next pushes go.
        maySubmit()
        session?.flush()
        leaveIfIdle(at: now)
        endIfDrained()
    }

    /// Stops taking pushes; ends when those on the wire are answered.
    func drain() {
        state.stopAccepting()
        releaseWaiting()
        endIfDrained()
    }

    func end(_ reason: String) {
        session?.close()
        connectionEnded(reason)
    }

    private func endIfDrained() {
        if state.isDrained { end(farewell ?? "drained") }
    }

    private func leaveIfIdle(at now: MonotonicTime) {
        guard state.phase == .open, state.inFlight == 0, windows.firstWaiting == nil,
            now - lastSubmitted > options.idleLimit
        else { return }
        farewell = "not used for \(options.idleLimit)"
        state.leave()
    }

    // MARK: Submitting

    func maySubmit() {
        if state.phase == .draining { releaseWaiting() }
        guard state.freeStreams > 0, let session, !session.isBlocked, windows.firstWaiting != nil else { return }
        let now = MonotonicTime.now()
        lastSubmitted = now
        silence.note(at: now)
        while state.freeStreams > 0, let slot = windows.firstWaiting {
            if submit(slot, session: session, now: now) { windows.submittedAll()?.resume() }
        }
    }

    /// True when the window has nothing more to submit.
    private func submit(_ slot: Int, session: HTTP2Session, now: MonotonicTime) -> Bool {
        guard var active = windows[slot] else { return true }
        let window = active.window
        guard now < window.mayStartUntil else { return true }
        var shared: Int32 = -1
        let first = windows.tag(slot, active.next)
        defer {
            windows[slot] = active
            if active.next > first.index {
                deadlines.add(
                    PushDeadlines.Group(
                        deadline: now + options.requestDeadline, submitted: now, first: first,
                        end: active.next))
            }
        }
        while active.next < window.count {
            guard state.freeStreams > 0 else { return false }
            let index = active.next
            active.next += 1
            guard window.results[index].state == .unsent else { continue }
            if window.items[index].headers != shared {
                shared = window.items[index].headers
                headers.set(window.headers[Int(shared)])
            }
            headers.set(path: window.path(index), id: window.id(index))
            let tag = first.with(index: index)
            guard let stream = session.submitRequest(headers.list, tag: tag.rawValue, hasBody: true) else {
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

    // MARK: Deadlines

    private func expireGroups(at now: MonotonicTime) {
        while let group = deadlines.popLate(at: now) {
            guard let window = windows.window(of: group.first) else { continue }
            let late = (group.first.index..<group.end).filter { window.results[$0].state == .inFlight }
            guard !late.isEmpty else { continue }
            // Nothing at all since then, or output stuck: the connection is dead, not the request.
            if silence.lastHeard <= group.submitted || session?.isBlocked == true {
                end("no answer within \(options.requestDeadline)")
                return
            }
            for index in late {
                window.results[index].state = mayHaveLeft(window, index) ? .deadlinePassed : .unsent
                // Otherwise the stream would go on holding its place.
                session?.submitReset(stream: window.items[index].stream, code: .cancel)
                state.released()
                windows.released(group.first.with(index: index))?.resume()
            }
        }
    }

    private func checkSilence(at now: MonotonicTime) {
        guard state.phase == .open, let session else { return }
        switch silence.check(at: now) {
        case .wait: return
        case .ping: session.submitPing()
        case .giveUp: end("the peer does not answer a PING")
        }
    }

    // MARK: The connection's life

    /// The first SETTINGS have come, or never will.
    func opened() {
        opening?.resume()
        opening = nil
    }

    /// Apple says goodbye: what is on the wire may still be answered.
    func leave(_ words: String) {
        farewell = words
        state.stopAccepting()
        opened()
    }

    func connectionEnded(_ reason: String) {
        guard state.phase != .closed else { return }
        state.ended()
        farewell = farewell ?? reason
        opened()
        deadlines.removeAll()
        bodies.removeAll()
        let senders = windows.endAll { window in
            for index in 0..<window.count where window.results[index].state == .inFlight {
                window.results[index].state = mayHaveLeft(window, index) ? .connectionLost : .unsent
            }
        }
        resume(senders)
        onEnd?()
    }

    /// False: the session still keeps the whole request back, so Apple has certainly not seen it.
    private func mayHaveLeft(_ window: PushWindow, _ index: Int) -> Bool {
        session?.hasBegun(stream: window.items[index].stream) ?? true
    }

    /// Windows that wait on a connection that takes nothing more go back to their sender.
    private func releaseWaiting() {
        resume(windows.stopWaiting { _ in true })
    }

    private func resume(_ senders: [UnsafeContinuation<Void, Never>]) {
        for sender in senders { sender.resume() }
    }
}
