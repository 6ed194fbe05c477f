import Campaigns
import TestSupport
import Testing

@testable import Dispatcher

struct BatchProgressTests {
    @Test func plannedOutcomesAreNotDeclared() {
        var progress = BatchProgress(
            outcomes: [0, OutcomeCode.suppressedDenied, 0, OutcomeCode.suppressedDenied], sentThrough: 0, policy: .leave
        )
        var window: [Int32] = []
        progress.declareNext(limit: 10, into: &window)
        #expect(window == [0, 2])
        #expect(progress.sentThrough == 4 && !progress.hasNext)
    }

    @Test func windowContainsAtMostItsLimit() {
        var progress = BatchProgress(outcomes: [UInt8](repeating: 0, count: 5), sentThrough: 0, policy: .leave)
        var window: [Int32] = []
        progress.declareNext(limit: 2, into: &window)
        #expect(window == [0, 1] && progress.sentThrough == 2)
        progress.requeue(1)
        progress.declareNext(limit: 2, into: &window)
        #expect(window == [1, 2] && progress.sentThrough == 3)
    }

    @Test func leaveKeepsTheReasonAndResendSendsOnce() {
        for (policy, byte) in [(UnknownPolicy.leave, OutcomeCode.unknownReset), (.resend, 0x80 | OutcomeCode.requeued)]
        {
            var progress = BatchProgress(outcomes: [0], sentThrough: 0, policy: policy)
            var window: [Int32] = []
            progress.declareNext(limit: 1, into: &window)
            progress.unknown(0, OutcomeCode.unknownReset)
            #expect(progress.outcomes == [byte])
            #expect(progress.hasNext == (policy == .resend))
        }
        var progress = BatchProgress(outcomes: [0x80], sentThrough: 1, policy: .resend)
        #expect(progress.outcomes == [0x80 | OutcomeCode.unknownWorkerLost] && progress.isExhausted)
        progress.record(0, OutcomeCode.accepted)
        #expect(progress.outcomes == [0x80 | OutcomeCode.accepted])
    }

    @Test func mismatchesOfAnEarlierLeaseAreFound() {
        let outcomes: [UInt8] = [21, OutcomeCode.accepted, 0x80 | 21, 22, 0]
        #expect(
            BatchProgress(outcomes: outcomes, sentThrough: 4, policy: .leave, mismatchCode: 21).mismatches == [0, 2])
        #expect(BatchProgress(outcomes: outcomes, sentThrough: 4, policy: .leave).mismatches.isEmpty)
    }

    @Test func delayEndsAfterItsLimit() {
        var progress = BatchProgress(outcomes: [0], sentThrough: 0, policy: .leave)
        var window: [Int32] = []
        for number in 1...3 {
            progress.declareNext(limit: 1, into: &window)
            let isDelayed = progress.delay(0, atMost: 3)
            #expect(isDelayed)
            #expect(progress.maximumDelayCount == number && !progress.hasNext && !progress.isExhausted)
            progress.endDelay()
            #expect(progress.hasNext)
        }
        progress.declareNext(limit: 1, into: &window)
        let isDelayed = progress.delay(0, atMost: 3)
        #expect(!isDelayed)
    }

    @Test func skippedResendsStayUnknown() {
        let again = OutcomeCode.requeued | OutcomeByte.resentBit
        // An earlier holder was lost before he could be sent to again, and a later one was lost at once.
        var progress = BatchProgress(outcomes: [again, 0, 0, 0], sentThrough: 2, policy: .resend)
        var window: [Int32] = []
        progress.declareNext(limit: 3, into: &window)
        #expect(window == [0, 1, 2])
        progress.unknown(2, OutcomeCode.unknownDeadline)
        progress.skip(0, OutcomeCode.suppressedOptedOut)
        #expect(progress.outcomes[0] == OutcomeCode.unknownWorkerLost)
        progress.record(1, OutcomeCode.accepted)
        progress.endRemaining(OutcomeCode.cancelled)
        #expect(
            progress.outcomes == [
                OutcomeCode.unknownWorkerLost, OutcomeCode.accepted | OutcomeByte.resentBit,
                OutcomeCode.unknownDeadline, OutcomeCode.cancelled,
            ])
    }

    @Test func endRemainingKeepsFinalOutcomes() {
        var progress = BatchProgress(
            outcomes: [1, OutcomeCode.requeued, 0, OutcomeCode.suppressedDenied, 0], sentThrough: 2, policy: .leave)
        progress.endRemaining(OutcomeCode.cancelled)
        #expect(
            progress.outcomes == [
                1, OutcomeCode.cancelled, OutcomeCode.cancelled, OutcomeCode.suppressedDenied, OutcomeCode.cancelled,
            ])
        #expect(progress.isExhausted)
    }

    @Test(arguments: [UnknownPolicy.leave, .resend])
    func nobodyIsLostAndNobodyIsSentTwiceByMistake(policy: UnknownPolicy) {
        for seed in 0..<300 {
            var script = Script(policy: policy, seed: UInt64(seed))
            script.play()
        }
    }
}

