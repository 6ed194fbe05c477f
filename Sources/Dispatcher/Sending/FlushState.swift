import EventLoop

/// The flushes of one batch by its holder: which one is stored, which one is in progress, and until when pushes may be
/// sent. A value: it makes the decisions, and the sender runs the queries.
///
/// When the answer to a flush was lost, the row is read again before anything else: its sequence number tells whether
/// the flush was stored, and its owner and attempt tell whether this process still holds the batch.
struct FlushState: Equatable {
    enum Phase: Equatable {
        case idle
        /// Sent to the database, not answered.
        case flushing
        /// The answer was lost.
        case ambiguous
        /// Another process holds the batch, or it is gone. Nothing may be written or sent.
        case lost
    }

    /// The result of a flush, and what to do next.
    enum Verdict: Equatable {
        case stored
        case flushAgain
        case lost
    }

    private(set) var phase = Phase.idle
    let attempt: Int32
    /// The number of the last flush that is stored.
    private(set) var stored: Int32
    /// Began with the last stored flush, or with the claim.
    private(set) var lease: Lease
    private var begun: MonotonicTime
    /// The current number was sent before, and that first statement may still store it.
    private var isRepeated = false

    init(attempt: Int32, flushSequence: Int32, claimBegan: MonotonicTime) {
        self.attempt = attempt
        stored = flushSequence
        lease = Lease(began: claimBegan)
        begun = claimBegan
    }

    /// The number of the flush that may be sent now; nil when none may be sent.
    mutating func begin(at now: MonotonicTime) -> Int32? {
        guard phase == .idle else { return nil }
        phase = .flushing
        if !isRepeated { begun = now }
        return stored + 1
    }

    /// The database answered: one row was written, or none.
    mutating func answered(isStored: Bool) -> Verdict {
        precondition(phase == .flushing, "no flush was in progress")
        guard isStored else {
            phase = .lost
            return .lost
        }
        return confirm()
    }

    /// The connection was lost before the answer came.
    mutating func interrupted() {
        precondition(phase == .flushing, "no flush was in progress")
        phase = .ambiguous
    }

    /// The row, read again after an interruption. Nil when it doesn't exist or another process holds it.
    mutating func reread(_ row: (attempt: Int32, flushSequence: Int32)?) -> Verdict {
        precondition(phase == .ambiguous, "no flush was ambiguous")
        guard let row, row.attempt == attempt else {
            phase = .lost
            return .lost
        }
        switch row.flushSequence {
        case stored + 1: return confirm()
        case stored:
            phase = .idle
            isRepeated = true
            return .flushAgain
        default:
            phase = .lost
            return .lost
        }
    }

    private mutating func confirm() -> Verdict {
        stored += 1
        lease.renewed(at: begun)
        isRepeated = false
        phase = .idle
        return .stored
    }
}
