import EventLoop

/// The flushes of one batch by its holder, as a value: what is stored, what is under way, and until
/// when the wire may be touched. It decides; the sender asks the database.
///
/// A flush whose answer was lost is neither repeated nor believed before the row was read again:
/// its number says whether it was stored, and owner and attempt whether the batch is still ours.
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

    /// What to do after the row was read again.
    enum Verdict: Equatable {
        case stored
        case flushAgain
        case lost
    }

    private(set) var phase = Phase.idle
    let attempt: Int32
    /// The number of the last flush that is stored.
    private(set) var stored: Int32
    /// When the last stored flush, or the claim, was begun: the lease counts from there at the latest.
    private(set) var leaseBegan: MonotonicTime
    private var begun: MonotonicTime
    /// The present number was sent before, and may still be stored late by that first statement.
    private var isRepeated = false

    init(attempt: Int32, flushSequence: Int32, claimBegan: MonotonicTime) {
        self.attempt = attempt
        stored = flushSequence
        leaseBegan = claimBegan
        begun = claimBegan
    }

    /// The number of the flush that may be sent now; nil when none may.
    mutating func begin(at now: MonotonicTime) -> Int32? {
        guard phase == .idle else { return nil }
        phase = .flushing
        if !isRepeated { begun = now }
        return stored + 1
    }

    /// The database answered: one row was written, or none.
    mutating func answered(isStored: Bool) -> Verdict {
        precondition(phase == .flushing, "an answer to no flush")
        guard isStored else {
            phase = .lost
            return .lost
        }
        return confirm()
    }

    /// The connection was lost before the answer came.
    mutating func interrupted() {
        precondition(phase == .flushing, "an interruption of no flush")
        phase = .ambiguous
    }

    /// The row, read again after an interruption. Nil: it is not there or not ours.
    mutating func reread(_ row: (attempt: Int32, flushSequence: Int32)?) -> Verdict {
        precondition(phase == .ambiguous, "nothing was in doubt")
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
        // Counted from the flush's begin: its lease cannot end before that plus the lease.
        leaseBegan = begun
        isRepeated = false
        phase = .idle
        return .stored
    }

    /// A push begun before this moment is answered, or given up, and its outcome can be stored while
    /// the lease still lasts.
    func mayTouchWireUntil(lease: Duration, requestDeadline: Duration, margin: Duration) -> MonotonicTime {
        leaseBegan + lease - requestDeadline - margin
    }
}
