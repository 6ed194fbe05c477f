import EventLoop
import Glibc
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
    private let metrics: APNSMetrics?
    /// The part of the gauges that is this connection's.
    private var counted: (isOpen: Bool, streams: Int, maximumStreams: Int) = (false, 0, 0)
    private var session: HTTP2Session?
    private var timer: EventLoop.Timer?

    init(
        endpoint: APNSEndpoint, token: ProviderToken, reasons: ReasonTable, options: APNSOptions, loop: EventLoop,
        metrics: APNSMetrics? = nil
    ) {
        self.loop = loop
        self.metrics = metrics
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
        metrics?.opened.increment()
        report()
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
        streams.onGoAway = { [metrics] in metrics?.goAways.increment() }
        streams.onEnd = { [weak self] in self?.assumeIsolated { $0.ended() } }
        streams.wakeUp = { [loop, unowned streams] delay in
            _ = loop.schedule(after: delay) { [streams] in streams.releaseLate(at: .now()) }
        }
        tick()
    }

    private func tick() {
        streams.tick(at: .now())
        report()
        guard streams.state.phase != .closed else { return }
        // The timer retains the connection until it has ended: nothing else retains a draining connection.
        timer = loop.schedule(after: tickInterval) { self.tick() }
    }

    private func ended() {
        report()
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    // MARK: Metrics

    /// Gauges count all connections of a host, so each adds its own changes.
    private func report() {
        guard let metrics else { return }
        let isOpen = streams.state.phase != .closed
        let now = isOpen ? (true, streams.state.inFlight, streams.state.peerMaximum) : (false, 0, 0)
        if now.0 != counted.isOpen { metrics.open.change(by: now.0 ? 1 : -1) }
        metrics.streams.change(by: now.1 - counted.streams)
        metrics.maximumStreams.change(by: now.2 - counted.maximumStreams)
        counted = now
        let tally = streams.tally.take()
        if !tally.isEmpty { metrics.report(tally, streams.reasons, now: Double(time(nil))) }
    }
}
