import EventLoop
import Glibc
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LoopShutdownTests {
    @Test func stopEndsTheThread() async throws {
        let group = try EventLoopGroup(count: 5, name: "short-lived")
        for number in 0..<5 { #expect(threads(named: "short-lived-\(number)") == 1) }

        group.stop()

        for number in 0..<5 {
            #expect(await eventually { threads(named: "short-lived-\(number)") == 0 })
        }
    }

    @Test func workSubmittedBeforeStopRuns() async throws {
        let loop = try EventLoop(name: "last-orders")
        let count = Lock(0)
        await withCheckedContinuation { continuation in
            for _ in 0..<100 { loop.perform { count.withLock { $0 += 1 } } }
            loop.perform { continuation.resume() }
            loop.stop()
        }
        #expect(count.withLock { $0 } == 100)
    }

    @Test func aStoppedLoopIsFreedDespitePendingWaits() async throws {
        let before = entries("/proc/self/fd").count
        for _ in 0..<200 {
            weak var remains: EventLoop?
            do {
                let loop = try EventLoop(name: "leaver")
                remains = loop
                await loop.ask {
                    _ = loop.schedule(after: .seconds(600)) { _ = loop.name }
                    _ = loop.watch(0) { _ in _ = loop.name }
                }
                loop.stop()
            }
            try #require(await eventually { remains == nil })
        }
        // Two descriptors each would be 400; other tests run meanwhile.
        #expect(entries("/proc/self/fd").count < before + 200)
    }

    /// A watch and a timer of something that is freed with the loop, as connections are that wait for an answer.
    private final class Held {
        private let loop: EventLoop
        private let watch: Watch
        private let timer: EventLoop.Timer

        init(_ loop: EventLoop) {
            self.loop = loop
            watch = loop.watch(0) { _ in }
            timer = loop.schedule(after: .seconds(600)) {}
        }

        deinit {
            watch.cancel()
            loop.cancel(timer)
        }
    }

    @Test func whatIsFreedWithALoopCanCancelItsWatchesAndTimers() async throws {
        weak var remains: EventLoop?
        do {
            let loop = try EventLoop(name: "will")
            remains = loop
            await loop.ask {
                let (byTimer, byWatch) = (Held(loop), Held(loop))
                _ = loop.schedule(after: .seconds(600)) { withExtendedLifetime(byTimer) {} }
                _ = loop.watch(0) { _ in withExtendedLifetime(byWatch) {} }
            }
            loop.stop()
        }
        #expect(await eventually { remains == nil })
    }

    /// The C library gives the id of a thread that has ended to one of the next.
    @Test func aStoppedLoopIsCurrentOnNoLaterThread() async throws {
        let stopped = try EventLoop(name: "was-here")
        let id = await stopped.ask { pthread_self() }
        stopped.stop()
        #expect(await eventually { threads(named: "was-here") == 0 })

        for _ in 0..<50 {
            let loop = try EventLoop(name: "heir")
            let (heir, isFooled) = await loop.ask { (pthread_self(), stopped.isCurrent) }
            loop.stop()
            #expect(!isFooled)
            if heir == id { break }
        }
        #expect(stopped.processorTime() == .zero)
    }
}
