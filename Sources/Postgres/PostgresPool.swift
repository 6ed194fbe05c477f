public import EventLoop
public import Logging

/// A pool with a limited number of connections on one loop. Each is used by one caller at a time.
///
/// Callers that need a connection open it, with a shared backoff; broken ones are replaced. A connection that is
/// released inside a transaction is closed.
public actor PostgresPool {
    public struct Limits: Sendable {
        public var connections = 8
        public var waiters = 4_096
        /// The maximum wait for a connection, including the time to connect.
        public var wait = Duration.seconds(5)
        /// A connection that was idle for longer is checked before use.
        public var idleBeforeCheck = Duration.seconds(30)
        public var check = Duration.seconds(2)
        public var backoff = Backoff()

        public init() {}

        public init(connections: Int) {
            self.connections = connections
        }
    }

    public nonisolated let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    public nonisolated let configuration: PostgresConfiguration
    private let limits: Limits
    public nonisolated let logger: Logger
    private var state: PoolState<PostgresConnection>
    private var waiting: [UInt64: Waiting] = [:]
    private var lastWaiter: UInt64 = 0
    private var lastFailure: PostgresError?
    private var waits = Waits()
    private let outage: SharedOutage

    /// How long callers have waited for a connection since the start, the time to connect not counted.
    public struct Waits: Sendable {
        /// Callers that found none free.
        public var count = 0
        public var total = Duration.zero
        /// Callers that got none: too many waited, or none became free in time.
        public var refused = 0
    }

    private enum Turn: Sendable {
        case use(PostgresConnection)
        case connect(notBefore: MonotonicTime)
        case refused(PostgresError)
    }

    private struct Waiting {
        let continuation: UnsafeContinuation<Turn, Never>
        let timer: EventLoop.Timer
    }

    /// Creates a pool, which connects on first use. Pools that share an `outage` log it once.
    public init(
        _ configuration: PostgresConfiguration, limits: Limits = Limits(), on loop: EventLoop, logger: Logger,
        outage: SharedOutage = SharedOutage()
    ) {
        self.configuration = configuration
        self.limits = limits
        self.loop = loop
        self.logger = logger
        self.outage = outage
        state = PoolState(limit: limits.connections, waiterLimit: limits.waiters, backoff: limits.backoff)
    }

    /// Runs `body` with a connection. Throws `poolExhausted` if none becomes free in time, or the connection error if
    /// the database is unavailable for that long.
    @discardableResult
    public nonisolated func withConnection<Value>(
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        if let joinedConnection { return try await body(joinedConnection) }
        return try await loop.preferred {
            let connection = try await lease()
            do {
                let value = try await body(connection)
                await release(connection)
                return value
            } catch {
                await release(connection)
                throw error
            }
        }
    }

    public nonisolated func query(
        _ query: PostgresQuery, deadline: Duration? = nil
    ) async throws(PostgresError) -> PostgresRows {
        if let joinedConnection { return try await joinedConnection.joinedQuery(query, deadline: deadline) }
        return try await loop.preferred { () async throws(PostgresError) in
            let connection = try await lease()
            let result = await connection.run(query, deadline: deadline, isCancellable: true)
            await release(connection)
            return try result.get()
        }
    }

    @discardableResult
    public nonisolated func execute(
        _ query: PostgresQuery, deadline: Duration? = nil
    ) async throws(PostgresError) -> Int {
        try await self.query(query, deadline: deadline).affected
    }

    /// See `PostgresConnection.transaction`.
    @discardableResult
    public nonisolated func transaction<Value>(
        isolation: PostgresIsolation = .readCommitted, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        if let joinedConnection {
            return try await joinedConnection.joinedTransaction(opening: []) { connection, _ in
                try await body(connection)
            }
        }
        return try await withConnection { try await $0.transaction(isolation: isolation, body) }
    }

    /// See `PostgresConnection.transaction`.
    @discardableResult
    public nonisolated func transaction<Value>(
        isolation: PostgresIsolation = .readCommitted, opening: [PostgresQuery],
        _ body: (PostgresConnection, [PostgresRows]) async throws -> Value
    ) async throws -> Value {
        if let joinedConnection { return try await joinedConnection.joinedTransaction(opening: opening, body) }
        return try await withConnection { try await $0.transaction(isolation: isolation, opening: opening, body) }
    }

    /// Closes idle connections now, and others when they are released. Waiting callers are rejected.
    public func close() async {
        let (connections, waiters) = state.close()
        for waiter in waiters { resume(waiter, .refused(Self.closed)) }
        for connection in connections { await connection.close() }
    }

    public var idleConnections: Int { state.idleCount }
    /// The number of connections in use or being opened.
    public var busyConnections: Int { state.busy }
    public var waiters: Int { state.waiterCount }

    /// The state of the pool now.
    public struct Usage: Sendable {
        /// The most connections that it opens.
        public let limit: Int
        public let idle: Int
        /// In use or being opened.
        public let busy: Int
        /// Callers that wait for a connection.
        public let waiters: Int
        public let waits: Waits
    }

    public var usage: Usage {
        Usage(
            limit: limits.connections, idle: state.idleCount, busy: state.busy, waiters: state.waiterCount,
            waits: waits)
    }

    // MARK: Lending

    private func lease() async throws(PostgresError) -> PostgresConnection {
        let end = MonotonicTime.now() + limits.wait
        guard !Task.isCancelled else { throw PostgresError(.cancelled, "cancelled before it started") }
        lastWaiter += 1
        switch state.lease(lastWaiter, now: .now()) {
        case .use(let connection, let idleFor):
            return try await checked(connection, idleFor: idleFor, end)
        case .connect(let notBefore):
            return try await connectInSlot(notBefore, end)
        case .refuse:
            waits.refused += 1
            throw state.isClosed
                ? Self.closed
                : exhausted("too many callers are waiting for a connection (limit \(limits.waiters))")
        case .wait:
            let began = MonotonicTime.now()
            let turn = await turn(of: lastWaiter, end)
            waits.count += 1
            waits.total += .now() - began
            switch turn {
            case .use(let connection): return try await checked(connection, idleFor: .zero, end)
            case .connect(let notBefore): return try await connectInSlot(notBefore, end)
            case .refused(let error):
                if error.kind != .cancelled { waits.refused += 1 }
                throw error
            }
        }
    }

    private func turn(of waiter: UInt64, _ end: MonotonicTime) async -> Turn {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let timer = loop.schedule(at: end) { [weak self] in
                    self?.assumeIsolated { $0.refuse(waiter, $0.timeoutError) }
                }
                waiting[waiter] = Waiting(continuation: continuation, timer: timer)
                if Task.isCancelled { refuse(waiter, Self.cancelled) }
            }
        } onCancel: {
            refuseLater(waiter)
        }
    }

    private nonisolated func refuseLater(_ waiter: UInt64) {
        loop.perform { self.assumeIsolated { $0.refuse(waiter, Self.cancelled) } }
    }

    private func refuse(_ waiter: UInt64, _ error: PostgresError) {
        if state.withdraw(waiter) { resume(waiter, .refused(error)) }
    }

    private func resume(_ waiter: UInt64, _ turn: Turn) {
        guard let entry = waiting.removeValue(forKey: waiter) else { return }
        loop.cancel(entry.timer)
        entry.continuation.resume(returning: turn)
    }

    private func perform(_ handover: PoolState<PostgresConnection>.Handover) {
        switch handover {
        case .nothing: break
        case .use(let waiter, let connection): resume(waiter, .use(connection))
        case .connect(let waiter, let notBefore): resume(waiter, .connect(notBefore: notBefore))
        }
    }

    /// Replaces a connection that was lost while idle or does not respond.
    private func checked(
        _ connection: PostgresConnection, idleFor: Duration, _ end: MonotonicTime
    ) async throws(PostgresError) -> PostgresConnection {
        if await connection.isIdle {
            guard idleFor > limits.idleBeforeCheck else { return connection }
            let answer = await connection.run("SELECT 1", deadline: limits.check, isCancellable: true)
            if case .success = answer { return connection }
        }
        await connection.close()
        return try await connectInSlot(state.nextAttempt, end)
    }

    /// Connects, and retries until `end`.
    private func connectInSlot(
        _ notBefore: MonotonicTime, _ end: MonotonicTime
    ) async throws(PostgresError) -> PostgresConnection {
        var notBefore = notBefore
        while true {
            let pause = notBefore - .now()
            do throws(CancellationError) {
                if pause > .zero { try await loop.sleep(for: min(pause, max(.zero, end - .now()))) }
            } catch {
                perform(state.slotIsFree())
                throw Self.cancelled
            }
            guard .now() < end else {
                perform(state.slotIsFree())
                throw timeoutError
            }
            do throws(PostgresError) {
                var configuration = configuration
                configuration.connectTimeout = min(configuration.connectTimeout, end - .now())
                let connection = try await PostgresConnection.connect(configuration, on: loop, logger: logger)
                state.connected()
                lastFailure = nil
                outage.succeeded("database reached again", in: logger)
                guard state.isClosed else { return connection }
                await connection.close()
                perform(state.slotIsFree())
                throw Self.closed
            } catch {
                // Retrying does not help with a wrong password or a missing database.
                guard error.isUnavailable, !state.isClosed else {
                    if error.kind != .cancelled { lastFailure = error }
                    perform(state.slotIsFree())
                    throw error
                }
                state.connectFailed(now: .now())
                lastFailure = error
                notBefore = state.nextAttempt
                outage.failed("database connection failed", because: "\(error)", in: logger)
            }
        }
    }

    private func release(_ connection: PostgresConnection) async {
        if await connection.isIdle, !state.isClosed {
            perform(state.release(connection, now: .now()))
        } else {
            if await connection.isOpen, !state.isClosed {
                logger.error(
                    "connection closed", metadata: ["reason": "it was released inside a transaction or a statement"])
            }
            await connection.close()
            perform(state.slotIsFree())
        }
    }

    // MARK: Errors

    private static let closed = PostgresError(.poolExhausted, "the pool is closed")
    private static let cancelled = PostgresError(.cancelled, "cancelled while waiting for a connection")

    /// The last connection error, if the database is unavailable, otherwise the pool's limit.
    private var timeoutError: PostgresError {
        lastFailure ?? exhausted("no connection became free within \(limits.wait) (pool size \(limits.connections))")
    }

    private func exhausted(_ message: String) -> PostgresError { PostgresError(.poolExhausted, message) }
}
