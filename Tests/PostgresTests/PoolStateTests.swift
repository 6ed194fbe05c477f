import Testing

@testable import EventLoop
@testable import Postgres

@Suite struct PoolStateTests {
    let now = MonotonicTime(nanoseconds: 1_000_000_000)

    func filled(limit: Int = 2, waiters: Int = 2) -> PoolState<String> {
        PoolState(limit: limit, waiterLimit: waiters, backoff: Backoff(first: .seconds(1), longest: .seconds(4)))
    }

    @Test func slotsFillThenCallersWaitThenAreRejected() {
        var state = filled()
        for waiter in 0..<2 {
            guard case .connect = state.lease(UInt64(waiter), now: now) else { return fail() }
        }
        for waiter in 2..<4 {
            guard case .wait = state.lease(UInt64(waiter), now: now) else { return fail() }
        }
        guard case .refuse = state.lease(4, now: now) else { return fail() }
    }

    @Test func connectionPassesToTheLongestWaiter() {
        var state = filled(limit: 1)
        _ = state.lease(0, now: now)
        _ = state.lease(1, now: now)
        _ = state.lease(2, now: now)
        guard case .use(1, "c") = state.release("c", now: now) else { return fail() }
        guard case .connect(2, _) = state.slotIsFree() else { return fail() }
        guard case .nothing = state.release("d", now: now) else { return fail() }
        #expect(state.idleCount == 1 && state.busy == 0)
        guard case .use("d", idleFor: .seconds(3)) = state.lease(3, now: now + .seconds(3)) else { return fail() }
    }

    @Test func withdrawnWaiterIsSkipped() {
        var state = filled(limit: 1)
        _ = state.lease(0, now: now)
        _ = state.lease(1, now: now)
        _ = state.lease(2, now: now)
        let wasWaiting = [state.withdraw(1), state.withdraw(1)]
        #expect(wasWaiting == [true, false])
        guard case .use(2, "c") = state.release("c", now: now) else { return fail() }
    }

    @Test func failuresTogetherCountOnceAndSuccessForgetsThem() {
        var state = filled(limit: 3)
        state.connectFailed(now: now)
        let first = state.nextAttempt
        #expect(first > now && first <= now + .seconds(1))
        state.connectFailed(now: now)
        #expect(state.nextAttempt == first)
        state.connectFailed(now: first)
        #expect(state.nextAttempt >= first + .seconds(1))
        state.connected()
        #expect(state.nextAttempt <= now)
    }

    @Test func closedPoolRefuses() {
        var state = filled(limit: 1)
        _ = state.lease(0, now: now)
        _ = state.lease(1, now: now)
        let refused = state.close().waiters
        #expect(refused == [1])
        guard case .refuse = state.lease(2, now: now) else { return fail() }
    }

    private func fail() { Issue.record("another decision") }
}
