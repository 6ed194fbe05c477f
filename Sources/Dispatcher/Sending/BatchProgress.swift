import Campaigns

/// The outcomes of a batch's recipients so far, and the recipients still to be sent to. A value: the sender reports
/// events to it and stores its state.
struct BatchProgress: Equatable {
    private(set) var outcomes: [UInt8]
    /// Recipients below this index have been declared: they may be on the wire.
    private(set) var sentThrough: Int
    let policy: UnknownPolicy
    /// Below `sentThrough`, and still to be sent: requeued, or sent again.
    private var requeued: [Int32] = []
    /// Deferred by Apple; they wait for the retry delay.
    private(set) var delayed: [Int32] = []
    /// The number of times that Apple deferred each recipient during this lease.
    private var delays: [UInt8]
    /// Deferred too often during this lease: they go into a later batch when this one ends.
    private(set) var postponed: [Postponement: [Int32]] = [:]
    /// Rejected because the environment does not know the token; the other environment may.
    private(set) var mismatches: [Int32] = []
    /// The unknown outcome that each resent recipient had before. Recipients without an entry were left ambiguous by
    /// an earlier holder of the batch.
    private var unknownReasons: [Int32: UInt8] = [:]

    /// Why a recipient is deferred to a later batch.
    enum Postponement: Hashable, CaseIterable {
        /// Apple received too many pushes for this device.
        case device
        /// Apple reports an error of its own.
        case apple
        /// Since planning, the device changed to the other environment.
        case environment
    }

    /// A batch as it was claimed. A pending byte below `sentThrough` was declared by a holder that ended before it
    /// stored the outcome: that push may have been sent. A requeued one certainly was not. A byte with `mismatchCode`
    /// is an environment mismatch of an earlier lease; the limit for mismatches applies to the whole batch.
    init(outcomes: [UInt8], sentThrough: Int, policy: UnknownPolicy, mismatchCode: UInt8? = nil) {
        self.outcomes = outcomes
        self.sentThrough = sentThrough
        self.policy = policy
        delays = [UInt8](repeating: 0, count: outcomes.count)
        for index in 0..<sentThrough {
            switch OutcomeByte(rawValue: outcomes[index]).code {
            case OutcomeCode.pending: unknown(index, OutcomeCode.unknownWorkerLost)
            case OutcomeCode.requeued: requeued.append(Int32(index))
            case mismatchCode: mismatches.append(Int32(index))
            default: continue
            }
        }
    }

    /// The recipients with this code as their outcome.
    func indices(of code: UInt8) -> [Int] {
        outcomes.indices.filter { OutcomeByte(rawValue: outcomes[$0]).code == code }
    }

    /// Fills `window` with the next recipients, at most `limit`: first requeued ones, then new ones.
    /// They may be on the wire once a flush of this value is committed.
    mutating func declareNext(limit: Int, into window: inout [Int32]) {
        window.removeAll(keepingCapacity: true)
        let again = requeued.prefix(limit)
        for index in again { set(Int(index), OutcomeCode.pending) }
        window.append(contentsOf: again)
        requeued.removeFirst(again.count)
        while window.count < limit, sentThrough < outcomes.count {
            // The planner suppressed some recipients.
            if isPending(sentThrough) { window.append(Int32(sentThrough)) }
            sentThrough += 1
        }
    }

    /// A final outcome.
    mutating func record(_ index: Int, _ code: UInt8) { set(index, code) }

    /// Nothing reached Apple, for certain: the push may be sent as if for the first time.
    mutating func requeue(_ index: Int) {
        set(index, OutcomeCode.requeued)
        requeued.append(Int32(index))
    }

    /// Apple asks to retry later. False when the limit for this lease is reached.
    mutating func delay(_ index: Int, atMost limit: Int) -> Bool {
        guard delays[index] < limit else { return false }
        delays[index] += 1
        set(index, OutcomeCode.requeued)
        delayed.append(Int32(index))
        return true
    }

    /// The highest number of deferrals among the delayed recipients; it selects the delay.
    var maximumDelayCount: Int { delayed.map { Int(delays[Int($0)]) }.max() ?? 0 }

    /// Recipients below `sentThrough` that are to be sent again, now or after their delay.
    var unsent: [Int32] { requeued + delayed }

    mutating func endDelay() {
        requeued.append(contentsOf: delayed)
        delayed.removeAll(keepingCapacity: true)
    }

    /// Deferred too often during this lease: the recipient goes into a later batch.
    mutating func postpone(_ index: Int, _ reason: Postponement) {
        set(index, OutcomeCode.requeued)
        postponed[reason, default: []].append(Int32(index))
    }

    /// Records a rejection that is final unless the other environment knows the token.
    mutating func recordMismatch(_ index: Int, _ code: UInt8) {
        set(index, code)
        mismatches.append(Int32(index))
    }

    /// Moves the recipient to another batch, which accounts for it from now on. Returns its outcome byte there.
    mutating func handOff(_ index: Int) -> UInt8 {
        set(index, OutcomeCode.deferred)
        return OutcomeByte(code: OutcomeCode.pending, isResent: OutcomeByte(rawValue: outcomes[index]).isResent)
            .rawValue
    }

    /// It is unknown whether the push was delivered. Under the policy "resend" it is sent once more, and only once.
    mutating func unknown(_ index: Int, _ code: UInt8) {
        let byte = OutcomeByte(rawValue: outcomes[index])
        guard policy == .resend, !byte.isResent else { return set(index, code) }
        outcomes[index] = OutcomeByte(code: OutcomeCode.requeued, isResent: true).rawValue
        unknownReasons[Int32(index)] = code
        requeued.append(Int32(index))
    }

    /// Ends a recipient without sending. A recipient that was about to be resent stays unknown: the first push may have
    /// been delivered.
    mutating func skip(_ index: Int, _ code: UInt8) {
        guard OutcomeByte(rawValue: outcomes[index]).isResent else { return set(index, code) }
        outcomes[index] = unknownReasons[Int32(index)] ?? OutcomeCode.unknownWorkerLost
    }

    /// Gives all recipients still to be sent this outcome instead: cancelled, or expired.
    mutating func endRemaining(_ code: UInt8) {
        for index in requeued + delayed + postponed.values.joined() { skip(Int(index), code) }
        requeued.removeAll()
        delayed.removeAll()
        postponed.removeAll()
        for index in sentThrough..<outcomes.count where isPending(index) { skip(index, code) }
        sentThrough = outcomes.count
    }

    /// Whether recipients can be declared now.
    var hasNext: Bool { !requeued.isEmpty || sentThrough < outcomes.count }

    /// Whether nobody is left to send to. The caller knows which pushes are on the wire.
    var isExhausted: Bool { !hasNext && delayed.isEmpty }

    var counts: OutcomeCounts { OutcomeCounts(outcomes) }

    /// Recipients that may be on the wire: declared, without an outcome, and not certainly unsent.
    var unresolved: Int {
        outcomes[..<sentThrough].reduce(0) { $0 + ($1 & ~OutcomeByte.resentBit == OutcomeCode.pending ? 1 : 0) }
    }

    private func isPending(_ index: Int) -> Bool { outcomes[index] & ~OutcomeByte.resentBit == OutcomeCode.pending }

    /// Preserves bit 7 (resent). Only `skip` clears it: then nothing was sent again.
    private mutating func set(_ index: Int, _ code: UInt8) {
        outcomes[index] = outcomes[index] & OutcomeByte.resentBit | code
    }
}
