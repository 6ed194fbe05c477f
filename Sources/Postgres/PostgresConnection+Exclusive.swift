import CPostgres
import EventLoop

// Operations that can't be pipelined: scripts and COPY. They wait until all earlier operations are complete, leave
// pipeline mode, and block later operations until they are complete.
extension PostgresConnection {
    /// Runs several statements in one text with the simple protocol, in one transaction unless the text has its own
    /// transaction statements. Results are dropped.
    public func queryScript(_ sql: String, deadline: Duration? = nil) async throws(PostgresError) {
        let id = try await beginExclusive(sql, deadline: deadline)
        let failure = await withTaskCancellationHandler {
            await finishExclusive(sql)
        } onCancel: {
            stopOnLoop(id)
        }
        if let failure { throw failure }
    }

    /// Waits for exclusive use of the connection and sends a statement with the simple protocol.
    /// Returns the operation's id.
    func beginExclusive(_ sql: String, deadline: Duration?) async throws(PostgresError) -> UInt64 {
        let deadline = deadline ?? configuration.statementDeadline
        _ = try await perform(nil, deadline: deadline, isCancellable: true).mapError { $0.withSQL(sql) }.get()
        guard let connection, let id = pipeline.sent.first?.id else {
            throw (closeError ?? .lost("not connected")).withSQL(sql)
        }
        guard PQexitPipelineMode(connection) == 1, PQsendQuery(connection, sql) == 1 else {
            end(.lost(PostgresError.line(String(cString: PQerrorMessage(connection)))))
            throw (closeError ?? .lost("not connected")).withSQL(sql)
        }
        return id
    }

    /// The next result, or nil at the end of the results. Throws `connectionLost`.
    func nextResult() async throws(PostgresError) -> OpaquePointer? {
        while true {
            guard let connection else { throw closeError ?? .lost("not connected") }
            try await flushExclusive()
            if PQisBusy(connection) == 0 { return PQgetResult(connection) }
            await waitForSocket(.read)
            try consumeExclusive()
        }
    }

    /// Writes libpq's buffer, waiting while the socket is full: COPY's backpressure.
    func flushExclusive() async throws(PostgresError) {
        while true {
            guard let connection else { throw closeError ?? .lost("not connected") }
            let status = PQflush(connection)
            guard status != 0 else { return }
            guard status == 1 else {
                end(.lost(PostgresError.line(String(cString: PQerrorMessage(connection)))))
                throw closeError ?? .lost("not connected")
            }
            await waitForSocket([.read, .write])
            // The server may have to send its output before it reads more.
            try consumeExclusive()
        }
    }

    func consumeExclusive() throws(PostgresError) {
        guard let connection else { throw closeError ?? .lost("not connected") }
        guard PQconsumeInput(connection) == 1 else {
            end(.lost(PostgresError.line(String(cString: PQerrorMessage(connection)))))
            throw closeError ?? .lost("not connected")
        }
    }

    func waitForSocket(_ interest: Interest) async {
        guard connection != nil else { return }
        await withUnsafeContinuation { continuation in
            exclusiveWaiter.add(continuation)
            watch?.interest = interest
        }
    }

    /// Reads the remaining results, ends exclusive use, and returns the first error.
    func finishExclusive(_ sql: String, affected: (Int) -> Void = { _ in }) async -> PostgresError? {
        var failure: PostgresError?
        do throws(PostgresError) {
            while let result = try await nextResult() {
                let status = PQresultStatus(result)
                if status == PGRES_FATAL_ERROR, failure == nil { failure = PostgresError(result: result, sql: sql) }
                if status == PGRES_COMMAND_OK { affected(Int(String(cString: PQcmdTuples(result))) ?? 0) }
                PQclear(result)
                switch status {
                case PGRES_COPY_IN, PGRES_COPY_BOTH: PQputCopyEnd(connection, "unexpected COPY")
                case PGRES_COPY_OUT: try await dropCopyData()
                default: break
                }
            }
        } catch {
            failure = failure ?? error.withSQL(sql)
        }
        if let failure, failure.kind == .connectionLost(duringCommit: false) { end(failure) }
        return endExclusive(failure)
    }

    func dropCopyData() async throws(PostgresError) {
        while true {
            guard let connection else { throw closeError ?? .lost("not connected") }
            var bytes: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(connection, &bytes, 1)
            if let bytes { PQfreemem(bytes) }
            if count < 0 { return }
            guard count == 0 else { continue }
            await waitForSocket(.read)
            try consumeExclusive()
        }
    }

    private func endExclusive(_ failure: PostgresError?) -> PostgresError? {
        guard let connection else { return failure }
        guard PQenterPipelineMode(connection) == 1 else {
            end(.lost(PostgresError.line(String(cString: PQerrorMessage(connection)))))
            return failure
        }
        guard let operation = pipeline.finishHead() else { return failure }
        conclude(operation, .success(nil))
        cancelTargetIsAnswered(operation.id)
        collectNotifications()
        cancelHeadIfRequested()
        sendWaiting()
        return failure?.stopped(operation.stopReason)
    }
}
