import CPostgres
import EventLoop

// What cannot be pipelined: scripts and COPY. They wait until all before them is answered, leave
// pipeline mode, and let the next ones on only when they are done.
extension PostgresConnection {
    /// Several statements in one text, by the simple protocol: all in one transaction unless they
    /// say otherwise. Answers are dropped.
    public func queryScript(_ sql: String, deadline: Duration? = nil) async throws(PostgresError) {
        let id = try await beginExclusive(sql, deadline: deadline)
        let failure = await withTaskCancellationHandler {
            await finishExclusive(sql)
        } onCancel: {
            stopLater(id)
        }
        if let failure { throw failure }
    }

    /// Gets the connection for itself and sends a statement by the simple protocol.
    /// Returns the operation's id.
    func beginExclusive(_ sql: String, deadline: Duration?) async throws(PostgresError) -> UInt64 {
        let deadline = deadline ?? configuration.statementDeadline
        _ = try await perform(nil, deadline: deadline, isCancellable: true).mapError { $0.about(sql) }.get()
        guard let connection, let id = pipeline.sent.first?.id else {
            throw (loss ?? .lost("not connected")).about(sql)
        }
        guard PQexitPipelineMode(connection) == 1, PQsendQuery(connection, sql) == 1 else {
            end(.lost(PostgresError.line(String(cString: PQerrorMessage(connection)))))
            throw (loss ?? .lost("not connected")).about(sql)
        }
        return id
    }

    /// The next result, or nil at the end of the results. Throws `connectionLost`.
    func nextResult() async throws(PostgresError) -> OpaquePointer? {
        while true {
            guard let connection else { throw loss ?? .lost("not connected") }
            try await flushExclusive()
            if PQisBusy(connection) == 0 { return PQgetResult(connection) }
            await waitForSocket(.read)
            try consumeExclusive()
        }
    }

    /// Writes what libpq holds, waiting while the socket takes nothing: COPY's backpressure.
    func flushExclusive() async throws(PostgresError) {
        while true {
            guard let connection else { throw loss ?? .lost("not connected") }
            let status = PQflush(connection)
            guard status != 0 else { return }
            guard status == 1 else {
                end(.lost(PostgresError.line(String(cString: PQerrorMessage(connection)))))
                throw loss ?? .lost("not connected")
            }
            await waitForSocket([.read, .write])
            // The server may have to get rid of its words before it reads on.
            try consumeExclusive()
        }
    }

    func consumeExclusive() throws(PostgresError) {
        guard let connection else { throw loss ?? .lost("not connected") }
        guard PQconsumeInput(connection) == 1 else {
            end(.lost(PostgresError.line(String(cString: PQerrorMessage(connection)))))
            throw loss ?? .lost("not connected")
        }
    }

    func waitForSocket(_ interest: Interest) async {
        guard connection != nil else { return }
        await withUnsafeContinuation { continuation in
            exclusiveWaiter = continuation
            watch?.interest = interest
        }
    }

    /// Reads what is left of the answers, hands the connection on, and returns the first error.
    func finishExclusive(_ sql: String, affected: (Int) -> Void = { _ in }) async -> PostgresError? {
        var failure: PostgresError?
        do throws(PostgresError) {
            while let result = try await nextResult() {
                let status = PQresultStatus(result)
                if status == PGRES_FATAL_ERROR, failure == nil { failure = PostgresError(result: result, sql: sql) }
                if status == PGRES_COMMAND_OK { affected(Int(String(cString: PQcmdTuples(result))) ?? 0) }
                PQclear(result)
                switch status {
                case PGRES_COPY_IN, PGRES_COPY_BOTH: PQputCopyEnd(connection, "not asked for")
                case PGRES_COPY_OUT: try await dropCopyData()
                default: break
                }
            }
        } catch {
            failure = failure ?? error.about(sql)
        }
        if let failure, failure.kind == .connectionLost(duringCommit: false) { end(failure) }
        return endExclusive(failure)
    }

    func dropCopyData() async throws(PostgresError) {
        while true {
            guard let connection else { throw loss ?? .lost("not connected") }
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
        stopHeadIfAsked()
        sendWaiting()
        return failure?.stopped(operation.stopReason)
    }
}
