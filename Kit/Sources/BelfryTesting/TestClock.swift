import BelfryCore
import Foundation

/// A clock that a test sets. A wait ends when the client is asked again, or when its time is advanced past it.
public final class TestClock: ClientClock {
    private struct State {
        var now: Date
        var sleepers: [(until: Date, id: Int, wake: CheckedContinuation<Void, any Error>)] = []
        var next = 0
    }

    private let state: Guarded<State>
    /// The waits, as they begin, in seconds.
    public let waits: AsyncStream<TimeInterval>
    private let began: AsyncStream<TimeInterval>.Continuation

    /// The clock stands until `advance`.
    public init(_ now: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        state = Guarded(State(now: now))
        (waits, began) = AsyncStream.makeStream()
    }

    public var now: Date { state.withLock { $0.now } }

    /// Sets the clock, and ends the waits that are over then.
    public func advance(_ seconds: TimeInterval) {
        let woken = state.withLock { state in
            state.now.addTimeInterval(seconds)
            let now = state.now
            let woken = state.sleepers.filter { $0.until <= now }
            state.sleepers.removeAll { $0.until <= now }
            return woken.map(\.wake)
        }
        for each in woken { each.resume() }
    }

    public func sleep(seconds: TimeInterval) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = Task.isCancelled
                if !isCancelled {
                    state.withLock { $0.sleepers.append(($0.now.addingTimeInterval(seconds), id, continuation)) }
                    began.yield(seconds)
                } else {
                    continuation.resume(throwing: CancellationError())
                }
                // The cancellation may have come before the wait was there.
                if !isCancelled, Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        let cancelled = state.withLock { state in
            let found = state.sleepers.first { $0.id == id }
            state.sleepers.removeAll { $0.id == id }
            return found?.wake
        }
        cancelled?.resume(throwing: CancellationError())
    }
}
