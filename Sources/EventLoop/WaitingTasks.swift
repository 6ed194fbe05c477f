/// Tasks that wait for a change in the state of their owner, an actor or an object on one loop.
///
///     await withUnsafeContinuation { waiting.add($0) }
///
/// The owner of the state calls `resumeAll()` after a change. A value without a lock: only its owner touches it.
/// Resumed tasks run later, so the owner may go on changing its state.
public struct WaitingTasks {
    private var tasks: [UnsafeContinuation<Void, Never>] = []

    public init() {}

    public var isEmpty: Bool { tasks.isEmpty }

    public mutating func add(_ task: UnsafeContinuation<Void, Never>) { tasks.append(task) }

    /// Resumes the task that was added last, if any: for workers, of which one is enough.
    public mutating func resumeLast() { tasks.popLast()?.resume() }

    public mutating func resumeAll() {
        for task in tasks { task.resume() }
        tasks.removeAll(keepingCapacity: true)
    }
}
