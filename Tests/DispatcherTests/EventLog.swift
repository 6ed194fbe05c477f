import Dispatcher
import EventLoop

/// The events of workers, to be waited for.
final class EventLog: Sendable {
    private struct Waiter {
        let isMet: @Sendable ([DispatchEvent]) -> Bool
        let continuation: UnsafeContinuation<Void, Never>
    }

    private let state = Lock<(events: [DispatchEvent], waiters: [Waiter])>(([], []))

    var events: [DispatchEvent] { state.withLock { $0.events } }

    func add(_ event: DispatchEvent) {
        let met = state.withLock { state in
            state.events.append(event)
            let met = state.waiters.filter { $0.isMet(state.events) }
            if !met.isEmpty { state.waiters.removeAll { $0.isMet(state.events) } }
            return met
        }
        for waiter in met { waiter.continuation.resume() }
    }

    func wait(until isMet: @escaping @Sendable ([DispatchEvent]) -> Bool) async {
        await withUnsafeContinuation { continuation in
            let isMetAlready = state.withLock { state in
                if isMet(state.events) { return true }
                state.waiters.append(Waiter(isMet: isMet, continuation: continuation))
                return false
            }
            if isMetAlready { continuation.resume() }
        }
    }

    func wait(for matches: @escaping @Sendable (DispatchEvent) -> Bool) async {
        await wait { $0.contains(where: matches) }
    }

    func count(where matches: (DispatchEvent) -> Bool) -> Int { events.count(where: matches) }
}

extension DispatchEvent {
    var isClaim: Bool { if case .claimed = self { true } else { false } }
    var isTakeOver: Bool { if case .tookOver = self { true } else { false } }
    var isRelease: Bool { if case .batchReleased = self { true } else { false } }
    var isLoss: Bool { if case .batchLost = self { true } else { false } }
    var isDone: Bool { if case .batchDone = self { true } else { false } }
    var isDeclaration: Bool { if case .windowDeclared = self { true } else { false } }
    var doubt: DatabaseTrust.Doubt? { if case .generationBegan(let doubt) = self { doubt } else { nil } }
    var isHold: Bool { if case .pausedAfterRestore = self { true } else { false } }
    var isFinish: Bool { if case .runFinished = self { true } else { false } }
    var isVerifiedFinish: Bool { if case .runFinished(_, isVerified: true) = self { true } else { false } }
}
