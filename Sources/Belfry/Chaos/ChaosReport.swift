import APNSSimulator
import Campaigns
import Store

/// What the simulator's record and the ledger say together, and the verdict. A value: whoever has the figures can judge.
struct ChaosReport {
    /// A process that was killed or paused, and what it held then.
    struct Loss: Equatable {
        let what: String
        let held: ChaosAudit.Held
    }

    let seed: UInt64
    let policy: UnknownPolicy
    /// The size of the audience.
    let devices: Int
    let run: RunRecord
    /// The counters of the batches, added up.
    let sums: Ledger
    /// The bytes of the batches, counted anew.
    let recount: Ledger
    let unknowns: [String: Int]
    let findings: ChaosLedger.Findings
    let apple: Record.Counts
    let losses: [Loss]
    /// The largest window, and the most pushes that one connection carries.
    let window: Int
    let streams: Int
    /// What went wrong beside the ledger: a worker that crashed, a campaign that did not end.
    let troubles: [String]

    /// Published: the loss of a process makes at most two windows of each batch that it held unknown.
    var lossBound: Int { losses.reduce(0) { $0 + bound(of: $1) } }
    private func bound(of loss: Loss) -> Int { Self.windowsPerBatch * window * loss.held.batches }
    private static let windowsPerBatch = 2
    private static let largeEnough = 100_000

    /// What the wire itself may have made unknown: requests without an answer, and on each connection that Apple's side
    /// cut also the answers that were lost on their way.
    var wireBound: Int {
        apple.unanswered.abandoned + apple.unanswered.reset + apple.unanswered.connectionsCut * streams
    }

    /// Those whose worker was lost, as far as the ledger can tell them from others.
    private var lost: Int { unknowns["worker lost", default: 0] }

    // MARK: Judging

    var holds: Bool { failures.isEmpty }

    var failures: [String] {
        var failures = troubles
        func check(_ count: Int, _ words: String) { if count > 0 { failures.append("\(count.grouped) \(words)") } }
        check(findings.skipped, "skipped")
        check(findings.twice, "accepted twice without a mark")
        check(findings.writtenOff, "given up without a cause")
        check(findings.doubled, "with more than one outcome")
        check(findings.contradicted, "accepted by Apple though the ledger says otherwise")
        check(findings.markedUnderLeave, "sent again against the policy")
        if policy == .leave { check(findings.twiceMarked, "accepted twice") }
        for loss in losses where loss.held.inDoubt > bound(of: loss) {
            failures.append("\(loss.what) left \(loss.held.text), more than \(bound(of: loss).grouped)")
        }
        // Else nothing was shown. Small ones may be over before it comes to that.
        if devices >= Self.largeEnough, !losses.isEmpty, losses.allSatisfy({ $0.held.batches == 0 }) {
            failures.append("nobody who was killed or paused held anything")
        }
        if policy == .leave, lost > lossBound {
            failures.append("\(lost.grouped) unknown by lost workers, more than \(lossBound.grouped)")
        }
        if recount.resent > lossBound + wireBound {
            failures.append("\(recount.resent.grouped) sent again, more than \((lossBound + wireBound).grouped)")
        }
        if !totalsAreEqual { failures.append("totals differ") }
        return failures
    }

    private var totalsAreEqual: Bool {
        let isVerified = run.verifiedAt != nil && run.isBalanced
        let terms = OutcomeKind.allCases.allSatisfy { run.ledger[$0] == sums[$0] && sums[$0] == recount[$0] }
        let targeted = [run.targeted, sums.targeted, recount.targeted, findings.recipients].allSatisfy { $0 == devices }
        return isVerified && terms && targeted && sums.resent == recount.resent
            && apple.accepted == findings.acceptedThere && apple.accepted == explained
    }

    /// Pushes that Apple's side must have accepted if the ledger is right.
    private var explained: Int {
        recount[.accepted] + findings.twiceMarked + findings.reachedUnknown + findings.reachedBefore
    }

    var verdict: String {
        let name = "Chaos \(seed), \(policy.rawValue): "
        guard holds else { return name + "FAILED: " + failures.joined(separator: "; ") + "." }
        return switch policy {
        case .resend:
            name + "nobody skipped, nobody twice but the \(findings.twiceMarked.grouped) marked so. All totals equal."
        case .leave:
            name + "nobody skipped, nobody twice; \(recount[.unknown].grouped) unknown, and left so. All totals equal."
        }
    }
}
