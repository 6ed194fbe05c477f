import CPostgres
import EventLoop
import Glibc

/// A cancel request that is on its way to the server, or was and has not worked yet.
struct CancelRequest {
    /// The operation it is for.
    let target: UInt64
    var isUnderWay = true
    var isAnswered = false
}

// Deadlines and cancellation. libpq 15 can only cancel by a second, blocking connection, which a
// helper thread makes. The server cancels whatever it runs when the request arrives, so nothing
// new is sent meanwhile, and a neighbour that was hit is sent again.
extension PostgresConnection {
    /// A server that has not answered a cancel request for so long is given up, with its connection.
    static var cancelGrace: Duration { .seconds(5) }
    /// A request that met the server before the statement did is repeated after this.
    static var cancelRetryDelay: Duration { .milliseconds(50) }

    func stop(_ id: UInt64, _ reason: PostgresError.Kind) {
        if let operation = pipeline.withdraw(id) {
            return conclude(operation, .failure(.stopped(reason, sql: operation.sql)))
        }
        let isSent = pipeline.updateSent(id) { $0.stopReason = $0.stopReason ?? reason }
        if isSent { stopHeadIfAsked() }
    }

    /// Only the head can be running on the server; others are stopped when they get there.
    func stopHeadIfAsked() {
        guard cancelRequest == nil, let connection, let head = pipeline.sent.first, head.stopReason != nil,
            let last = pipeline.sent.last
        else { return }
        cancelRequest = CancelRequest(target: head.id)
        cancelRisk = max(last.id, cancelRisk)
        pipeline.isHeld = true
        giveUpLater(head.id)
        requestCancel(connection)
    }

    private func requestCancel(_ connection: OpaquePointer) {
        guard let handle = PQgetCancel(connection) else { return end(.lost("no cancel request could be made")) }
        let cancel = CancelHandle(pointer: handle)
        onHelperThread { [loop] in
            cancel.send()
            loop.perform { self.assumeIsolated { $0.cancelWasSent() } }
        }
    }

    private func cancelWasSent() {
        guard let request = cancelRequest else { return }
        cancelRequest?.isUnderWay = false
        guard !request.isAnswered else { return endCancelRequest() }
        _ = loop.schedule(after: Self.cancelRetryDelay) { [weak self] in
            self?.assumeIsolated { connection in
                guard let current = connection.cancelRequest, current.target == request.target,
                    !current.isUnderWay, !current.isAnswered, let libpq = connection.connection
                else { return }
                connection.cancelRequest?.isUnderWay = true
                connection.requestCancel(libpq)
            }
        }
    }

    func cancelTargetIsAnswered(_ id: UInt64) {
        guard cancelRequest?.target == id else { return }
        cancelRequest?.isAnswered = true
        if cancelRequest?.isUnderWay == false { endCancelRequest() }
    }

    private func endCancelRequest() {
        cancelRequest = nil
        pipeline.isHeld = false
        stopHeadIfAsked()
        sendWaiting()
    }

    /// How often a statement is sent again that another's cancel request hit.
    static var maximumRepeats: Int { 3 }

    /// Outside a transaction such a statement has done nothing, and runs again. Inside one, its
    /// transaction is the stopped statement's too.
    func wasHitByAnothersCancel(_ operation: Operation, _ error: PostgresError) -> Bool {
        error.sqlState == PostgresError.queryCancelled && operation.stopReason == nil && !isInTransaction
            && operation.id <= cancelRisk && operation.repeats < Self.maximumRepeats
    }

    /// libpq tells the transaction's state only when nothing is under way, so the tags are followed.
    func followTransaction(_ rows: PostgresRows) {
        guard rows.columnCount == 0 else { return }
        switch rows.tag {
        case "BEGIN", "START TRANSACTION": isInTransaction = true
        case "COMMIT", "PREPARE TRANSACTION": isInTransaction = false
        // ROLLBACK TO SAVEPOINT has the same tag.
        case "ROLLBACK": isInTransaction = isInTransaction && rows.sql.uppercased().contains(" TO ")
        default: break
        }
    }

    private func giveUpLater(_ id: UInt64) {
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
            reason, reason == .deadline ? "the statement's deadline has passed" : "the statement was cancelled",
            sqlState: queryCancelled, sql: sql)
    }

    /// The error of a statement that was asked to stop, if the stopping was the cause.
    func stopped(_ reason: Kind?) -> PostgresError {
        guard let reason, sqlState == Self.queryCancelled else { return self }
        return .stopped(reason, sql: sql)
    }
}

/// `@unchecked Sendable`: libpq makes a PGcancel for use on another thread, and only that one uses it.
private struct CancelHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    func send() {
        var message = [CChar](repeating: 0, count: 256)
        // A request that fails is repeated, and given up with the connection after the grace.
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
