import DequeModule

/// Decides which look-up gets a thread, and when a thread is needed. A value type: the resolver starts the threads.
struct LookUpQueue<Job> {
    /// Identifies a look-up until a thread takes it.
    struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
    }

    let maximumThreads: Int
    /// Threads that were started and have not ended.
    private(set) var running = 0
    private var waiting: Deque<(ticket: Ticket, job: Job)> = []
    private var lastNumber = 0

    init(maximumThreads: Int) {
        self.maximumThreads = maximumThreads
    }

    /// Adds a look-up. The caller starts a thread if `needsThread`.
    mutating func add(_ job: Job) -> (ticket: Ticket, needsThread: Bool) {
        lastNumber += 1
        let ticket = Ticket(number: lastNumber)
        waiting.append((ticket, job))
        guard running < maximumThreads else { return (ticket, false) }
        running += 1
        return (ticket, true)
    }

    /// The next look-up for a thread; nil if the thread has to end.
    mutating func next() -> Job? {
        if let first = waiting.popFirst() { return first.job }
        running -= 1
        return nil
    }

    /// Nobody waits for this look-up any more; if no thread has taken it, none will. Returns the number of threads that
    /// had no time for it, or nil if a thread has taken it or could still be started.
    mutating func abandon(_ ticket: Ticket) -> Int? {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        waiting.remove(at: index)
        return running < maximumThreads ? nil : running
    }

    /// A thread could not be started. Returns the look-ups that fail because no other thread would take them.
    mutating func threadFailed() -> [Job] {
        running -= 1
        guard running == 0 else { return [] }
        defer { waiting.removeAll() }
        return waiting.map(\.job)
    }
}