/// A random life of one batch: windows are declared, stored, sent and answered in every way, and now and
/// then the process dies. Beside it stands what really happened to each recipient.
private struct Script {
    private struct Truth {
        /// The number of times that a push for the recipient may have reached Apple.
        var maybeReached = 0
        var isSuppressed = false
        /// His last outcome, unless it was forgotten with the process that knew it.
        var final: UInt8?
    }

    private static let delays = 2
    /// Recipients of a window at most.
    private static let window = 5

    private let policy: UnknownPolicy
    private let size: Int
    private var generator: SeededGenerator
    private var progress: BatchProgress
    /// The row: what a flush stored last.
    private var row: (outcomes: [UInt8], sentThrough: Int)
    private var truths: [Truth]
    private let kinds: [OutcomeKind]

    init(policy: UnknownPolicy, seed: UInt64) {
        self.policy = policy
        var generator = SeededGenerator(seed: seed &* 2_654_435_761 &+ 17)
        size = Int.random(in: 1...24, using: &generator)
        var outcomes = [UInt8](repeating: OutcomeCode.pending, count: size)
        truths = [Truth](repeating: Truth(), count: size)
        for index in 0..<size where Int.random(in: 0..<6, using: &generator) == 0 {
            outcomes[index] = OutcomeCode.suppressedDenied
            truths[index].isSuppressed = true
        }
        var kinds = [OutcomeKind](repeating: .rejected, count: OutcomeCode.limit)
        kinds[Int(OutcomeCode.pending)] = .pending
        kinds[Int(OutcomeCode.requeued)] = .pending
        kinds[Int(OutcomeCode.accepted)] = .accepted
        kinds[Int(OutcomeCode.suppressedDenied)] = .suppressed
        for code in OutcomeCode.unknownWorkerLost...OutcomeCode.unknownConnectionLost { kinds[Int(code)] = .unknown }
        self.kinds = kinds
        self.generator = generator
        row = (outcomes, 0)
        progress = BatchProgress(outcomes: outcomes, sentThrough: 0, policy: policy)
    }

    mutating func play() {
        var deaths = 0
        var rounds = 0
        // Windows that are declared and stored, at most two, the first of them on the wire.
        var declared: [[Int32]] = []
        while !(progress.isExhausted && declared.isEmpty) {
            rounds += 1
            guard rounds < 1_000 else {
                Issue.record("no end")
                return
            }
            var next: [Int32] = []
            progress.declareNext(limit: Int.random(in: 1...Self.window, using: &generator), into: &next)
            checkDeclared(next, beside: declared)
            if deaths < 6, chance(12) {
                // Before the flush: the row knows nothing of the last window.
                die(with: declared)
                (deaths, declared) = (deaths + 1, [])
                continue
            }
            store()
            if !next.isEmpty { declared.append(next) }
            if deaths < 6, chance(12) {
                // After the flush: one or both windows may be on the wire.
                for index in declared.joined() where chance(2) { touchWire(index) }
                die(with: declared)
                (deaths, declared) = (deaths + 1, [])
                continue
            }
            if !declared.isEmpty { answer(declared.removeFirst()) }
            if declared.isEmpty && !progress.hasNext { progress.endDelay() }
            checkLedger()
        }
        store()
        checkEnd()
    }

