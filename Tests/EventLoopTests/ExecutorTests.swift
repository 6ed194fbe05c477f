import EventLoop
import Glibc
import Testing

private actor Pinned {
    let loop: EventLoop
    private var total = 0
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: EventLoop) { self.loop = loop }

    func add() { total += 1 }

    /// Suspends in every possible way, and checks after each that the task is still on the loop.
    func suspendInEveryWay(resumedBy other: EventLoop) async throws {
        let home = pthread_self()
        func isHome() -> Bool { loop.isCurrent && pthread_equal(home, pthread_self()) != 0 }

        await Task.yield()
        #expect(isHome())

        await withCheckedContinuation { continuation in other.perform { continuation.resume() } }
        #expect(isHome())

        await withCheckedContinuation { continuation in
            _ = loop.schedule(after: .milliseconds(1)) { continuation.resume() }
        }
        #expect(isHome())

        async let child = nonisolatedChild()
        #expect(isHome())
        #expect(await child)
        #expect(isHome())

        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { await self.nonisolatedChild() } }
            for await stayed in group {
                #expect(stayed)
                #expect(isHome())
            }
        }
        #expect(isHome())

        try await loop.sleep(for: .milliseconds(1))
        #expect(isHome())

        await Elsewhere().suspend()
        #expect(isHome())

        await withTaskExecutorPreference(other) { #expect(other.isCurrent) }
        #expect(isHome())
    }

    nonisolated func nonisolatedChild() async -> Bool {
        let before = loop.isCurrent
        await Task.yield()
        await add()
        return before && loop.isCurrent
    }
}

/// An actor without its own executor; it runs on its caller's preferred one.
private actor Elsewhere {
    func suspend() async { await Task.yield() }
}

@Suite(.timeLimit(.minutes(10)))
struct ExecutorTests {
    @Test func aPinnedActorInATaskThatPrefersItsLoopNeverLeavesTheThread() async throws {
        try await withLoop { loop in
            try await withLoop("other") { other in
                try await withTaskExecutorPreference(loop) {
                    let actor = Pinned(loop)
                    for _ in 0..<50 { try await actor.suspendInEveryWay(resumedBy: other) }
                    #expect(loop.isCurrent)
                }
            }
        }
    }

    @Test func aPinnedActorIsOnItsLoopEvenForATaskWithoutPreference() async throws {
        let loop = try EventLoop(name: "pinned")
        defer { loop.stop() }
        let other = try EventLoop(name: "other")
        defer { other.stop() }
        try await Pinned(loop).suspendWithoutPreference(resumedBy: other)
    }

    @Test func assumeIsolatedHoldsInCallbacksOfTheLoop() async throws {
        try await withLoop { loop in
            let (near, far) = try Socket.pair()
            let actor = Pinned(loop)
            let tally = Tally()
            let watch = loop.watch(near.descriptor) { _ in
                actor.assumeIsolated { _ in tally.add() }
            }
            watch.interest = .write
            await tally.reaches(1)
            watch.cancel()
            _ = loop.schedule(after: .zero) { actor.assumeIsolated { _ in tally.add() } }
            await tally.reaches(2)
            await withTaskExecutorPreference(globalConcurrentExecutor) {
                await Task.yield()
                loop.perform { actor.assumeIsolated { _ in tally.add() } }
            }
            await tally.reaches(3)
            near.close()
            far.close()
        }
    }

    @Test func performKeepsTheOrderOfEachThread() async throws {
        let seen = try await withLoop { loop in
            let senders = try EventLoopGroup(count: 4, name: "sender")
            defer { senders.stop() }
            let seen = Lock<[(sender: Int, number: Int)]>([])
            let tally = Tally()
            for (sender, thread) in senders.loops.enumerated() {
                thread.perform {
                    for number in 0..<2_000 {
                        loop.perform {
                            seen.withLock { $0.append((sender, number)) }
                            tally.add()
                        }
                    }
                }
            }
            await tally.reaches(8_000)
            return seen.withLock { $0 }
        }

        for sender in 0..<4 {
            #expect(seen.filter { $0.sender == sender }.map(\.number) == Array(0..<2_000))
        }
    }

    @Test func performOnTheLoopRunsImmediately() async throws {
        try await withLoop { loop in
            let tally = Tally()
            loop.perform { tally.add() }
            #expect(tally.count == 1)
        }
    }

    @Test func workFromOtherThreadsWakesTheLoop() async throws {
        let loop = try EventLoop(name: "sleeper")
        defer { loop.stop() }
        for number in 0..<2_000 {
            #expect(await loop.ask { number } == number)
            #expect(await withTaskExecutorPreference(loop) { loop.isCurrent })
            #expect(!loop.isCurrent)
        }
    }

    @Test func aBusyLoopStillServesTimersAndDescriptors() async throws {
        try await withLoop { loop in
            let (near, far) = try Socket.pair()
            let isDone = Tally()
            await withTaskGroup { group in
                group.addTask { while isDone.count == 0 { await Task.yield() } }
                group.addTask {
                    let served = Tally()
                    _ = loop.schedule(after: .milliseconds(1)) { served.add() }
                    let watch = loop.watch(near.descriptor) { _ in served.add() }
                    watch.interest = .write
                    await served.reaches(5)
                    watch.cancel()
                    isDone.add()
                }
            }
            near.close()
            far.close()
        }
    }

    @Test func twentyTwoLoopsPassABatonAround() async throws {
        let group = try EventLoopGroup(count: 22, name: "ring")
        defer { group.stop() }
        let loops = group.loops

        let wrongPlaces = await withTaskGroup { tasks in
            for start in loops.indices {
                tasks.addTask {
                    var wrongPlaces = 0
                    for step in 0..<200 {
                        let loop = loops[(start + step) % loops.count]
                        let next = loops[(start + step + 1) % loops.count]
                        wrongPlaces += await withTaskExecutorPreference(loop) {
                            await withCheckedContinuation { baton in next.perform { baton.resume() } }
                            return loop.isCurrent ? 0 : 1
                        }
                    }
                    return wrongPlaces
                }
            }
            return await tasks.reduce(0, +)
        }

        #expect(wrongPlaces == 0)
    }

    @Test func aGroupHandsItsLoopsOutInTurn() throws {
        let group = try EventLoopGroup(count: 3, name: "turn")
        defer { group.stop() }
        #expect((0..<6).map { _ in group.next().name } == ["turn-0", "turn-1", "turn-2", "turn-0", "turn-1", "turn-2"])
    }
}

extension Pinned {
    fileprivate func suspendWithoutPreference(resumedBy other: EventLoop) async throws {
        for _ in 0..<100 {
            await withCheckedContinuation { continuation in other.perform { continuation.resume() } }
            #expect(loop.isCurrent)
            await Task.yield()
            #expect(loop.isCurrent)
        }
        try await loop.sleep(for: .milliseconds(1))
        #expect(loop.isCurrent)
    }
}
