import EventLoop
import HTTP2

/// The pushes of one connection: submits windows, watches deadlines and the peer, and resolves all pushes when the
/// connection ends. It belongs to the connection's actor, and nghttp2 calls it on the loop.
///
/// Nothing here allocates, locks or creates a task per push: a push is an index into its window's
/// raw memory, which the stream's tag encodes.
final class PushStreams {
    var state = ConnectionState()
    /// The reason in Apple's GOAWAY, or what ended the connection.
    private(set) var closeReason: String?
    var session: HTTP2Session?
    /// Called when the connection has ended.
    var onEnd: (() -> Void)?
    /// Called when Apple asks for an end of the connection.
    var onGoAway: (() -> Void)?
    /// Resumed by the first SETTINGS, or by the end.
    private var opening = WaitingTasks()

    let reasons: ReasonTable
    let options: APNSOptions
    private let headers = PushHeaderList()
    var windows = ActiveWindows<UnsafeContinuation<Void, Never>>()
    private(set) var deadlines = PushDeadlines()
    var late = LateTable()
    /// Calls `releaseLate` after a delay. Set by the connection.
    var wakeUp: ((Duration) -> Void)?
    var liveness: PeerLiveness
    private var lastSubmitted = MonotonicTime.now()
    /// Bodies of rejections, as far as they have been received, by tag.
    var bodies: [Int: [UInt8]] = [:]
    var tally = AnswerTally()

    init(authority: String, token: ProviderToken, reasons: ReasonTable, options: APNSOptions) {
        self.reasons = reasons
        self.options = options
        liveness = PeerLiveness(pingAfter: options.pingAfter, pingDeadline: options.pingDeadline, now: .now())
        headers.set(authority: authority)
        headers.set(token: token)
    }

    // MARK: For the connection

    func waitUntilOpen() async {
        guard state.phase == .awaitingSettings else { return }
        await withUnsafeContinuation { opening.add($0) }
    }

    func setToken(_ token: ProviderToken) { headers.set(token: token) }

    var hasRoomForWindow: Bool { windows.hasRoom }

    /// Returns when each unsent push of the window is answered, unknown, or certainly unsent.
    func send(_ window: PushWindow) async {
        guard state.phase == .open || state.phase == .awaitingSettings, hasRoomForWindow else { return }
        await withUnsafeContinuation { continuation in
            windows.add(window, sender: continuation)
            maySubmit()
            session?.flush()
        }
    }

    /// Handles deadlines, stuck windows and silent peers; called a few times a second.
    func tick(at now: MonotonicTime) {
        liveness.note(at: now)
        expireGroups(at: now)
        guard expireLate(at: now) else { return }
        // A window may wait for streams only until its start deadline.
        resume(windows.stopWaiting { now >= $0.startDeadline })
        checkLiveness(at: now)
        // Uses streams that a deadline freed: there may be no answer that would start the next pushes.
        maySubmit()
        session?.flush()
        retireIfIdle(at: now)
        endIfDrained()
    }

    /// Stops taking pushes; ends when those in flight are answered.
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
        if state.isDrained { end(closeReason ?? "drained") }
    }

    private func retireIfIdle(at now: MonotonicTime) {
        guard state.phase == .open, state.inFlight == 0, windows.firstWaiting == nil,
            now - lastSubmitted > options.idleLimit
        else { return }
        closeReason = "not used for \(options.idleLimit)"
        state.retire()
    }

    // MARK: Submitting

    func maySubmit() {
        if state.phase == .draining || state.heldBecause != nil { releaseWaiting() }
        releaseLate(at: .now())
        guard state.freeStreams > 0, let session, !session.isBlocked, windows.firstWaiting != nil else { return }
        let now = MonotonicTime.now()
        lastSubmitted = now
        liveness.note(at: now)
        while state.freeStreams > 0, let slot = windows.firstWaiting {
            if submit(slot, session: session, now: now) { windows.finishSubmitting()?.resume() }
        }
    }

    /// True when the window has nothing more to submit.
    private func submit(_ slot: Int, session: HTTP2Session, now: MonotonicTime) -> Bool {
        guard var active = windows[slot] else { return true }
        let window = active.window
        guard now < window.startDeadline else { return true }
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
            tally.submitted(tag.rawValue, at: now)
            window.items[index].stream = stream
            window.items[index].bodySent = 0
            active.inFlight += 1
            state.submitted()
        }
        return true
    }

    // MARK: Deadlines

    private func expireGroups(at now: MonotonicTime) {
        while let group = deadlines.popExpired(at: now) {
            guard let window = windows.window(of: group.first) else { continue }
            let late = (group.first.index..<group.end).filter { window.results[$0].state == .inFlight }
            guard !late.isEmpty else { continue }
            // Nothing received since then, or output blocked: the connection is dead, not only the request.
            if liveness.lastReceived <= group.submitted || session?.isBlocked == true {
                end("no answer within \(options.requestDeadline)")
                return
            }
            for index in late {
                window.results[index].state = mayHaveBeenSent(window, index) ? .deadlinePassed : .unsent
                // Otherwise the stream would still count toward the peer's limit.
                session?.submitReset(stream: window.items[index].stream, code: .cancel)
                state.released()
                windows.released(group.first.with(index: index))?.resume()
            }
        }
    }

    private func checkLiveness(at now: MonotonicTime) {
        guard state.phase == .open, let session else { return }
        switch liveness.check(at: now) {
        case .wait: return
        case .ping: session.submitPing()
        case .giveUp: end("PING not answered")
        }
    }

    // MARK: The connection's lifecycle

    /// The first SETTINGS were received, or the connection ended before.
    func opened() {
        opening.resumeAll()
    }

    /// Apple sent GOAWAY: pushes in flight may still be answered.
    func receivedGoAway(_ reason: String) {
        closeReason = reason
        state.stopAccepting()
        opened()
    }

    func connectionEnded(_ reason: String) {
        guard state.phase != .closed else { return }
        state.ended()
        closeReason = closeReason ?? reason
        opened()
        deadlines.removeAll()
        bodies.removeAll()
        let senders = windows.endAll { window in
            for index in 0..<window.count where window.results[index].state == .inFlight {
                window.results[index].state = mayHaveBeenSent(window, index) ? .connectionLost : .unsent
            }
        }
        endLate()
        resume(senders)
        onEnd?()
    }

    /// False if no byte of the request has left the session, so Apple has certainly not seen it.
    private func mayHaveBeenSent(_ window: PushWindow, _ index: Int) -> Bool {
        session?.hasStartedSending(stream: window.items[index].stream) ?? true
    }

    /// Returns the windows that wait on a connection that takes no more pushes, or none for now, to their senders.
    private func releaseWaiting() {
        resume(windows.stopWaiting { _ in true })
    }

    private func resume(_ senders: [UnsafeContinuation<Void, Never>]) {
        for sender in senders { sender.resume() }
    }
}
