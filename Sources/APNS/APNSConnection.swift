import EventLoop
import HTTP2
import Metrics
import TLS

/// One HTTP/2 connection to Apple, pinned to its loop.
actor APNSConnection {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let endpoint: APNSEndpoint
    let options: APNSOptions
    private let streams: PushStreams
    /// Counts the connections that are open.
    private let meter: Meter?
    private var isCounted = false
    private var session: HTTP2Session?
    private var timer: EventLoop.Timer?

    init(
        endpoint: APNSEndpoint, token: ProviderToken, reasons: ReasonTable, options: APNSOptions, loop: EventLoop,
        meter: Meter? = nil
    ) {
        self.loop = loop
        self.meter = meter
        self.endpoint = endpoint
        self.options = options
        let authority = endpoint.port == 443 ? endpoint.host : "\(endpoint.host):\(endpoint.port)"
        streams = PushStreams(authority: authority, token: token, reasons: reasons, options: options)
    }

    /// Returns when Apple's first SETTINGS have been received. A connection that failed is not opened again.
    func open(tls: TLSContext) async throws(APNSError) {
        let transport = try await connect(tls: tls)
        do {
            session = try HTTP2Session(role: .client, transport: transport, events: streams)
        } catch {
            transport.close()
            throw .http2(error)
        }
        streams.session = session
        session?.start(settings: Self.settings)
        startTicking()
        let deadline = loop.schedule(after: options.connectTimeout) { [streams] in
            if streams.state.phase == .awaitingSettings { streams.end("no SETTINGS received") }
        }
        await streams.waitUntilOpen()
        loop.cancel(deadline)
        guard streams.state.phase == .open else { throw .refused(streams.closeReason ?? "no reason given") }
        meter?.increment()
        isCounted = true
    }

    /// Server push is off.
    private static let settings = HTTP2Settings(maxConcurrentStreams: 0, enablePush: false)

    // MARK: Sending

    /// Returns when no push of the window is on this connection anymore.
    func send(_ window: PushWindow) async { await streams.send(window) }

    /// Pushes that another window could submit immediately; negative when other pushes wait before it.
    var room: Int { streams.state.freeStreams - streams.windows.backlog }
    var maximumStreams: Int { streams.state.peerMaximum }
    var isOpen: Bool { streams.state.phase == .open }
    var isClosed: Bool { streams.state.phase == .closed }
    var verification: ConnectionState.Verification { streams.state.verification }
    var canTakeWindow: Bool { isOpen && streams.hasRoomForWindow }
    var closeReason: String? { streams.closeReason }
    /// Why Apple takes no pushes of the credential; nil: it takes them.
    var heldBecause: SlowdownAnswer.Reason? { streams.state.heldBecause }

    /// Allows one push at a time, until Apple accepts one.
    func probe() { streams.state.probe() }

    func setToken(_ token: ProviderToken) { streams.setToken(token) }

    /// Closes the connection when the pushes in flight are answered or have passed their deadline.
    func drain() { streams.drain() }

    func close() { streams.end("closed by the client") }

    // MARK: Time

    /// A quarter of the request deadline, so that a missed deadline is noticed soon; at most one second.
    private var tickInterval: Duration { min(.seconds(1), options.requestDeadline / 4) }

    private func startTicking() {
        streams.onEnd = { [weak self] in self?.assumeIsolated { $0.ended() } }
        streams.wakeUp = { [loop, unowned streams] delay in
            _ = loop.schedule(after: delay) { [streams] in streams.releaseLate(at: .now()) }
        }
        tick()
    }

    private func tick() {
        streams.tick(at: .now())
        guard streams.state.phase != .closed else { return }
        // The timer retains the connection until it has ended: nothing else retains a draining connection.
        timer = loop.schedule(after: tickInterval) { self.tick() }
    }

    private func ended() {
        if isCounted { meter?.decrement() }
        isCounted = false
        if let timer { loop.cancel(timer) }
        timer = nil
    }
}
