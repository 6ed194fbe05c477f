import Campaigns

/// What became of a batch's recipients so far, and who comes next. A value: the sender tells it what
/// happened and stores what it says.
struct BatchProgress: Equatable {
    private(set) var outcomes: [UInt8]
    /// Recipients below this index have been declared: they may be on the wire.
    private(set) var sentThrough: Int
    let policy: UnknownPolicy
    /// Below `sentThrough`, and to be sent yet: put back, or sent again.
    private var putBack: [Int32] = []
    /// Put off by Apple; they wait for their time.
    private(set) var delayed: [Int32] = []
    /// How often each was put off by Apple inside this lease.
    private var delays: [UInt8]
    /// Put off too often for this lease: they go into a later batch when this one ends.
    private(set) var postponed: [Postponement: [Int32]] = [:]
    /// Rejected for a token that the environment does not know: the other one may.
    private(set) var suspects: [Int32] = []
    /// Why it was not known whether they were reached, of those who are sent to again. Who is not here was left in doubt by
    /// an earlier holder.
    private var doubts: [Int32: UInt8] = [:]

    /// Why somebody is sent to later.
    enum Postponement: Hashable, CaseIterable {
        /// Apple has had too many pushes for this one device.
        case device
        /// Apple has trouble of its own.
        case apple
        /// His device belongs to the other environment since the plan.
        case environment
    }

    /// A batch as it was claimed. Below `sentThrough` a pending byte was declared by a holder who did
    /// not live to say what became of it: he may have been sent. One put back certainly was not. A `suspectCode` is a
    /// suspect of an earlier lease: whether there are too many of them is asked of the whole batch.
    init(outcomes: [UInt8], sentThrough: Int, policy: UnknownPolicy, suspectCode: UInt8? = nil) {
        self.outcomes = outcomes
        self.sentThrough = sentThrough
        self.policy = policy
        delays = [UInt8](repeating: 0, count: outcomes.count)
        for index in 0..<sentThrough {
            switch OutcomeByte(rawValue: outcomes[index]).code {
            case OutcomeCode.pending: unknown(index, OutcomeCode.unknownWorkerLost)
            case OutcomeCode.putBack: putBack.append(Int32(index))
            case suspectCode: suspects.append(Int32(index))
            default: continue
            }
        }
    }

    /// Fills `window` with the next recipients, at most `limit`: first those put back, then new ones.
    /// They are on the wire from the moment a flush of this value is committed.
    mutating func declareNext(limit: Int, into window: inout [Int32]) {
        window.removeAll(keepingCapacity: true)
        let again = putBack.prefix(limit)
        for index in again { set(Int(index), OutcomeCode.pending) }
        window.append(contentsOf: again)
        putBack.removeFirst(again.count)
        while window.count < limit, sentThrough < outcomes.count {
            // Suppressed by the planner, for example: not everybody is to be sent to.
            if isPending(sentThrough) { window.append(Int32(sentThrough)) }
            sentThrough += 1
        }
    }

    /// A final outcome.
    mutating func record(_ index: Int, _ code: UInt8) { set(index, code) }

    /// It is certain that nothing reached Apple: he may be sent as if for the first time.
    mutating func putBack(_ index: Int) {
        set(index, OutcomeCode.putBack)
        putBack.append(Int32(index))
    }

    /// Apple asks to come back later. False when he was put off often enough in this lease.
    mutating func delay(_ index: Int, atMost limit: Int) -> Bool {
        guard delays[index] < limit else { return false }
        delays[index] += 1
        set(index, OutcomeCode.putBack)
        delayed.append(Int32(index))
        return true
    }

    /// The most often that one of the delayed was put off: how long to wait.
    var longestDelay: Int { delayed.map { Int(delays[Int($0)]) }.max() ?? 0 }

    mutating func endDelay() {
        putBack.append(contentsOf: delayed)
        delayed.removeAll(keepingCapacity: true)
    }

    /// Put off too often in this lease: he waits for a later batch.
    mutating func postpone(_ index: Int, _ reason: Postponement) {
        set(index, OutcomeCode.putBack)
        postponed[reason, default: []].append(Int32(index))
    }

    /// Rejected, unless the other environment knows the token.
    mutating func suspect(_ index: Int, _ code: UInt8) {
        set(index, code)
        suspects.append(Int32(index))
    }

    /// Leaves this batch for another, which accounts for him from now on, and begins there with what is returned.
    mutating func move(_ index: Int) -> UInt8 {
        set(index, OutcomeCode.moved)
        return OutcomeByte(code: OutcomeCode.pending, isResent: OutcomeByte(rawValue: outcomes[index]).isResent)
            .rawValue
    }

    /// Whether he was reached is not known. He is sent once more under "resend", and only once.
    mutating func unknown(_ index: Int, _ code: UInt8) {
        let byte = OutcomeByte(rawValue: outcomes[index])
        guard policy == .resend, !byte.isResent else { return set(index, code) }
        outcomes[index] = OutcomeByte(code: OutcomeCode.putBack, isResent: true).rawValue
        doubts[Int32(index)] = code
        putBack.append(Int32(index))
    }

    /// He is sent to no more, for this reason. Who may have been reached before, and was to be sent to again, stays
    /// unknown: the push may be on his screen.
    mutating func leaveOut(_ index: Int, _ code: UInt8) {
        guard OutcomeByte(rawValue: outcomes[index]).isResent else { return set(index, code) }
        outcomes[index] = doubts[Int32(index)] ?? OutcomeCode.unknownWorkerLost
    }

    /// All who are still to be sent get this outcome instead: cancelled, or expired.
    mutating func endRest(_ code: UInt8) {
        for index in putBack + delayed + postponed.values.joined() { leaveOut(Int(index), code) }
        putBack.removeAll()
        delayed.removeAll()
        postponed.removeAll()
        for index in sentThrough..<outcomes.count where isPending(index) { leaveOut(index, code) }
        sentThrough = outcomes.count
    }

    /// Somebody can be declared now.
    var hasNext: Bool { !putBack.isEmpty || sentThrough < outcomes.count }

    /// Nobody is left to send to; what is on the wire is the caller's to know.
    var isExhausted: Bool { !hasNext && delayed.isEmpty }

    /// The counters of the row. `kinds` gives each code's kind.
    func ledger(kinds: [OutcomeKind]) -> Ledger { Self.ledger(of: outcomes, kinds: kinds) }

    static func ledger(of outcomes: [UInt8], kinds: [OutcomeKind]) -> Ledger {
        var codes = [Int](repeating: 0, count: OutcomeCode.limit)
        var resent = 0
        for byte in outcomes {
            codes[Int(byte & ~OutcomeByte.resentBit)] += 1
            // Of who was moved, the other batch's byte says it.
            resent += byte & ~OutcomeByte.resentBit == OutcomeCode.moved ? 0 : Int(byte >> 7)
        }
        var ledger = Ledger()
        for (code, count) in codes.enumerated() where count > 0 { ledger[kinds[code]] += count }
        ledger.resent = resent
        return ledger
    }

    private func isPending(_ index: Int) -> Bool { outcomes[index] & ~OutcomeByte.resentBit == OutcomeCode.pending }

    /// Bit 7 is cleared in `leaveOut` only: nobody was sent to again.
    private mutating func set(_ index: Int, _ code: UInt8) {
        outcomes[index] = outcomes[index] & OutcomeByte.resentBit | code
    }
}
