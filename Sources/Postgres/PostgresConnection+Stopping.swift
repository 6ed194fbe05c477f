import CPostgres
import EventLoop
import Glibc

/// A cancel request that is being sent, or was sent and has not taken effect yet.
struct CancelRequest {
    /// The operation it is for.
    let target: UInt64
    var isInFlight = true
    var isAnswered = false
}

// Deadlines and cancellation. libpq 15 can only cancel over a second, blocking connection, which a
// helper thread opens. The server cancels the statement that runs when the request arrives, so no new statement is sent
// meanwhile, and another statement that was cancelled by mistake is retried.
extension PostgresConnection {
    /// The connection is closed if the server does not react to a cancel request within this time.
    static var cancelGrace: Duration { .seconds(5) }
    /// The delay before a cancel request that had no effect is repeated.
    static var cancelRetryDelay: Duration { .milliseconds(50) }

    func stop(_ id: UInt64, _ reason: PostgresError.Kind) {
        if let operation = pipeline.withdraw(id) {
            return conclude(operation, .failure(.stopped(reason, sql: operation.sql)))
        }
        let isSent = pipeline.updateSent(id) { $0.stopReason = $0.stopReason ?? reason }
        if isSent { cancelHeadIfRequested() }
    }

    /// Cancels the first operation if it must stop. Only the first can be running on the server; later ones are
    /// cancelled when they become the first.
    func cancelHeadIfRequested() {
        guard cancelRequest == nil, let connection, let head = pipeline.sent.first, head.stopReason != nil,
            let last = pipeline.sent.last
        else { return }
        cancelRequest = CancelRequest(target: head.id)
        lastIDAtRisk = max(last.id, lastIDAtRisk)
        pipeline.isHeld = true
        scheduleCancelTimeout(head.id)
        requestCancel(connection)
    }

    private func requestCancel(_ connection: OpaquePointer) {
        guard let handle = PQgetCancel(connection) else { return end(.lost("cannot create a cancel request")) }
        let cancel = CancelHandle(pointer: handle)
        onHelperThread { [loop] in
            cancel.send()
            loop.perform { self.assumeIsolated { $0.cancelWasSent() } }
        }
    }

    private func cancelWasSent() {
        guard let request = cancelRequest else { return }
        cancelRequest?.isInFlight = false
        guard !request.isAnswered else { return endCancelRequest() }
        _ = loop.schedule(after: Self.cancelRetryDelay) { [weak self] in
            self?.assumeIsolated { connection in
                guard let current = connection.cancelRequest, current.target == request.target,
                    !current.isInFlight, !current.isAnswered, let libpq = connection.connection
                else { return }
                connection.cancelRequest?.isInFlight = true
                connection.requestCancel(libpq)
            }
        }
    }

    func cancelTargetIsAnswered(_ id: UInt64) {
        guard cancelRequest?.target == id else { return }
        cancelRequest?.isAnswered = true
        if cancelRequest?.isInFlight == false { endCancelRequest() }
    }

    private func endCancelRequest() {
        cancelRequest = nil
        pipeline.isHeld = false
        cancelHeadIfRequested()
        sendWaiting()
    }

    /// The maximum number of times that a statement is retried after a cancel request for another statement cancelled
    /// it.
    static var maximumRetries: Int { 3 }

    /// Whether a cancel request for another statement cancelled this one and it can be retried. Outside a transaction
    /// it had no effect. Inside one, the stopped statement belongs to the same transaction.
    func wasCancelledByAnotherRequest(_ operation: Operation, _ error: PostgresError) -> Bool {
        error.sqlState == PostgresError.queryCancelled && operation.stopReason == nil && !isInTransaction
            && operation.id <= lastIDAtRisk && operation.retries < Self.maximumRetries
    }

    /// Tracks the transaction state by command tags, because libpq reports it only when no statement is running.
    func trackTransaction(_ rows: PostgresRows) {
        guard rows.columnCount == 0 else { return }
        switch rows.tag {
        case "BEGIN", "START TRANSACTION": isInTransaction = true
        case "COMMIT", "PREPARE TRANSACTION": isInTransaction = false
        // ROLLBACK TO SAVEPOINT has the same tag.
        case "ROLLBACK": isInTransaction = isInTransaction && rows.sql.uppercased().contains(" TO ")
        default: break
        }
    }

    private func scheduleCancelTimeout(_ id: UInt64) {
        _ = loop.schedule(after: Self.cancelGrace) { [weak self] in
            self?.assumeIsolated { connection in
                let isStuck = connection.pipeline.updateSent(id) { _ in } || connection.cancelRequest?.target == id
                if isStuck { connection.end(.lost("the server did not answer a cancel request")) }
            }
        }
    }
}

extension PostgresError {
    static func stopped(_ reason: Kind, sql: String?) -> PostgresError {
        PostgresError(
            reason, reason == .deadline ? "the statement exceeded its deadline" : "the statement was cancelled",
            sqlState: queryCancelled, sql: sql)
    }

    /// Returns the error with the reason of the stop, if the cancellation caused it.
    func stopped(_ reason: Kind?) -> PostgresError {
        guard let reason, sqlState == Self.queryCancelled else { return self }
        return .stopped(reason, sql: sql)
    }
}

/// `@unchecked Sendable`: a PGcancel may be used on another thread, and only one thread uses it.
private struct CancelHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    func send() {
        var message = [CChar](repeating: 0, count: 256)
        // A failed request is repeated until `cancelGrace` has passed; then the connection is closed.
        _ = PQcancel(pointer, &message, Int32(message.count))
        PQfreeCancel(pointer)
    }
}

/// Runs `body` on a thread of its own: at most one per connection at a time.
private func onHelperThread(_ body: @escaping @Sendable () -> Void) {
    let argument = Unmanaged.passRetained(ThreadBody(body: body))
    var thread = pthread_t()
    let status = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }, argument.toOpaque())
    guard status == 0 else {
        argument.release()
        return body()
    }
    pthread_detach(thread)
}

private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void
    init(body: @escaping @Sendable () -> Void) { self.body = body }
}
