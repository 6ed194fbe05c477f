public import EventLoop
public import Logging
public import Metrics
import TLS

/// Sends windows of pushes for one credential to one of Apple's environments, over as many
/// connections as are needed and allowed. Pinned to its loop, with all of its connections.
public actor APNSClient {
    /// How sending a window ended. The window's results say what became of each push.
    public enum Ending: Sendable {
        /// Every push has a result, or is unsent because the window's time was over.
        case done
        /// No connection could be had; what is unsent may be sent later.
        case unavailable(APNSError)
    }

    enum MetricName {
        /// Connections that are open, by the "host" they lead to.
        static let connections = "belfry_apns_connections"
    }

    /// How often the unsent rest of a window is tried on another connection.
    static let maximumRounds = 8

    public nonisolated let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    public nonisolated let endpoint: APNSEndpoint
    public nonisolated let reasons: ReasonTable

    private let tokens: any ProviderTokenSource
    private let options: APNSOptions
    private let tls: TLSContext
    private let logger: Logger
    private let openConnections: Meter
    private var connections: [APNSConnection] = []
    /// They take no more pushes, and wait for answers.
    private var leaving: [APNSConnection] = []
    /// Opened, and without an answer as yet.
    private var unproven: [APNSConnection] = []
    private var isOpening = false
    private var openingWaiters: [UnsafeContinuation<Void, Never>] = []
    private var opening: ConnectionOpening
    private var token: ProviderToken?
    private var isShutDown = false
    /// What the last connection allowed: how large windows should be. Before the first has said it: what any server should
    /// allow (RFC 9113 §6.5.2), for what waits on a connection does not move to one that is opened later.
    private var streamsPerConnection = 100

    /// `metrics` is the bootstrapped system, or none.
    public init(
        endpoint: APNSEndpoint, tokens: any ProviderTokenSource, reasons: ReasonTable, options: APNSOptions,
        loop: EventLoop, logger: Logger, metrics: any MetricsFactory = MetricsSystem.factory
    ) throws {
        self.endpoint = endpoint
        self.tokens = tokens
        self.reasons = reasons
        self.options = options
        self.loop = loop
        self.logger = logger
        openConnections = Meter(
            label: MetricName.connections, dimensions: [("host", endpoint.host)], factory: metrics)
        tls = try TLSContext.client(trust: endpoint.trust, alpn: ["h2"])
        opening = ConnectionOpening(options: options)
    }

    /// How many pushes a window should hold: what one connection carries at once.
    public var windowSize: Int { min(PushWindow.maximumCount, max(1, streamsPerConnection)) }

    public var connectionCount: Int { connections.count }

    /// Sends what is unsent. Refused streams, and pushes above a GOAWAY's last stream, are sent
    /// again on another connection; what may have reached Apple never is.
    public func send(_ window: PushWindow) async -> Ending {
        for _ in 0..<Self.maximumRounds {
            let unsent = window.unsentCount
            guard unsent > 0, MonotonicTime.now() < window.mayStartUntil else { return .done }
            let connection: APNSConnection
            do throws(APNSError) {
                try await refreshToken()
                connection = try await bestConnection()
            } catch {
                return .unavailable(error)
            }
            await connection.send(window)
            streamsPerConnection = max(await connection.maximumStreams, 1)
            await forgetIfClosed(connection)
            await prepareAnotherTry(window)
            if window.unsentCount == unsent { await pauseBriefly() }
        }
        return .done
    }

    /// Closes all connections, after what is on the wire was answered or is late.
    public func shutDown() async {
        isShutDown = true
        for connection in connections { await connection.drain() }
        let end = MonotonicTime.now() + options.requestDeadline + .seconds(1)
        while await hasConnections(), .now() < end, !Task.isCancelled { await pauseBriefly() }
        for connection in connections + leaving { await connection.close() }
        connections.removeAll()
        leaving.removeAll()
        unproven.removeAll()
    }

    private func hasConnections() async -> Bool {
        for connection in connections { await forgetIfClosed(connection) }
        for connection in leaving where await connection.isClosed { leaving.removeAll { $0 === connection } }
        return !(connections.isEmpty && leaving.isEmpty)
    }

    // MARK: Tokens

    private func refreshToken() async throws(APNSError) {
        do {
            try await use(tokens.token())
        } catch {
            throw .token("\(error)")
        }
    }

    private func use(_ fresh: ProviderToken) async {
        guard fresh != token else { return }
        token = fresh
        for connection in connections { await connection.use(fresh) }
    }

    /// Apple refused these for the connection's sake or the token's: on a new one they may pass.
    private func prepareAnotherTry(_ window: PushWindow) async {
        var needsToken = false
        for index in 0..<window.count {
            switch window.results[index].action {
            case .renewToken: needsToken = true
            case .reconnect: break
            default: continue
            }
            guard window.mayTryAgain(index) else { continue }
            window.results[index] = PushResult()
        }
        guard needsToken, let token else { return }
        do {
            try await use(tokens.replace(token))
        } catch {
            logger.warning("provider token could not be renewed", metadata: ["reason": "\(error)"])
        }
    }

    // MARK: Connections

    /// The one with most room. Another is opened when all are full, one at a time and not too fast.
    private func bestConnection() async throws(APNSError) -> APNSConnection {
        while true {
            guard !isShutDown else { throw .shutDown }
            await judgeUnproven()
            // One that ended while nobody used it would keep the place of another.
            for connection in connections { await forgetIfClosed(connection) }
            var best: APNSConnection?
            var room = Int.min
            for connection in connections where await connection.canTakeWindow {
                let free = await connection.room
                if free > room { (best, room) = (connection, free) }
            }
            if let best, room > 0 || !opening.isWelcome(beside: connections.count, unproven: unproven.count, at: .now())
            {
                return best
            }
            if isOpening {
                if let best { return best }
                await withUnsafeContinuation { openingWaiters.append($0) }
                continue
            }
            guard connections.count < options.maximumConnections else {
                // All have as many windows as they can hold.
                guard !Task.isCancelled else { throw .shutDown }
                await pauseBriefly()
                continue
            }
            if best == nil, let wait = opening.spacingLeft(at: .now()) {
                // The last one is gone already.
                guard !Task.isCancelled else { throw .shutDown }
                await pause(for: wait)
                continue
            }
            do throws(APNSError) {
                try await openConnection()
            } catch {
                if let best { return best }
                throw error
            }
        }
    }

    /// SETTINGS alone prove nothing: a peer that says them and goes away, again and again, would be met with one
    /// connection after the other. The first answer does.
    private func judgeUnproven() async {
        for connection in unproven {
            let proof = await connection.proof
            guard proof != .pending, let index = unproven.firstIndex(where: { $0 === connection }) else { continue }
            unproven.remove(at: index)
            switch proof {
            case .good: opening.succeeded()
            case .bad: await failed(because: connection.farewell ?? "it ended before its first answer")
            case .unused, .pending: continue
            }
        }
    }

    private func failed(because words: String) {
        logger.warning("no connection to APNs", metadata: ["host": "\(endpoint.host)", "reason": "\(words)"])
        opening.failed(because: words, at: .now(), chance: Double.random(in: 0...1))
    }

    private func openConnection() async throws(APNSError) {
        if let failure = opening.pauseReason(at: .now()) { throw .pausing(failure) }
        guard let token else { throw .token("none was made") }
        isOpening = true
        opening.began(at: .now())
        defer {
            isOpening = false
            for waiter in openingWaiters { waiter.resume() }
            openingWaiters.removeAll()
        }
        let connection = APNSConnection(
            endpoint: endpoint, token: token, reasons: reasons, options: options, loop: loop, meter: openConnections)
        do throws(APNSError) {
            try await connection.open(tls: tls)
        } catch {
            failed(because: error.description)
            throw error
        }
        guard !isShutDown else {
            await connection.close()
            throw .shutDown
        }
        connections.append(connection)
        unproven.append(connection)
        logger.info(
            "connected to APNs", metadata: ["host": "\(endpoint.host)", "connections": "\(connections.count)"])
    }

    private func forgetIfClosed(_ connection: APNSConnection) async {
        guard await !connection.isOpen else { return }
        guard let index = connections.firstIndex(where: { $0 === connection }) else { return }
        connections.remove(at: index)
        leaving.append(connection)
        for connection in leaving where await connection.isClosed { leaving.removeAll { $0 === connection } }
        let reason = await connection.farewell ?? "it takes no more pushes"
        logger.info("connection to APNs ended", metadata: ["host": "\(endpoint.host)", "reason": "\(reason)"])
    }

    /// A round that moved nothing is followed by a short breath, so that rounds cannot spin.
    private func pauseBriefly() async { await pause(for: .milliseconds(50)) }

    private func pause(for duration: Duration) async {
        do {
            try await loop.sleep(for: duration)
        } catch {
            // Cancelled: the next round ends at once where it has to.
        }
    }
}

extension PushWindow {
    /// Pushes that are certainly not processed.
    public var unsentCount: Int {
        var unsent = 0
        for index in 0..<count where results[index].state == .unsent { unsent += 1 }
        return unsent
    }

    /// Whether Apple has given an answer that would be everybody's.
    public var asksToStop: Bool { (0..<count).contains { results[$0].action == .stop } }
}
