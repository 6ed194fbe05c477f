import DequeModule

/// The order of a connection's operations: which are on the wire, which wait, and which may go next.
///
/// Shared operations overlap: a later one goes on the wire before the earlier one's answer. An
/// exclusive one (COPY, a script) goes alone. A value without a socket.
struct Pipeline<Operation: PipelineOperation> {
    /// Operations on the wire at a time.
    static var maximumSent: Int { 1_024 }
    /// Operations that wait for their turn.
    static var maximumWaiting: Int { 16_384 }

    /// Answered in this order.
    private(set) var sent: Deque<Operation> = []
    private(set) var waiting: Deque<Operation> = []
    /// While it is set nothing is sent: a cancel request is on its way and must not meet a new statement.
    var isHeld = false

    var isFull: Bool { waiting.count >= Self.maximumWaiting }

    var isEmpty: Bool { sent.isEmpty && waiting.isEmpty }

    func allSatisfy(_ condition: (Operation) -> Bool) -> Bool {
        sent.allSatisfy(condition) && waiting.allSatisfy(condition)
    }

    mutating func enqueue(_ operation: Operation) {
        waiting.append(operation)
    }

    /// Puts an operation that is to be sent again before all others.
    mutating func enqueueFirst(_ operation: Operation) {
        waiting.prepend(operation)
    }

    /// Moves the next operation that may go on the wire from `waiting` to `sent`.
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

    /// Returns whether the operation is on the wire.
    mutating func updateSent(_ id: UInt64, _ change: (inout Operation) -> Void) -> Bool {
        guard let index = sent.firstIndex(where: { $0.id == id }) else { return false }
        change(&sent[index])
        return true
    }

    /// Takes the operation that was answered.
    mutating func finishHead() -> Operation? { sent.popFirst() }

    /// Takes an operation that has not been sent.
    mutating func withdraw(_ id: UInt64) -> Operation? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        return waiting.remove(at: index)
    }

    /// Takes all, in their order.
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
