import EventLoop
import TestSupport
import Testing

@testable import Dispatcher

@Suite(.timeLimit(.minutes(5)))
struct WakeUpSignalTests {
    private static let long = Duration.seconds(3_600)

    @Test func aCallWakesAllWhoSleep() async throws {
        try await TestLoop.run { loop in
            let signal = WakeUpSignal(loop: loop)
            async let first: Void = signal.sleep(upTo: Self.long)
            async let second: Void = signal.sleep(upTo: Self.long)
            async let called: Void = signal.call()
            _ = await (first, second, called)
        }
    }

    @Test func eachSleepsItsOwnTime() async throws {
        try await TestLoop.run { loop in
            let signal = WakeUpSignal(loop: loop)
            let isAwake = Lock(false)
            async let long: Void = {
                await signal.sleep(upTo: Self.long)
                isAwake.withLock { $0 = true }
            }()
            async let short: Void = signal.sleep(upTo: .milliseconds(1))
            await short
            // A pause lets all that is awake run.
            await loop.pause(for: .milliseconds(1))
            #expect(!isAwake.withLock { $0 })
            signal.call()
            await long
        }
    }

    @Test func aCallBeforeTheSleepEndsOne() async throws {
        try await TestLoop.run { loop in
            let signal = WakeUpSignal(loop: loop)
            signal.call()
            await signal.sleep(upTo: Self.long)
            let began = MonotonicTime.now()
            await signal.sleep(upTo: .milliseconds(2))
            #expect(.now() - began >= .milliseconds(2))
        }
    }

    @Test func afterTheEndNobodySleeps() async throws {
        try await TestLoop.run { loop in
            let signal = WakeUpSignal(loop: loop)
            async let sleep: Void = signal.sleep(upTo: Self.long)
            async let end: Void = signal.end()
            _ = await (sleep, end)
            await signal.sleep(upTo: Self.long)
            await signal.sleep(upTo: Self.long)
        }
    }

    @Test func aPauseOutlastsItsTaskCancellation() async throws {
        try await TestLoop.run { loop in
            let began = MonotonicTime.now()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await loop.pause(for: .milliseconds(5)) }
                group.cancelAll()
            }
            #expect(.now() - began >= .milliseconds(5))
        }
    }
}
