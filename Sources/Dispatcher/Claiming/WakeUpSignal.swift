import EventLoop

/// Lets a work loop sleep until its next poll or until it is signalled.
///
/// `@unchecked Sendable`: touched on its loop only.
final class WakeUpSignal: @unchecked Sendable {
    private let loop: EventLoop
    private var isCalled = false
    private var isEnded = false
    private var sleeper = WaitingTasks()
    private var timer: EventLoop.Timer?

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// May be called from any thread. A call while nobody sleeps is remembered.
    func call() {
        loop.perform {
            self.isCalled = true
            self.wake()
        }
    }

    /// Ends the current sleep and all later ones.
    func end() {
        loop.perform {
            self.isEnded = true
            self.wake()
        }
    }

    func sleep(upTo duration: Duration) async {
        await withUnsafeContinuation { continuation in
            // Checked here, because the loop may have run other work before.
            guard !isCalled, !isEnded else { return continuation.resume() }
            sleeper.add(continuation)
            timer = loop.schedule(after: duration) { self.wake() }
        }
        isCalled = false
    }

    private func wake() {
        if let timer { loop.cancel(timer) }
        timer = nil
        sleeper.resumeAll()
    }
}
