import CPostgres
import EventLoop
import Glibc

// Sends statements and receives their results.
extension PostgresConnection {
    func sendWaiting() {
        while let connection, let operation = pipeline.sendNext() {
            if operation.isExclusive {
                // Its owner leaves pipeline mode when it needs to.
                watch?.interest = []
                pipeline.updateLast { $0.resume(.success(nil)) }
            } else if let query = operation.query, !send(query, of: operation, on: connection) {
                return end(.lost(PostgresError.line(String(cString: PQerrorMessage(connection)))))
            }
        }
        flush()
    }

    private func send(_ query: PostgresQuery, of operation: Operation, on connection: OpaquePointer) -> Bool {
        let key = StatementCache.Key(sql: query.sql, types: query.types)
        let isSent: Bool
        // A prepared DEALLOCATE would take the place of another statement, which would have to be deallocated in turn.
        switch operation.deallocating == nil ? statements.use(key) : .unnamed {
        case .execute(let name):
            isSent = query.withParameters { count, _, values, lengths, formats in
                PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1) == 1
            }
        case .prepare(let name):
            pipeline.updateLast { $0.preparing = key }
            isSent = query.withParameters { count, types, values, lengths, formats in
                PQsendPrepare(connection, name, query.sql, count, types) == 1
                    && PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1) == 1
            }
        case .unnamed:
            isSent = query.withParameters { count, types, values, lengths, formats in
                PQsendQueryParams(connection, query.sql, count, types, values, lengths, formats, 1) == 1
            }
        }
        guard isSent, PQpipelineSync(connection) == 1 else { return false }
        deallocateDiscarded()
        return true
    }

    /// libpq 15 cannot close a statement by message, so it is asked to by SQL.
    private func deallocateDiscarded() {
        for name in statements.takeDiscarded() {
            pipeline.enqueue(Operation(deallocating: name))
        }
    }

    func ready(_ interest: Interest) {
        guard let connection else { return }
        if !exclusiveWaiter.isEmpty || pipeline.sent.first?.isExclusive == true {
            watch?.interest = []
            exclusiveWaiter.resumeAll()
            return
        }
        var reads = 0
        repeat {
            let isAlive = !interest.contains(.read) || PQconsumeInput(connection) == 1
            reads += 1
            // Data that arrived before the end, such as the server's reason, must still be read.
            receive()
            guard isAlive else { return end(.lost(PostgresError.line(String(cString: PQerrorMessage(connection))))) }
        } while reads < Self.readsPerTurn && hasMoreOfAnswer
        sendWaiting()
    }

    /// libpq reads up to 16 KB at a time. If the rest of an answer waited for the loop's next turn, a caller would wait
    /// for all other jobs of the loop once for each 16 KB.
    private static let readsPerTurn = 64

    /// Whether a statement waits for the rest of its answer, and some of that has arrived.
    private var hasMoreOfAnswer: Bool {
        guard let connection, let head = pipeline.sent.first, !head.isExclusive else { return false }
        var byte: UInt8 = 0
        return recv(PQsocket(connection), &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
    }

    /// Flushes libpq's buffer, and watches for writability while the socket is full.
    private func flush() {
        guard let connection, pipeline.sent.first?.isExclusive != true else { return }
        switch PQflush(connection) {
        case 0: watch?.interest = .read
        case 1: watch?.interest = [.read, .write]
        default: end(.lost(PostgresError.line(String(cString: PQerrorMessage(connection)))))
        }
    }

    private func receive() {
        guard let connection else { return }
        // libpq marks the end of each statement's results with one nil.
        var nils = 0
        while let head = pipeline.sent.first, !head.isExclusive, nils < 2, PQisBusy(connection) == 0 {
            guard let result = PQgetResult(connection) else {
                nils += 1
                continue
            }
            nils = 0
            receive(result, for: head)
            if self.connection == nil { return }
        }
        collectNotifications()
    }

    private func receive(_ result: OpaquePointer, for head: Operation) {
        switch PQresultStatus(result) {
        case PGRES_PIPELINE_SYNC:
            PQclear(result)
            finishHead()
        case PGRES_PIPELINE_ABORTED:
            PQclear(result)
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            if let key = head.preparing {
                PQclear(result)
                statements.prepared(key)
                pipeline.updateHead { $0.preparing = nil }
            } else {
                let rows = PostgresRows(result: result, sql: head.sql)
                trackTransaction(rows)
                pipeline.updateHead { $0.rows = rows }
            }
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            PQclear(result)
            end(PostgresError(.misuse, "COPY requires copyIn or copyOut", sql: head.sql))
        default:
            let error = PostgresError(result: result, sql: head.sql)
            PQclear(result)
            if error.kind == .connectionLost(duringCommit: false) { return end(error) }
            pipeline.updateHead { $0.error = error }
        }
    }

    private func finishHead() {
        guard var operation = pipeline.finishHead() else { return }
        if let key = operation.preparing {
            statements.forget(key)
            operation.preparing = nil
        }
        cancelTargetIsAnswered(operation.id)
        guard let error = operation.error else {
            conclude(operation, .success(operation.rows))
            return cancelHeadIfRequested()
        }
        let isOutdated = hasOutdatedPlan(operation, error)
        if isOutdated { forgetStatement(of: operation, after: error) }
        if isOutdated || wasCancelledByAnotherRequest(operation, error) {
            operation.error = nil
            operation.rows = nil
            operation.retries += 1
            pipeline.enqueueFirst(operation)
        } else {
            forgetStatement(of: operation, after: error)
            conclude(operation, .failure(error.stopped(operation.stopReason)))
        }
        cancelHeadIfRequested()
    }

    /// A column was added to a table whose columns the statement returns: "cached plan must not change result type". The
    /// statement did nothing. In a transaction it can't be repeated, because the transaction has failed.
    private func hasOutdatedPlan(_ operation: Operation, _ error: PostgresError) -> Bool {
        error.sqlState == Self.featureNotSupported && operation.query != nil && operation.stopReason == nil
            && !isInTransaction && operation.retries == 0
    }

    private static let featureNotSupported = "0A000"

    private func forgetStatement(of operation: Operation, after error: PostgresError) {
        guard let query = operation.query else { return }
        let key = StatementCache.Key(sql: query.sql, types: query.types)
        // It exists, and must be prepared again.
        if error.sqlState == Self.featureNotSupported { statements.discard(key) }
        if error.isUnknownStatement { statements.forget(key) }
    }

    func conclude(_ operation: Operation, _ result: Result<PostgresRows?, PostgresError>) {
        if let timer = operation.timer { loop.cancel(timer) }
        if case .failure(let error) = result, let name = operation.deallocating, !error.isUnknownStatement {
            statements.keep(name)
        }
        var operation = operation
        operation.resume(result)
    }

    /// Closes the connection; all pending operations fail with the reason.
    func end(_ reason: PostgresError) {
        guard let handle else { return }
        closeError = reason.kind == .misuse ? .lost(reason.message) : reason.withSQL(nil)
        handle.close()
        self.handle = nil
        for operation in pipeline.removeAll() {
            // An exclusive operation that was sent belongs to its owner already, which finds `closeError` itself.
            conclude(operation, .failure(reason.withSQL(operation.sql).stopped(operation.stopReason)))
        }
        exclusiveWaiter.resumeAll()
        notifications.end()
    }
}

extension PostgresQuery {
    /// Passes the parameters to `body` in libpq's format.
    func withParameters<Result>(
        _ body: (
            Int32, UnsafePointer<Oid>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?,
            UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        let count = parameterCount
        guard count > 0 else { return body(0, nil, nil, nil, nil) }
        return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: count) { formats in
                bytes.withUnsafeBytes { raw in
                    var offset = 1
                    for (index, length) in lengths.enumerated() {
                        let start = raw.baseAddress.map { $0 + offset }
                        values[index] = length < 0 ? nil : start?.assumingMemoryBound(to: CChar.self)
                        formats[index] = 1
                        offset += Int(max(length, 0))
                    }
                    return body(Int32(count), types, values.baseAddress, lengths, formats.baseAddress)
                }
            }
        }
    }
}

extension PostgresError {
    /// "prepared statement does not exist": the session was reset.
    fileprivate var isUnknownStatement: Bool { sqlState == "26000" }
}
