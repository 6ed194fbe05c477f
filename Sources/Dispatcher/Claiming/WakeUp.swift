import EventLoop

/// Lets a loop of work sleep until its next poll, or until somebody has something for it.
///
/// `@unchecked Sendable`: touched on its loop only.
final class WakeUp: @unchecked Sendable {
    private let loop: EventLoop
    private var isCalled = false
    private var isEnded = false
    private var sleeper: UnsafeContinuation<Void, Never>?
    private var timer: EventLoop.Timer?

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// From any thread. A call while nobody sleeps is not lost.
    func call() {
        loop.perform {
            self.isCalled = true
            self.wake()
        }
    }

    /// Nobody sleeps any more.
    func end() {
        loop.perform {
            self.isEnded = true
            self.wake()
        }
    }

    func sleep(upTo duration: Duration) async {
        await withUnsafeContinuation { continuation in
            // Looked at in here: before, a turn of the loop may have passed.
            guard !isCalled, !isEnded else { return continuation.resume() }
            sleeper = continuation
            timer = loop.schedule(after: duration) { self.wake() }
        }
        isCalled = false
    }

    private func wake() {
        if let timer { loop.cancel(timer) }
        timer = nil
        sleeper?.resume()
        sleeper = nil
    }
}
