import EventLoop
import TestSupport
import Testing

@testable import Application

@Suite struct RequestCoalescerTests {
    private struct Away: Error {}

    /// Tasks at the gate wait for `open`.
    private final class Gate: Sendable {
        private let state = Lock<(isOpen: Bool, waiting: [UnsafeContinuation<Void, Never>])>((false, []))

        func pass() async {
            await withUnsafeContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = state.withLock { state in
                defer { state = (true, []) }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    @Test func concurrentRequestsShareAGroupAndGetTheirOwnAnswers() async throws {
        let loop = try EventLoop(name: "gathered")
        defer { loop.stop() }
        let gate = Gate()
        let sizes = Lock<[Int]>([])
        let gathered = RequestCoalescer<Int, Int>(maximumConcurrentGroups: 2, groupSize: 5, on: loop) { numbers in
            sizes.withLock { $0.append(numbers.count) }
            if numbers.count == 1 { await gate.pass() }
            return numbers.map { $0 * 10 }
        }
        let answers = try await withTaskExecutorPreference(loop) {
            try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for number in 0..<12 { group.addTask { (number, try await gathered.submit(number)) } }
                // Two began; the others cannot.
                while sizes.withLock({ $0.count }) < 2 { await Task.yield() }
                gate.open()
                return try await group.reduce(into: [Int: Int]()) { $0[$1.0] = $1.1 }
            }
        }
        #expect(answers == Dictionary(uniqueKeysWithValues: (0..<12).map { ($0, $0 * 10) }))
        #expect(sizes.withLock { $0.reduce(0, +) } == 12 && sizes.withLock { $0.max() } == 5)
    }

    @Test func failureAffectsTheGroupAndTheNextGroupContinues() async throws {
        let loop = try EventLoop(name: "gathered")
        defer { loop.stop() }
        let isAway = Lock(true)
        let gathered = RequestCoalescer<Int, Int>(maximumConcurrentGroups: 1, groupSize: 100, on: loop) { numbers in
            if isAway.withLock({ $0 }) { throw Away() }
            return numbers
        }
        try await withTaskExecutorPreference(loop) {
            let failed = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<5 {
                    group.addTask {
                        do {
                            _ = try await gathered.submit(number)
                            return false
                        } catch {
                            return true
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(failed == 5)
            isAway.withLock { $0 = false }
            let answer = try await gathered.submit(7)
            #expect(answer == 7)
        }
    }

    @Test func spacedGroupsIncludeRequestsThatArriveMeanwhile() async throws {
        let loop = try EventLoop(name: "spaced")
        defer { loop.stop() }
        let sizes = Lock<[Int]>([])
        let commit = GroupCommit<Int, Int>(
            limits: GroupLimits(
                groupWeight: 100, maximumQueuedWeight: 100, maximumConcurrentGroups: 1, spacing: .seconds(2)),
            on: loop
        ) { numbers in
            sizes.withLock { $0.append(numbers.count) }
            return numbers
        }
        await withTaskExecutorPreference(loop) {
            async let running: Void = commit.run()
            let answers = try? await withThrowingTaskGroup(of: Int.self) { group in
                // One begins at once; these come one by one while it rests.
                group.addTask { try await commit.submit(0) }
                while sizes.withLock({ $0.isEmpty }) { await Task.yield() }
                for number in 1..<10 {
                    group.addTask { try await commit.submit(number) }
                    await Task.yield()
                }
                return try await group.reduce(0, +)
            }
            #expect(answers == 45)
            commit.stop()
            await running
        }
        #expect(sizes.withLock { $0 } == [1, 9])
    }
}
