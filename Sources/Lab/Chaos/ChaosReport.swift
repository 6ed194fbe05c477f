import APNSSimulator
import Belfry
import Campaigns
import Store

/// Compares the simulator's record with the ledger and derives the verdict.
struct ChaosReport {
    /// A process that was killed or paused, and the batches that it held at that time.
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
    /// The bytes of the batches, recounted.
    let recount: Ledger
    let unknowns: [String: Int]
    let findings: ChaosLedger.Findings
    let apple: Record.Counts
    let losses: [Loss]
    /// The maximum number of unresolved recipients of a process.
    let unresolved: Int
    /// The maximum number of pushes in flight on one connection.
    let streams: Int
    /// Problems outside the ledger: a worker that crashed, a campaign that did not end.
    let problems: [String]

    /// The documented bound of what lost processes leave unknown.
    var lossBound: Int { losses.count * unresolved }
    private static let largeEnough = 100_000

    /// The maximum number of pushes that network faults can leave unknown: requests without an answer, and the streams
    /// of each connection that the simulator closed.
    var wireBound: Int {
        apple.unanswered.abandoned + apple.unanswered.reset + apple.unanswered.connectionsCut * streams
    }

    /// Recipients whose outcome is unknown because their worker was lost.
    private var lost: Int { unknowns["worker lost", default: 0] }

    // MARK: Verdict

    var passes: Bool { failures.isEmpty }

    var failures: [String] {
        var failures = problems
        func check(_ count: Int, _ text: String) { if count > 0 { failures.append("\(count.grouped) \(text)") } }
        check(findings.skipped, "skipped")
        check(findings.acceptedTwice, "accepted twice, not marked")
        check(findings.unexplainedNonDelivery, "not delivered without a reason")
        check(findings.duplicateOutcomes, "with more than one outcome")
        check(findings.contradicted, "accepted by Apple but not in the ledger")
        check(findings.markedUnderLeave, "sent again despite the policy leave")
        check(findings.notResent, "unknown and not sent again despite the policy resend")
        if policy == .leave { check(findings.acceptedTwiceMarked, "accepted twice") }
        for loss in losses where loss.held.ambiguous > unresolved {
            failures.append("\(loss.what) left \(loss.held.text), more than \(unresolved.grouped)")
        }
        // A run without a loss proves nothing. Small runs may end before one occurs.
        if devices >= Self.largeEnough, !losses.isEmpty, losses.allSatisfy({ $0.held.batches == 0 }) {
            failures.append("no killed or paused worker held a batch")
        }
        if policy == .leave, lost > lossBound {
            failures.append("\(lost.grouped) unknown from lost workers, more than \(lossBound.grouped)")
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
            && apple.accepted == findings.acceptedByAPNS && apple.accepted == explained
    }

    /// The number of pushes that the simulator must have accepted if the ledger is correct.
    private var explained: Int {
        recount[.accepted] + findings.acceptedTwiceMarked + findings.reachedUnknown + findings.reachedBefore
    }

    var verdict: String {
        let name = "Chaos \(seed), \(policy.rawValue): "
        guard passes else { return name + "FAILED: " + failures.joined(separator: "; ") + "." }
        return switch policy {
        case .resend:
            name + "nobody skipped, nobody twice except \(findings.acceptedTwiceMarked.grouped) marked. "
                + "All totals equal."
        case .leave:
            name + "nobody skipped, nobody twice; \(recount[.unknown].grouped) unknown, left so. All totals equal."
        }
    }
}
