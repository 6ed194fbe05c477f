public import EventLoop
public import Logging

/// A limited number of connections on one loop, lent one at a time.
///
/// Connections are made by who needs one, with a common backoff; broken ones are replaced. A
/// connection comes back only between transactions: one that does not is closed.
public actor PostgresPool {
    public struct Limits: Sendable {
        public var connections = 8
        public var waiters = 4_096
        /// To get a connection, connecting included.
        public var wait = Duration.seconds(5)
        /// A connection that rested longer is tried before it is lent.
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
    private let configuration: PostgresConfiguration
    private let limits: Limits
    private let logger: Logger
    private var state: PoolState<PostgresConnection>
    private var waiting: [UInt64: Waiting] = [:]
    private var lastWaiter: UInt64 = 0
    private var lastFailure: PostgresError?

    private enum Turn: Sendable {
        case use(PostgresConnection)
        case connect(notBefore: MonotonicTime)
        case refused(PostgresError)
    }

    private struct Waiting {
        let continuation: UnsafeContinuation<Turn, Never>
        let timer: EventLoop.Timer
    }

    /// Connects when the first one asks.
    public init(_ configuration: PostgresConfiguration, limits: Limits = Limits(), on loop: EventLoop, logger: Logger) {
        self.configuration = configuration
        self.limits = limits
        self.loop = loop
        self.logger = logger
        state = PoolState(limit: limits.connections, waiterLimit: limits.waiters, backoff: limits.backoff)
    }

    /// Lends a connection. Throws `poolExhausted` when none is free in time, and the reason when
    /// the database is away for so long.
    @discardableResult
    public nonisolated func withConnection<Value>(
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        let connection = try await lease()
        do {
            let value = try await body(connection)
            await giveBack(connection)
            return value
        } catch {
            await giveBack(connection)
            throw error
        }
    }

    public nonisolated func query(
        _ query: PostgresQuery, deadline: Duration? = nil
    ) async throws(PostgresError) -> PostgresRows {
        let connection = try await lease()
        let result = await connection.run(query, deadline: deadline, isCancellable: true)
        await giveBack(connection)
        return try result.get()
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
        try await withConnection { try await $0.transaction(isolation: isolation, body) }
    }

    /// See `PostgresConnection.transaction`.
    @discardableResult
    public nonisolated func transaction<Value>(
        isolation: PostgresIsolation = .readCommitted, opening: [PostgresQuery],
        _ body: (PostgresConnection, [PostgresRows]) async throws -> Value
    ) async throws -> Value {
        try await withConnection { try await $0.transaction(isolation: isolation, opening: opening, body) }
    }

    /// Closes what rests now, and what is lent when it comes back. Who waits is refused.
    public func close() async {
        let (connections, waiters) = state.close()
        for waiter in waiters { resume(waiter, .refused(Self.closed)) }
        for connection in connections { await connection.close() }
    }

    public var idleConnections: Int { state.idleCount }
    /// Connections that are lent or being made.
    public var busyConnections: Int { state.busy }
    public var waiters: Int { state.waiterCount }

    // MARK: Lending

    private func lease() async throws(PostgresError) -> PostgresConnection {
        let end = MonotonicTime.now() + limits.wait
        guard !Task.isCancelled else { throw PostgresError(.cancelled, "cancelled before it began") }
        lastWaiter += 1
        switch state.lease(lastWaiter, now: .now()) {
        case .use(let connection, let idleFor):
            return try await checked(connection, idleFor: idleFor, end)
        case .connect(let notBefore):
            return try await fillPlace(notBefore, end)
        case .refuse:
            throw state.isClosed ? Self.closed : exhausted("\(limits.waiters) wait for a connection already")
        case .wait:
            switch await turn(of: lastWaiter, end) {
            case .use(let connection): return try await checked(connection, idleFor: .zero, end)
            case .connect(let notBefore): return try await fillPlace(notBefore, end)
            case .refused(let error): throw error
            }
        }
    }

    private func turn(of waiter: UInt64, _ end: MonotonicTime) async -> Turn {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let timer = loop.schedule(at: end) { [weak self] in
                    self?.assumeIsolated { $0.refuse(waiter, $0.late) }
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

    private func carryOut(_ handover: PoolState<PostgresConnection>.Handover) {
        switch handover {
        case .nothing: break
        case .use(let waiter, let connection): resume(waiter, .use(connection))
        case .connect(let waiter, let notBefore): resume(waiter, .connect(notBefore: notBefore))
        }
    }

    /// A connection that broke while it rested, or that does not answer, is replaced.
    private func checked(
        _ connection: PostgresConnection, idleFor: Duration, _ end: MonotonicTime
    ) async throws(PostgresError) -> PostgresConnection {
        if await connection.isIdle {
            guard idleFor > limits.idleBeforeCheck else { return connection }
            let answer = await connection.run("SELECT 1", deadline: limits.check, isCancellable: true)
            if case .success = answer { return connection }
        }
        await connection.close()
        return try await fillPlace(state.nextAttempt, end)
    }

    /// Connects, again and again until the time is over.
    private func fillPlace(
        _ notBefore: MonotonicTime, _ end: MonotonicTime
    ) async throws(PostgresError) -> PostgresConnection {
        var notBefore = notBefore
        while true {
            let pause = notBefore - .now()
            do throws(CancellationError) {
                if pause > .zero { try await loop.sleep(for: min(pause, max(.zero, end - .now()))) }
            } catch {
                carryOut(state.placeIsEmpty())
                throw Self.cancelled
            }
            guard .now() < end else {
                carryOut(state.placeIsEmpty())
                throw late
            }
            do throws(PostgresError) {
                var configuration = configuration
                configuration.connectTimeout = min(configuration.connectTimeout, end - .now())
                let connection = try await PostgresConnection.connect(configuration, on: loop, logger: logger)
                state.connected()
                lastFailure = nil
                guard state.isClosed else { return connection }
                await connection.close()
                carryOut(state.placeIsEmpty())
                throw Self.closed
            } catch {
                // Waiting does not help against a wrong password or a missing database.
                guard error.isUnavailable, !state.isClosed else {
                    if error.kind != .cancelled { lastFailure = error }
                    carryOut(state.placeIsEmpty())
                    throw error
                }
                state.connectFailed(now: .now())
                lastFailure = error
                notBefore = state.nextAttempt
                logger.warning("cannot connect to the database", metadata: ["reason": "\(error)"])
            }
        }
    }

    private func giveBack(_ connection: PostgresConnection) async {
        if await connection.isIdle, !state.isClosed {
            carryOut(state.release(connection, now: .now()))
        } else {
            if await connection.isOpen, !state.isClosed {
                logger.error("a connection came back inside a transaction or a statement; it is closed")
            }
            await connection.close()
            carryOut(state.placeIsEmpty())
        }
    }

    // MARK: Errors

    private static let closed = PostgresError(.poolExhausted, "the pool is closed")
    private static let cancelled = PostgresError(.cancelled, "cancelled while it waited for a connection")

    /// The database's absence, if that is why, else the pool's limit.
    private var late: PostgresError {
        lastFailure ?? exhausted("no connection of \(limits.connections) was free within \(limits.wait)")
    }

    private func exhausted(_ message: String) -> PostgresError { PostgresError(.poolExhausted, message) }
}
