public import EventLoop
public import Logging
public import Metrics
import TLS

/// Sends windows of pushes for one credential to one of Apple's environments, over as many
/// connections as are needed and allowed. Pinned to its loop, with all of its connections.
public actor APNSClient {
    /// The way in which the sending of a window ended. The window's results have the outcome of each push.
    public enum Ending: Sendable {
        /// Every push has a result, or is unsent because the window's time was over.
        case done
        /// No connection could be opened; unsent pushes may be sent later.
        case unavailable(APNSError)
    }

    /// Connections on which the unsent pushes of a window are tried.
    static let maximumAttempts = 8

    public nonisolated let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    public nonisolated let endpoint: APNSEndpoint
    public nonisolated let reasons: ReasonTable

    private let tokens: any ProviderTokenSource
    private let options: APNSOptions
    private let tls: TLSContext
    private let logger: Logger
    private let metrics: APNSMetrics
    private var connections: [APNSConnection] = []
    /// Connections that take no more pushes and wait for outstanding answers.
    private var draining: [APNSConnection] = []
    /// Open connections without an answer so far.
    private var unverified: [APNSConnection] = []
    private var isOpening = false
    private var openingWaiters = WaitingTasks()
    private var opening: ConnectPolicy
    private var slowdown: CredentialSlowdown
    private var slowdownOutage = Outage(firstReminder: APNSEndpoint.firstReminder)
    private var refusals = RefusalLog()
    private var tokenOutage = Outage(firstReminder: APNSEndpoint.firstReminder)
    private var token: ProviderToken?
    private var isShutDown = false
    /// The stream limit of the last connection used; it sets the size of windows. Before the first SETTINGS it is the
    /// minimum that RFC 9113 §6.5.2 recommends, since pushes that wait on a connection do not move to a later one.
    private var streamsPerConnection = 100

    /// `key` names the credential in metrics: the ID of its signing key. `metrics` defaults to the bootstrapped system.
    public init(
        endpoint: APNSEndpoint, tokens: any ProviderTokenSource, reasons: ReasonTable, options: APNSOptions,
        loop: EventLoop, logger: Logger, key: String = "", metrics: any MetricsFactory = MetricsSystem.factory
    ) throws {
        self.endpoint = endpoint
        self.tokens = tokens
        self.reasons = reasons
        self.options = options
        self.loop = loop
        var logger = logger
        logger[metadataKey: "apns_host"] = .string(endpoint.host)
        self.logger = logger
        self.metrics = APNSMetrics(host: endpoint.host, key: key, metrics)
        tls = try TLSContext.client(trust: endpoint.trust, alpn: ["h2"])
        opening = ConnectPolicy(options: options)
        slowdown = CredentialSlowdown(options: options)
    }

    /// The best number of pushes for a window: what one connection carries concurrently.
    public var windowSize: Int { min(PushWindow.maximumCount, max(1, streamsPerConnection)) }

    public var connectionCount: Int { connections.count }

    /// Sends the unsent pushes of a window. Refused streams, and pushes above a GOAWAY's last stream, are sent
    /// again on another connection. Pushes that may have reached Apple are never sent again.
    public func send(_ window: PushWindow) async -> Ending {
        let permission = slowdown.permission(at: .now())
        if case .wait(let answer) = permission { return .unavailable(.slowedDown(answer)) }
        if permission == .probe { for connection in connections { await connection.probe() } }
        let ending = await sendUnsent(window)
        refusals.note(window, reasons, in: logger)
        guard permission == .probe else { return ending }
        if case .unavailable(.slowedDown) = ending { return ending }
        let isAccepted = window.hasAccepted
        slowdown.probed(isAccepted: isAccepted)
        if isAccepted { slowdownOutage.succeeded("Apple accepts pushes of the credential again", in: logger) }
        return ending
    }

    private func sendUnsent(_ window: PushWindow) async -> Ending {
        for _ in 0..<Self.maximumAttempts {
            let unsent = window.unsentCount
            guard unsent > 0, MonotonicTime.now() < window.startDeadline else { return .done }
            let connection: APNSConnection
            do throws(APNSError) {
                try await refreshToken()
                connection = try await bestConnection()
            } catch {
                return .unavailable(error)
            }
            await connection.send(window)
            if let reason = await connection.heldBecause { return .unavailable(slowDown(reason)) }
            streamsPerConnection = max(await connection.maximumStreams, 1)
            await removeIfClosed(connection)
            // Another window may not come soon.
            await checkUnverified()
            if let refusal = await prepareRetry(window) { return .unavailable(.refusedAgain(refusal)) }
            if window.unsentCount == unsent { await pauseBriefly() }
        }
        return .done
    }

    /// Closes all connections after the pushes in flight were answered or have passed their deadline.
    public func shutDown() async {
        isShutDown = true
        for connection in connections { await connection.drain() }
        let end = MonotonicTime.now() + options.requestDeadline + .seconds(1)
        while await hasConnections(), .now() < end, !Task.isCancelled { await pauseBriefly() }
        for connection in connections + draining { await connection.close() }
        connections.removeAll()
        draining.removeAll()
        unverified.removeAll()
    }

    private func hasConnections() async -> Bool {
        for connection in connections { await removeIfClosed(connection) }
        for connection in draining where await connection.isClosed { draining.removeAll { $0 === connection } }
        return !(connections.isEmpty && draining.isEmpty)
    }

    private func slowDown(_ reason: SlowdownAnswer.Reason) -> APNSError {
        let error = APNSError.slowedDown(slowdown.refused(reason, at: .now()))
        slowdownOutage.failed("sending slowed down", because: error, in: logger)
        return error
    }

    // MARK: Tokens

    private func refreshToken() async throws(APNSError) {
        do {
            try await setToken(tokens.token())
        } catch {
            if !Task.isCancelled { tokenOutage.failed("provider token not available", because: error, in: logger) }
            throw .token("\(error)")
        }
        tokenOutage.succeeded("provider token available again", in: logger)
    }

    private func setToken(_ fresh: ProviderToken) async {
        guard fresh != token else { return }
        token = fresh
        for connection in connections { await connection.setToken(fresh) }
    }

    /// Resets pushes that Apple rejected because of the connection or the token, so that they are retried on a new one.
    /// Returns the reason if one was rejected again because of the credential.
    private func prepareRetry(_ window: PushWindow) async -> String? {
        var needsToken = false
        var refusal: String?
        for index in 0..<window.count {
            guard let reaction = window.results[index].reaction else { continue }
            switch reaction.client {
            case .renewToken: needsToken = true
            case .reconnect: break
            case .slowDown, .recall, nil: continue
            }
            if window.mayRetry(index) {
                window.results[index] = PushResult()
            } else if reaction.blamesCredential {
                refusal = reasons.text(window.results[index].reason)
            }
        }
        guard refusal == nil, needsToken, let token else { return refusal }
        do {
            try await setToken(tokens.replace(token))
        } catch {
            logger.warning("provider token renewal failed", metadata: ["reason": "\(error)"])
        }
        return nil
    }

    // MARK: Connections

    /// Returns the connection with the most free streams. When all are full, opens another, one at a time and spaced.
    private func bestConnection() async throws(APNSError) -> APNSConnection {
        while true {
            guard !isShutDown else { throw .shutDown }
            await checkUnverified()
            // A connection that ended while idle would count toward the maximum.
            for connection in connections { await removeIfClosed(connection) }
            var best: APNSConnection?
            var room = Int.min
            for connection in connections where await connection.canTakeWindow {
                let free = await connection.room
                if free > room { (best, room) = (connection, free) }
            }
            let mayOpen = opening.mayOpen(beside: connections.count, unverified: unverified.count, at: .now())
            if let best, room > 0 || !mayOpen { return best }
            if isOpening {
                if let best { return best }
                await withUnsafeContinuation { openingWaiters.add($0) }
                continue
            }
            guard connections.count < options.maximumConnections else {
                // All connections carry as many windows as they can.
                guard !Task.isCancelled else { throw .shutDown }
                await pauseBriefly()
                continue
            }
            if best == nil, let wait = opening.spacingLeft(at: .now()) {
                // The last connection has already ended.
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

    /// Decides which connections work. Only an answer to a push verifies one: a peer that sends SETTINGS and closes
    /// would otherwise be reconnected to without a pause.
    private func checkUnverified() async {
        for connection in unverified {
            let verification = await connection.verification
            guard verification != .pending, let index = unverified.firstIndex(where: { $0 === connection })
            else { continue }
            unverified.remove(at: index)
            switch verification {
            case .good:
                opening.succeeded()
                endpoint.outage.succeeded("connection to APNs restored", in: logger)
            case .bad: await failed(because: connection.closeReason ?? "closed before its first answer")
            case .unused, .pending: continue
            }
        }
    }

    private func failed(because reason: String) {
        metrics.failures.increment()
        endpoint.outage.failed("connection to APNs failed", because: reason, in: logger)
        opening.failed(because: reason, at: .now())
    }

    private func openConnection() async throws(APNSError) {
        if let failure = opening.pauseReason(at: .now()) { throw .backingOff(failure) }
        guard let token else { throw .token("none was created") }
        isOpening = true
        opening.began(at: .now())
        defer {
            isOpening = false
            openingWaiters.resumeAll()
        }
        let connection = APNSConnection(
            endpoint: endpoint, token: token, reasons: reasons, options: options, loop: loop, metrics: metrics)
        do throws(APNSError) {
            try await connection.open(tls: tls)
        } catch {
            // Cancelling an attempt says nothing about Apple.
            if !Task.isCancelled { failed(because: error.description) }
            throw error
        }
        guard !isShutDown else {
            await connection.close()
            throw .shutDown
        }
        connections.append(connection)
        unverified.append(connection)
        logger.log(
            level: levelOfConnections, "connection to APNs opened", metadata: ["connections": "\(connections.count)"])
    }

    private func removeIfClosed(_ connection: APNSConnection) async {
        guard await !connection.isOpen else { return }
        guard let index = connections.firstIndex(where: { $0 === connection }) else { return }
        connections.remove(at: index)
        draining.append(connection)
        for connection in draining where await connection.isClosed { draining.removeAll { $0 === connection } }
        let reason = await connection.closeReason ?? "no more pushes accepted"
        logger.log(level: levelOfConnections, "connection to APNs closed", metadata: ["reason": "\(reason)"])
    }

    /// During an outage, connections that Apple closes before its first answer are opened again and again.
    private var levelOfConnections: Logger.Level { endpoint.outage.isOngoing ? .debug : .info }

    /// Pauses after an attempt without progress, so that attempts do not spin.
    private func pauseBriefly() async { await pause(for: .milliseconds(50)) }

    private func pause(for duration: Duration) async {
        do {
            try await loop.sleep(for: duration)
        } catch {
            // Cancelled: the next attempt ends immediately where it has to.
        }
    }
}

extension PushWindow {
    /// Pushes that Apple has certainly not processed.
    public var unsentCount: Int {
        var unsent = 0
        for index in 0..<count where results[index].state == .unsent { unsent += 1 }
        return unsent
    }

    /// Whether Apple has accepted a push.
    var hasAccepted: Bool { (0..<count).contains { results[$0].isAccepted } }

    /// Whether Apple has given an answer that every other push would get too.
    public var hasStopResponse: Bool { (0..<count).contains { results[$0].reaction?.client == .recall } }
}
