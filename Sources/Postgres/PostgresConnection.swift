import CPostgres
public import EventLoop
import Logging

/// One connection to PostgreSQL, pinned to a loop: libpq, non-blocking and in pipeline mode.
///
/// Calls may overlap: each statement is followed by its own Sync and is sent before the results of earlier statements
/// arrive. Results arrive in order, and an error affects one statement only. The owner must close the connection.
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
    /// The reason why the connection was closed or lost.
    var closeError: PostgresError?
    var statements: StatementCache
    var pipeline = Pipeline<Operation>()
    var cancelRequest: CancelRequest?
    var isInTransaction = false
    /// Operations up to this id may be cancelled by a cancel request for another operation.
    var lastIDAtRisk: UInt64 = 0
    var exclusiveWaiter = WaitingTasks()
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
    /// is queued behind another one on the server is cancelled after that one's result.
    public func query(_ query: PostgresQuery, deadline: Duration? = nil) async throws(PostgresError) -> PostgresRows {
        try await run(query, deadline: deadline, isCancellable: true).get()
    }

    /// Runs a statement that returns no rows. Returns the number of affected rows.
    @discardableResult
    public func execute(_ query: PostgresQuery, deadline: Duration? = nil) async throws(PostgresError) -> Int {
        try await run(query, deadline: deadline, isCancellable: true).get().affected
    }

    /// Runs several statements in one round trip. They run in order, and an error affects one statement only; the first
    /// error is thrown when all are complete. In a transaction the statements after an error fail too.
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
                for (index, query) in queries.enumerated() {
                    let id = first + UInt64(index)
                    admit(Operation(id: id, query: query, answer: .ofSeveral(answers, index: index)), deadline)
                }
                sendWaiting()
            }
        } onCancel: {
            for id in first...last { stopOnLoop(id) }
        }
        var answers: [PostgresRows] = []
        answers.reserveCapacity(queries.count)
        for (query, outcome) in zip(queries, outcomes) {
            guard let rows = try outcome.get() else {
                throw PostgresError(.misuse, "no result was received", sql: query.sql)
            }
            answers.append(rows)
        }
        return answers
    }

    /// Closes the connection. Pending operations fail.
    public func close() {
        end(.lost("the connection was closed"))
    }

    public var isOpen: Bool { connection != nil }

    /// Whether the connection is open and between transactions, and no caller waits for a result.
    public var isIdle: Bool {
        guard let connection else { return false }
        if pipeline.isEmpty { return PQtransactionStatus(connection) == PQTRANS_IDLE }
        // No caller waits for a DEALLOCATE, but libpq reports "active" meanwhile.
        return !isInTransaction && pipeline.allSatisfy { $0.deallocating != nil }
    }

    /// The process id of this connection on the server, as in pg_stat_activity.
    public var serverProcess: Int32 { connection.map { PQbackendPID($0) } ?? 0 }

    // MARK: Operations

    /// `isCancellable: false` is for COMMIT and ROLLBACK, which must reach the server.
    func run(
        _ query: PostgresQuery, deadline: Duration?, isCancellable: Bool
    ) async -> Result<PostgresRows, PostgresError> {
        let deadline = deadline ?? configuration.statementDeadline
        let outcome = await perform(query, deadline: deadline, isCancellable: isCancellable)
        return outcome.flatMap { rows in
            rows.map { .success($0) } ?? .failure(PostgresError(.misuse, "no result was received", sql: query.sql))
        }
    }

    /// Runs an operation. Without a query, it waits for exclusive use of the connection.
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
            stopOnLoop(id)
        }
    }

    nonisolated func stopOnLoop(_ id: UInt64) {
        loop.perform { self.assumeIsolated { $0.stop(id, .cancelled) } }
    }

    /// Queues an operation, which `sendWaiting` sends.
    private func admit(_ operation: Operation, _ deadline: Duration?, isCancellable: Bool = true) {
        var operation = operation
        if let refusal = refusal(of: operation) { return operation.resume(.failure(refusal)) }
        // The cancellation handler of a task that is already cancelled ran before this and found no operation.
        if isCancellable && Task.isCancelled {
            let sql = operation.query?.sql
            return operation.resume(.failure(PostgresError(.cancelled, "cancelled before it started", sql: sql)))
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
        if connection == nil { return (closeError ?? .lost("not connected")).withSQL(operation.query?.sql) }
        if pipeline.isFull {
            return PostgresError(
                .poolExhausted, "\(Pipeline<Operation>.maximumWaiting) statements already wait on this connection",
                sql: operation.query?.sql)
        }
        if let query = operation.query, query.parameterCount > PostgresQuery.maximumParameters {
            return PostgresError(
                .misuse, "\(query.parameterCount) parameters; the maximum is \(PostgresQuery.maximumParameters)",
                sql: query.sql)
        }
        return nil
    }
}