    private mutating func chance(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &generator) == 0 }

    private mutating func store() { row = (progress.outcomes, progress.sentThrough) }

    private mutating func touchWire(_ index: Int32) { truths[Int(index)].maybeReached += 1 }

    /// Every way in which a window comes back.
    private mutating func answer(_ window: [Int32]) {
        for recipient in window {
            let index = Int(recipient)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                progress.requeue(index)
            case 1:
                // Apple said no, for now: he was certainly not reached.
                if !progress.delay(index, atMost: Self.delays) { end(index, 60) }
            case 2:
                touchWire(recipient)
                let code = [
                    OutcomeCode.unknownDeadline, OutcomeCode.unknownReset, OutcomeCode.unknownConnectionLost,
                ][Int.random(in: 0..<3, using: &generator)]
                progress.unknown(index, code)
            case 3:
                end(index, 60)
            default:
                touchWire(recipient)
                end(index, OutcomeCode.accepted)
            }
        }
    }

    private mutating func end(_ index: Int, _ code: UInt8) {
        progress.record(index, code)
        truths[index].final = code
    }

    /// The next process has the row and nothing else.
    private mutating func die(with declared: [[Int32]]) {
        let lost = Set(declared.joined())
        let before = row
        var ambiguous = 0
        progress = BatchProgress(outcomes: row.outcomes, sentThrough: row.sentThrough, policy: policy)
        for index in 0..<size {
            let (old, new) = (
                OutcomeByte(rawValue: before.outcomes[index]), OutcomeByte(rawValue: progress.outcomes[index])
            )
            // Only who stood declared in the row becomes unknown, or is sent again as one who was.
            let isInDoubt = old.code == OutcomeCode.pending && index < before.sentThrough
            if isInDoubt { ambiguous += 1 }
            if new != old { #expect(isInDoubt) }
            if isInDoubt { #expect(new != old) }
            // An answer that was not stored is forgotten: the value of the row counts.
            if truths[index].final != nil, old.code != truths[index].final { truths[index].final = nil }
        }
        #expect(ambiguous <= 2 * Self.window, "more than two windows in doubt")
        for index in lost where Int(index) < before.sentThrough && before.outcomes[Int(index)] & 0x7f == 0 {
            #expect(progress.outcomes[Int(index)] & 0x7f != OutcomeCode.pending)
        }
        checkLedger()
    }

    private func checkDeclared(_ window: [Int32], beside declared: [[Int32]]) {
        let others = Set(declared.joined())
        #expect(Set(window).count == window.count)
        for recipient in window {
            let index = Int(recipient)
            #expect(!others.contains(recipient), "declared twice at once")
            #expect(!truths[index].isSuppressed && truths[index].final == nil)
            let isResent = OutcomeByte(rawValue: progress.outcomes[index]).isResent
            switch policy {
            case .leave: #expect(truths[index].maybeReached == 0 && !isResent)
            case .resend: #expect(truths[index].maybeReached == 0 || (truths[index].maybeReached == 1 && isResent))
            }
        }
    }

    private func checkLedger() {
        let ledger = progress.counts.ledger(kinds: kinds)
        #expect(ledger.targeted == size)
        #expect(ledger.resent == progress.outcomes.count { $0 & 0x80 != 0 })
        if policy == .leave { #expect(ledger.resent == 0) }
    }

    private func checkEnd() {
        #expect(progress.counts.ledger(kinds: kinds).isFinal, "somebody was lost")
        for index in 0..<size {
            let byte = OutcomeByte(rawValue: progress.outcomes[index])
            let truth = truths[index]
            #expect(truth.isSuppressed == (byte.code == OutcomeCode.suppressedDenied))
            if let final = truth.final { #expect(byte.code == final) }
            #expect(truth.maybeReached <= (policy == .leave ? 1 : 2))
            if truth.maybeReached == 2 { #expect(byte.isResent) }
        }
    }
}
