import DequeModule

/// The queue of a connection's operations: sent ones, waiting ones, and which may be sent next.
///
/// Shared operations overlap: a later one is sent before the result of an earlier one. An exclusive one (COPY, a
/// script) runs alone. A value without a socket.
struct Pipeline<Operation: PipelineOperation> {
    /// The maximum number of sent operations.
    static var maximumSent: Int { 1_024 }
    /// The maximum number of waiting operations.
    static var maximumWaiting: Int { 16_384 }

    /// Sent operations, in the order of their results.
    private(set) var sent: Deque<Operation> = []
    private(set) var waiting: Deque<Operation> = []
    /// While set, nothing is sent: a cancel request is in flight and must not cancel a new statement.
    var isHeld = false

    var isFull: Bool { waiting.count >= Self.maximumWaiting }

    var isEmpty: Bool { sent.isEmpty && waiting.isEmpty }

    func allSatisfy(_ condition: (Operation) -> Bool) -> Bool {
        sent.allSatisfy(condition) && waiting.allSatisfy(condition)
    }

    mutating func enqueue(_ operation: Operation) {
        waiting.append(operation)
    }

    /// Inserts an operation that must be retried before all others.
    mutating func enqueueFirst(_ operation: Operation) {
        waiting.prepend(operation)
    }

    /// Moves the next operation that may be sent from `waiting` to `sent`.
    mutating func sendNext() -> Operation? {
        guard !isHeld, let next = waiting.first, sent.count < Self.maximumSent else { return nil }
        if let head = sent.first, next.isExclusive || head.isExclusive { return nil }
        waiting.removeFirst()
        sent.append(next)
        return next
    }

    mutating func updateHead(_ change: (inout Operation) -> Void) {
        change(&sent[sent.startIndex])
    }

    mutating func updateLast(_ change: (inout Operation) -> Void) {
        change(&sent[sent.endIndex - 1])
    }

    /// Returns whether the operation was sent and has no result yet.
    mutating func updateSent(_ id: UInt64, _ change: (inout Operation) -> Void) -> Bool {
        guard let index = sent.firstIndex(where: { $0.id == id }) else { return false }
        change(&sent[index])
        return true
    }

    /// Removes the operation that is complete.
    mutating func finishHead() -> Operation? { sent.popFirst() }

    /// Removes an operation that was not sent.
    mutating func withdraw(_ id: UInt64) -> Operation? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        return waiting.remove(at: index)
    }

    /// Removes all operations, in order.
    mutating func removeAll() -> [Operation] {
        // Not `Array(sent)`: an array made of an empty deque writes to the storage that all empty arrays
        // share, and the thread sanitizer takes that for a race.
        var all: [Operation] = []
        while let operation = sent.popFirst() ?? waiting.popFirst() { all.append(operation) }
        return all
    }
}

protocol PipelineOperation {
    var id: UInt64 { get }
    var isExclusive: Bool { get }
}
