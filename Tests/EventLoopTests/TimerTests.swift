import EventLoop
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TimerTests {
    @Test func timersFireInOrderAndNeverEarly() async throws {
        let fired = try await withLoop { loop in
            let fired = Lock<[(deadline: MonotonicTime, at: MonotonicTime)]>([])
            let tally = Tally()
            for _ in 0..<300 {
                let deadline = MonotonicTime.now() + .microseconds(Int.random(in: 0..<30_000))
                _ = loop.schedule(at: deadline) {
                    fired.withLock { $0.append((deadline, .now())) }
                    tally.add()
                }
            }
            await tally.reaches(300)
            return fired.withLock { $0 }
        }

        #expect(fired.allSatisfy { $0.at >= $0.deadline })
        #expect(zip(fired, fired.dropFirst()).allSatisfy { $0.deadline <= $1.deadline })
    }

    @Test func aCancelledTimerDoesNotFireAndCancellingAFiredOneIsHarmless() async throws {
        try await withLoop { loop in
            let cancelled = Tally()
            let timer = loop.schedule(after: .milliseconds(2)) { cancelled.add() }
            let fired = Tally()
            let other = loop.schedule(after: .milliseconds(4)) { fired.add() }
            loop.cancel(timer)
            await fired.reaches(1)
            loop.cancel(other)

            #expect(cancelled.count == 0)
        }
    }

    /// The deinit uses the queue that contained the body, so `cancel` must have finished its access by then.
    @Test func deinitOfACapturedObjectMayUseTheLoop() async throws {
        final class Owner {
            let loop: EventLoop
            let timer: EventLoop.Timer
            init(_ loop: EventLoop, _ timer: EventLoop.Timer) { (self.loop, self.timer) = (loop, timer) }
            func hold() {}
            deinit { loop.cancel(timer) }
        }
        try await withLoop { loop in
            let inner = loop.schedule(after: .seconds(60)) {}
            var owner: Owner? = Owner(loop, inner)
            let outer = loop.schedule(after: .seconds(60)) { [owner] in owner?.hold() }
            owner = nil
            loop.cancel(outer)
        }
    }

    @Test func sleepTakesItsTimeAndStaysOnTheLoop() async throws {
        try await withLoop { loop in
            let start = MonotonicTime.now()
            try await loop.sleep(for: .milliseconds(5))
            #expect(MonotonicTime.now() - start >= .milliseconds(5))
            #expect(loop.isCurrent)
            try await loop.sleep(for: .seconds(-1))
        }
    }

    @Test func sleepOfACancelledTaskThrowsImmediately() async throws {
        try await withLoop { loop in
            let start = MonotonicTime.now()
            await withTaskGroup { group in
                group.addTask {
                    withUnsafeCurrentTask { $0?.cancel() }
                    await #expect(throws: CancellationError.self) { try await loop.sleep(for: .seconds(600)) }
                    #expect(loop.isCurrent)
                }
            }
            #expect(MonotonicTime.now() - start < .seconds(60))
        }
    }

    @Test(arguments: [false, true])
    func sleepEndsWhenItsTaskIsCancelled(fromAnotherThread: Bool) async throws {
        try await withLoop { loop in
            let other = try EventLoop(name: "canceller")
            defer { other.stop() }
            await withTaskGroup { group in
                group.addTask {
                    await #expect(throws: CancellationError.self) { try await loop.sleep(for: .seconds(600)) }
                    #expect(loop.isCurrent)
                }
                await loop.turns(2)
                // A group is cancelled by the task that owns it: there, or after a hop elsewhere.
                if fromAnotherThread {
                    await withTaskExecutorPreference(other) {
                        await Task.yield()
                        group.cancelAll()
                    }
                } else {
                    group.cancelAll()
                }
            }
        }
    }

    @Test func cancellingAfterTheSleepChangesNothing() async throws {
        try await withLoop { loop in
            try await withThrowingTaskGroup(of: Void.self) { group in
                let slept = Tally()
                group.addTask {
                    try await loop.sleep(for: .milliseconds(1))
                    slept.add()
                    #expect(!Task.isCancelled)
                }
                await slept.reaches(1)
                group.cancelAll()
                try await group.waitForAll()
            }
            try await loop.sleep(for: .milliseconds(1))
        }
    }

    @Test func manySleepsAndCancellationsRaceWithoutALoss() async throws {
        try await withLoop { loop in
            for _ in 0..<200 {
                await withTaskExecutorPreference(globalConcurrentExecutor) {
                    await withTaskGroup { group in
                        for _ in 0..<4 {
                            group.addTask { try? await loop.sleep(for: .microseconds(Int.random(in: 0..<1_000))) }
                        }
                        group.cancelAll()
                    }
                }
            }
        }
    }
}
