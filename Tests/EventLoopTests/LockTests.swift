import EventLoop
import Testing

struct LockTests {
    @Test func noUpdateIsLostUnderContention() async throws {
        let threads = try EventLoopGroup(count: 8, name: "contender")
        defer { threads.stop() }
        let value = Lock((count: 0, sum: 0))
        await withTaskGroup { group in
            for thread in threads.loops {
                group.addTask(executorPreference: thread) {
                    for number in 0..<10_000 {
                        value.withLock {
                            $0.count += 1
                            $0.sum += number
                        }
                    }
                }
            }
        }
        #expect(value.withLock { $0 } == (80_000, 8 * 49_995_000))
    }

    @Test func anErrorInsideFreesTheLock() {
        struct Refusal: Error {}
        let value = Lock(1)
        #expect(throws: Refusal.self) {
            try value.withLock { value in
                value = 2
                throw Refusal()
            }
        }
        #expect(value.withLock { $0 } == 2)
    }
}
