import EventLoop
import Glibc
import Testing

@Suite(.timeLimit(.minutes(10)))
struct WatchTests {
    private static func withPair<Result: Sendable>(
        _ body: @concurrent @Sendable (EventLoop, Socket, Socket) async throws -> Result
    ) async throws -> Result {
        try await withLoop { loop in
            let (near, far) = try Socket.pair()
            defer { near.close() }
            return try await body(loop, near, far)
        }
    }

    private static func send(_ text: String, on socket: Socket) throws {
        let sent = try Array(text.utf8).withUnsafeBytes { bytes in try socket.write(bytes) }
        #expect(sent == .bytes(text.utf8.count))
    }

    @Test func anArmedWatchIsCalledUntilTheSocketIsEmpty() async throws {
        try await Self.withPair { loop, near, far in
            let calls = Tally()
            let watch = loop.watch(near.descriptor) { ready in
                #expect(ready == .read)
                calls.add()
            }
            watch.interest = .read
            await loop.turns(3)
            #expect(calls.count == 0)

            try Self.send("x", on: far)
            await calls.reaches(3)
            var byte: UInt8 = 0
            #expect(try withUnsafeMutableBytes(of: &byte) { try near.read(into: $0) } == .bytes(1))
            let count = calls.count
            await loop.turns(3)

            #expect(calls.count == count)
            watch.cancel()
            far.close()
        }
    }

    @Test func aDisarmedWatchIsSilentUntilItIsArmedAgain() async throws {
        try await Self.withPair { loop, near, far in
            let calls = Tally()
            let watch = loop.watch(near.descriptor) { _ in calls.add() }
            try Self.send("x", on: far)
            await loop.turns(3)
            #expect(calls.count == 0)

            watch.interest = .read
            await calls.reaches(1)
            watch.interest = []
            let count = calls.count
            await loop.turns(3)
            #expect(calls.count == count)

            watch.interest = .read
            await calls.reaches(count + 1)
            watch.cancel()
            watch.interest = .read
            let last = calls.count
            await loop.turns(3)
            #expect(calls.count == last)
            far.close()
        }
    }

    @Test func onlyRequestedEventsAreReported() async throws {
        try await Self.withPair { loop, near, far in
            try Self.send("x", on: far)
            let calls = Tally()
            let expected = Lock(Interest.write)
            let watch = loop.watch(near.descriptor) { ready in
                #expect(ready == expected.withLock { $0 })
                calls.add()
            }
            watch.interest = .write
            await calls.reaches(2)
            expected.withLock { $0 = [.read, .write] }
            watch.interest = [.read, .write]
            await calls.reaches(4)
            expected.withLock { $0 = .read }
            watch.interest = .read
            await calls.reaches(6)
            watch.cancel()
            far.close()
        }
    }

    /// Both are ready in one round; the first to be called cancels the other, closes its descriptor
    /// and gives its slot and its number to a third, which is not ready.
    @Test func anEventOfACancelledWatchDoesNotReachItsSuccessor() async throws {
        try await withLoop { loop in
            var pairs = [try Socket.pair(), try Socket.pair()]
            let box = Lock<[(near: Socket, watch: Watch)]>([])
            let calls = Tally()
            let strays = Tally()
            let replaced = Lock<(near: Socket, far: Socket, watch: Watch, isReused: Bool)?>(nil)
            for (index, pair) in pairs.enumerated() {
                try Self.send("x", on: pair.1)
                let watch = loop.watch(pair.0.descriptor) { _ in
                    calls.add()
                    let watches = box.withLock { $0 }
                    let other = watches[1 - index]
                    other.watch.cancel()
                    other.near.close()
                    watches[index].watch.interest = []
                    do {
                        let (near, far) = try Socket.pair()
                        let successor = loop.watch(near.descriptor) { _ in strays.add() }
                        successor.interest = .read
                        let isReused = near.descriptor == other.near.descriptor
                        replaced.withLock { $0 = (near, far, successor, isReused) }
                    } catch {
                        Issue.record(error)
                    }
                }
                watch.interest = .read
                box.withLock { $0.append((pair.0, watch)) }
            }
            await calls.reaches(1)
            await loop.turns(3)

            #expect(calls.count == 1)
            #expect(strays.count == 0)
            let successor = try #require(replaced.withLock { $0 })
            try Self.send("y", on: successor.far)
            await strays.reaches(1)
            successor.watch.cancel()
            successor.near.close()
            successor.far.close()
            for (_, watch) in box.withLock({ $0 }) where !watch.interest.isEmpty { watch.cancel() }
            for pair in pairs { pair.1.close() }
            pairs.removeAll()
            box.withLock { $0.removeAll() }
        }
    }

    @Test func aHangUpIsReportedToArmedWatches() async throws {
        for interest in [Interest.read, .write] {
            try await Self.withPair { loop, near, far in
                if interest == .write { try Self.fill(near) }
                let calls = Tally()
                let watch = loop.watch(near.descriptor) { ready in
                    #expect(ready == interest)
                    calls.add()
                }
                watch.interest = interest
                far.close()
                await calls.reaches(1)
                watch.cancel()
            }
        }
    }

    @Test func aHangUpDoesNotSpinADisarmedWatch() async throws {
        try await Self.withPair { loop, near, far in
            let calls = Tally()
            let watch = loop.watch(near.descriptor) { _ in calls.add() }
            watch.interest = .write
            await calls.reaches(1)
            watch.interest = []
            far.close()
            let count = calls.count
            let before = loop.processorTime()
            try await loop.sleep(for: .milliseconds(200))

            #expect(calls.count == count)
            #expect(loop.processorTime() - before < .milliseconds(20))
            watch.cancel()
        }
    }

    @Test func waitingForADescriptorEndsByReadinessTimeoutOrCancellation() async throws {
        try await Self.withPair { loop, near, far in
            await #expect(throws: SystemError.timedOut("wait")) {
                try await loop.waitUntilReady(
                    near.descriptor, for: .read, timeout: .milliseconds(2), operation: "wait")
            }
            await withTaskGroup { group in
                group.addTask {
                    await #expect(throws: SystemError.cancelled("wait")) {
                        try await loop.waitUntilReady(
                            near.descriptor, for: .read, timeout: .seconds(600), operation: "wait")
                    }
                }
                await loop.turns(2)
                group.cancelAll()
            }
            try Self.send("x", on: far)
            try await loop.waitUntilReady(near.descriptor, for: .read, timeout: .seconds(60), operation: "wait")
            #expect(loop.isCurrent)
            far.close()
        }
    }

    /// Writes until the kernel takes no more.
    private static func fill(_ socket: Socket) throws {
        let block = [UInt8](repeating: 0, count: 64 * 1_024)
        while try block.withUnsafeBytes({ bytes in try socket.write(bytes) }) != .wouldBlock {}
    }
}
