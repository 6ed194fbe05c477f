import EventLoop

/// Lets tasks sleep, each until its own time or until they are signalled: a call wakes all of them.
///
/// `@unchecked Sendable`: touched on its loop only.
final class WakeUpSignal: @unchecked Sendable {
    private typealias Sleeper = (task: UnsafeContinuation<Void, Never>, timer: EventLoop.Timer)

    private let loop: EventLoop
    private var isCalled = false
    private var isEnded = false
    private var sleepers: [Int: Sleeper] = [:]
    private var lastNumber = 0

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// May be called from any thread. A call while nobody sleeps is remembered.
    func call() {
        loop.perform {
            self.isCalled = true
            self.wakeAll()
        }
    }

    /// Ends all sleeps, also later ones.
    func end() {
        loop.perform {
            self.isEnded = true
            self.wakeAll()
        }
    }

    func sleep(upTo duration: Duration) async {
        await withUnsafeContinuation { task in
            // Checked here, because the loop may have run other work before.
            guard !isCalled, !isEnded else { return task.resume() }
            lastNumber += 1
            let number = lastNumber
            sleepers[number] = (
                task, loop.schedule(after: duration) { self.sleepers.removeValue(forKey: number)?.task.resume() }
            )
        }
        isCalled = false
    }

    private func wakeAll() {
        for sleeper in sleepers.values {
            loop.cancel(sleeper.timer)
            sleeper.task.resume()
        }
        sleepers.removeAll(keepingCapacity: true)
    }
}

extension EventLoop {
    /// A pause that nothing ends early, not even the cancellation of the task: it keeps attempts apart. On the loop.
    func pause(for duration: Duration) async {
        await withUnsafeContinuation { task in _ = schedule(after: duration) { task.resume() } }
    }
}
