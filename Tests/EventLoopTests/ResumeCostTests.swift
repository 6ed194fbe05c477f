import EventLoop
import Testing

/// Two tasks that resume each other in turn: each resumes the other and waits.
private actor Baton {
    private let loop: EventLoop
    private var waiting: UnsafeContinuation<Void, Never>?
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: EventLoop) { self.loop = loop }

    /// Passes the baton in blocks. Returns the cost of a resume in each block.
    func pass(_ rounds: Int, blocks: Int) async -> [Duration] {
        var costs: [Duration] = []
        for _ in 0..<blocks {
            let before = loop.processorTime()
            for _ in 0..<rounds / blocks {
                await withUnsafeContinuation { mine in
                    let other = waiting
                    waiting = mine
                    other?.resume()
                }
            }
            // A pass resumes the other task, and is resumed by it.
            costs.append((loop.processorTime() - before) / (2 * rounds / blocks))
            #expect(loop.isCurrent)
        }
        waiting?.resume()
        waiting = nil
        return costs
    }
}

struct ResumeCostTests {
    #if DEBUG
        private static let rounds = 20_000
    #else
        private static let rounds = 200_000
    #endif
    private static let blocks = 20

    @Test func aResumeStaysOnTheLoopAndIsCheap() async throws {
        let costs = try await withLoop { loop in
            let baton = Baton(loop)
            async let other = baton.pass(Self.rounds, blocks: Self.blocks)
            let costs = await baton.pass(Self.rounds, blocks: Self.blocks)
            _ = await other
            return costs.sorted()
        }

        let median = costs[costs.count / 2]
        print("a resume on its own loop costs \(median) of processor time (median)")
        #if !DEBUG
            #expect(median < .microseconds(3))
        #endif
    }
}
