import CPostgres
public import EventLoop
import Logging

/// One connection to PostgreSQL, pinned to a loop: libpq, non-blocking and in pipeline mode.
///
/// Calls may overlap: each statement is followed by its own Sync and goes on the wire before the
/// answers of those before it; answers come in order, and an error concerns one statement only.
/// Whoever holds the connection closes it.
public actor PostgresConnection {
    public nonisolated let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let configuration: PostgresConfiguration
    let notices: NoticeLog

    /// Nil once the connection is closed or lost.
    var handle: ConnectionHandle?
    /// libpq's PGconn.
    var connection: OpaquePointer? { handle?.connection }
    var watch: Watch? { handle?.watch }
    /// Why the connection is gone.
    var loss: PostgresError?
    var statements: StatementCache
    var pipeline = Pipeline<Operation>()
    var cancelRequest: CancelRequest?
    var isInTransaction = false
    /// Operations up to this one may have been hit by a cancel request for another.
    var cancelRisk: UInt64 = 0
    var exclusiveWaiter: UnsafeContinuation<Void, Never>?
    var isCopyOutAtEnd = false
    var notifications = NotificationBuffer()
    private var lastID: UInt64 = 0

    init(configuration: PostgresConfiguration, loop: EventLoop, logger: Logger) {
        self.configuration = configuration
        self.loop = loop
        notices = NoticeLog(logger: logger)
        statements = StatementCache(capacity: configuration.preparedStatements)
    }

    /// Runs one statement. Its deadline counts from the call; a statement that is stopped while it
    /// is behind another one on the wire hears of it after that one's answer.
    public func query(_ query: PostgresQuery, deadline: Duration? = nil) async throws(PostgresError) -> PostgresRows {
        try await run(query, deadline: deadline, isCancellable: true).get()
    }

    /// The same for a statement that returns no rows; returns how many it affected.
    @discardableResult
    public func execute(_ query: PostgresQuery, deadline: Duration? = nil) async throws(PostgresError) -> Int {
        try await run(query, deadline: deadline, isCancellable: true).get().affected
    }

    /// Sends statements together and waits for their answers together: one round trip. They run in their order and
    /// an error concerns one statement only; the first is thrown when all are answered. In a transaction that error
    /// makes those behind it fail too.
    public func queries(
        _ queries: [PostgresQuery], deadline: Duration? = nil
    ) async throws(PostgresError) -> [PostgresRows] {
        guard !queries.isEmpty else { return [] }
        let deadline = deadline ?? configuration.statementDeadline
        let first = lastID + 1
        lastID += UInt64(queries.count)
        let last = lastID
        let outcomes = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let answers = Operation.Answers(count: queries.count, continuation)
                for (place, query) in queries.enumerated() {
                    let id = first + UInt64(place)
                    admit(Operation(id: id, query: query, answer: .ofSeveral(answers, place: place)), deadline)
                }
                sendWaiting()
            }
        } onCancel: {
            for id in first...last { stopLater(id) }
        }
        var answers: [PostgresRows] = []
        answers.reserveCapacity(queries.count)
        for (query, outcome) in zip(queries, outcomes) {
            guard let rows = try outcome.get() else { throw PostgresError(.misuse, "no answer came", sql: query.sql) }
            answers.append(rows)
        }
        return answers
    }

    /// Fails what is still under way.
    public func close() {
        end(.lost("the connection was closed"))
    }

    public var isOpen: Bool { connection != nil }

    /// Whether the connection is open and between transactions, with nothing under way that somebody waits for.
    public var isIdle: Bool {
        guard let connection else { return false }
        if pipeline.isEmpty { return PQtransactionStatus(connection) == PQTRANS_IDLE }
        // Prepared statements that are dropped are nobody's; libpq says "active" while they are.
        return !isInTransaction && pipeline.allSatisfy { $0.deallocating != nil }
    }

    /// The server process of this connection, as pg_stat_activity shows it.
    public var serverProcess: Int32 { connection.map { PQbackendPID($0) } ?? 0 }

    // MARK: Operations

    /// `isCancellable: false` is for COMMIT and ROLLBACK, which must reach the server.
    func run(
        _ query: PostgresQuery, deadline: Duration?, isCancellable: Bool
    ) async -> Result<PostgresRows, PostgresError> {
        let deadline = deadline ?? configuration.statementDeadline
        let outcome = await perform(query, deadline: deadline, isCancellable: isCancellable)
        return outcome.flatMap { rows in
            rows.map { .success($0) } ?? .failure(PostgresError(.misuse, "no answer came", sql: query.sql))
        }
    }

    /// Without a query: waits for the connection to be free of others' statements.
    func perform(
        _ query: PostgresQuery?, deadline: Duration?, isCancellable: Bool
    ) async -> Result<PostgresRows?, PostgresError> {
        lastID += 1
        let id = lastID
        guard isCancellable else {
            return await withUnsafeContinuation {
                admit(Operation(id: id, query: query, answer: .one($0)), deadline, isCancellable: false)
                sendWaiting()
            }
        }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                admit(Operation(id: id, query: query, answer: .one(continuation)), deadline)
                sendWaiting()
            }
        } onCancel: {
            stopLater(id)
        }
    }

    nonisolated func stopLater(_ id: UInt64) {
        loop.perform { self.assumeIsolated { $0.stop(id, .cancelled) } }
    }

    /// Puts an operation behind the others; to be sent by `sendWaiting`.
    private func admit(_ operation: Operation, _ deadline: Duration?, isCancellable: Bool = true) {
        var operation = operation
        if let refusal = refusal(of: operation) { return operation.resume(.failure(refusal)) }
        // The handler of a task that was cancelled before finds nothing to stop.
        if isCancellable && Task.isCancelled {
            let sql = operation.query?.sql
            return operation.resume(.failure(PostgresError(.cancelled, "cancelled before it began", sql: sql)))
        }
        if let deadline {
            let id = operation.id
            operation.timer = loop.schedule(after: deadline) { [weak self] in
                self?.assumeIsolated { $0.stop(id, .deadline) }
            }
        }
        pipeline.enqueue(operation)
    }

    private func refusal(of operation: Operation) -> PostgresError? {
        if connection == nil { return (loss ?? .lost("not connected")).about(operation.query?.sql) }
        if pipeline.isFull {
            return PostgresError(
                .poolExhausted, "\(Pipeline<Operation>.maximumWaiting) statements wait on one connection",
                sql: operation.query?.sql)
        }
        if let query = operation.query, query.parameterCount > PostgresQuery.maximumParameters {
            return PostgresError(
                .misuse, "\(query.parameterCount) parameters; at most \(PostgresQuery.maximumParameters)",
                sql: query.sql)
        }
        return nil
    }
}
