/// Several loops, assigned round-robin.
public struct EventLoopGroup: Sendable {
    public let loops: [EventLoop]
    private let turn = Lock(0)

    /// `count` is at least 1; the loops are called "name-0", "name-1" and so on.
    public init(count: Int, name: String) throws(SystemError) {
        precondition(count >= 1, "a group needs at least one loop")
        var loops: [EventLoop] = []
        for index in 0..<count { loops.append(try EventLoop(name: "\(name)-\(index)")) }
        self.loops = loops
    }

    public func next() -> EventLoop {
        turn.withLock { turn in
            defer { turn = (turn + 1) % loops.count }
            return loops[turn]
        }
    }

    public func stop() {
        for loop in loops { loop.stop() }
    }
}
