extension EventLoop {
    /// Returns after `duration`, or throws `CancellationError` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        let waiter = Waiter(loop: self)
        let outcome = await waiter.wait { waiter in
            waiter.timer = self.schedule(after: duration) { waiter.end(.timedOut) }
        }
        if outcome == .cancelled { throw CancellationError() }
    }

    /// Waits until the descriptor is ready for `interest`. Throws ETIMEDOUT after `timeout`, and
    /// ECANCELED when the task is cancelled.
    public func waitUntilReady(
        _ descriptor: Int32, for interest: Interest, timeout: Duration, operation: String
    ) async throws(SystemError) {
        let waiter = Waiter(loop: self)
        let outcome = await waiter.wait { waiter in
            waiter.timer = self.schedule(after: timeout) { waiter.end(.timedOut) }
            let watch = self.watch(descriptor) { _ in waiter.end(.ready) }
            watch.interest = interest
            waiter.watch = watch
        }
        try outcome.check(operation)
    }

    /// Waits until the closure that `start` gets is called, from any thread. Throws ETIMEDOUT after `timeout`, and
    /// ECANCELED when the task is cancelled; a later call does nothing. `start` is called on the loop, but not if the
    /// task was cancelled before.
    func waitForCall(
        timeout: Duration, operation: String, _ start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) async throws(SystemError) {
        let waiter = Waiter(loop: self)
        let outcome = await waiter.wait { waiter in
            waiter.timer = self.schedule(after: timeout) { waiter.end(.timedOut) }
            start { self.perform { waiter.end(.ready) } }
        }
        try outcome.check(operation)
    }
}

/// One wait for a timer, a descriptor, a call or the task's cancellation, whichever comes first.
///
/// `@unchecked Sendable`: after `init` it is touched on its loop only.
private final class Waiter: @unchecked Sendable {
    enum Outcome {
        case ready, timedOut, cancelled

        func check(_ operation: String) throws(SystemError) {
            switch self {
            case .ready: return
            case .timedOut: throw .timedOut(operation)
            case .cancelled: throw .cancelled(operation)
            }
        }
    }

    private let loop: EventLoop
    private var continuation: UnsafeContinuation<Outcome, Never>?
    private var isCancelled = false
    var timer: EventLoop.Timer?
    var watch: Watch?

    init(loop: EventLoop) {
        self.loop = loop
    }

    func wait(_ start: @escaping @Sendable (Waiter) -> Void) async -> Outcome {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                loop.perform {
                    self.continuation = continuation
                    // A task that was cancelled before has called `onCancel` already.
                    if self.isCancelled { self.end(.cancelled) } else { start(self) }
                }
            }
        } onCancel: {
            loop.perform {
                self.isCancelled = true
                self.end(.cancelled)
            }
        }
    }

    func end(_ outcome: Outcome) {
        guard let continuation else { return }
        self.continuation = nil
        if let timer { loop.cancel(timer) }
        watch?.cancel()
        continuation.resume(returning: outcome)
    }
}
