import CPostgres
import EventLoop

extension PostgresConnection {
    /// Runs COPY … FROM STDIN. The body writes rows, and waits while the server is slower. If it throws, no row is
    /// stored. Returns the number of rows.
    @discardableResult
    public nonisolated func copyIn(
        _ sql: String, deadline: Duration? = nil, _ body: (CopyWriter) async throws -> Void
    ) async throws -> Int {
        let copy = try await beginCopy(sql, deadline: deadline)
        let writer = CopyWriter(connection: self)
        do {
            try await withTaskCancellationHandler {
                try await body(writer)
            } onCancel: {
                stopOnLoop(copy.id)
            }
            try Task.checkCancellation()
            try await writer.finish()
        } catch {
            let failure = await endCopyIn(sql, reason: "the writer failed")
            // The error of the server or the connection is the cause, the writer's error its consequence.
            if error is PostgresError, let failure = failure.failure { throw failure }
            if error is CancellationError { throw PostgresError.stopped(.cancelled, sql: sql) }
            throw error
        }
        return try await endCopyIn(sql, reason: nil).get()
    }

    /// Runs COPY … TO STDOUT. The body reads rows, and the server waits for it. Rows that it does not read are dropped.
    @discardableResult
    public nonisolated func copyOut<Value>(
        _ sql: String, deadline: Duration? = nil, _ body: (CopyReader) async throws -> Value
    ) async throws -> Value {
        let copy = try await beginCopy(sql, deadline: deadline)
        let value: Value
        do {
            value = try await withTaskCancellationHandler {
                try await body(CopyReader(connection: self, isBinary: copy.isBinary))
            } onCancel: {
                stopOnLoop(copy.id)
            }
        } catch {
            let failure = await endCopyOut(sql)
            if error is PostgresError, let failure { throw failure }
            throw error
        }
        if let failure = await endCopyOut(sql) { throw failure }
        return value
    }

    private func beginCopy(
        _ sql: String, deadline: Duration?
    ) async throws(PostgresError) -> (id: UInt64, isBinary: Bool) {
        let id = try await beginExclusive(sql, deadline: deadline)
        do throws(PostgresError) {
            let result = try await nextResult()
            let status = PQresultStatus(result)
            if status == PGRES_COPY_IN || status == PGRES_COPY_OUT {
                defer { PQclear(result) }
                return (id, PQbinaryTuples(result) == 1)
            }
            let isError = status == PGRES_FATAL_ERROR
            let failure = result.flatMap { isError ? PostgresError(result: $0, sql: sql) : nil }
            PQclear(result)
            throw failure ?? PostgresError(.misuse, "the statement is not COPY with STDIN or STDOUT", sql: sql)
        } catch {
            throw (await finishExclusive(sql)) ?? error.withSQL(sql)
        }
    }

    /// Sends the bytes and returns the buffer for reuse.
    func putCopyData(_ bytes: consuming [UInt8]) async throws(PostgresError) -> [UInt8] {
        let bytes = bytes
        guard let connection else { throw closeError ?? .lost("not connected") }
        let status = bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { PQputCopyData(connection, $0.baseAddress, Int32($0.count)) }
        }
        guard status == 1 else { throw .lost(PostgresError.line(String(cString: PQerrorMessage(connection)))) }
        try await flushExclusive()
        return bytes
    }

    private func endCopyIn(_ sql: String, reason: String?) async -> Result<Int, PostgresError> {
        guard let connection else { return .failure((closeError ?? .lost("not connected")).withSQL(sql)) }
        guard PQputCopyEnd(connection, reason) == 1 else {
            end(.lost(PostgresError.line(String(cString: PQerrorMessage(connection)))))
            return .failure((closeError ?? .lost("not connected")).withSQL(sql))
        }
        var count = 0
        let failure = await finishExclusive(sql) { count += $0 }
        return failure.map { .failure($0) } ?? .success(count)
    }

    /// Received rows, at least one; empty at the end.
    func takeCopyData() async throws(PostgresError) -> [[UInt8]] {
        var rows: [[UInt8]] = []
        while rows.count < Self.copyRowsAtATime {
            guard let connection else { throw closeError ?? .lost("not connected") }
            var pointer: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(connection, &pointer, 1)
            if let pointer {
                rows.append(Array(UnsafeRawBufferPointer(start: pointer, count: Int(count))))
                PQfreemem(pointer)
            } else if count == 0 {
                guard rows.isEmpty else { return rows }
                await waitForSocket(.read)
                try consumeExclusive()
            } else {
                // -1 is the end; -2 is an error, which the results contain.
                isCopyOutAtEnd = true
                return rows
            }
        }
        return rows
    }

    static var copyRowsAtATime: Int { 256 }

    private func endCopyOut(_ sql: String) async -> PostgresError? {
        defer { isCopyOutAtEnd = false }
        let isCutShort = !isCopyOutAtEnd
        if isCutShort, let id = pipeline.sent.first?.id {
            stop(id, .cancelled)
            do throws(PostgresError) { try await dropCopyData() } catch { return error.withSQL(sql) }
        }
        let failure = await finishExclusive(sql)
        // A body that stops reading early is not an error.
        return isCutShort && failure?.kind == .cancelled ? nil : failure
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
