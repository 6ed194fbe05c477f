import Campaigns
import EventLoop
import JSON
import Postgres
import Testing

@testable import APNSSimulator
@testable import Lab
@testable import Store

struct ChaosReportTests {
    private static let now = Timestamp.now

    /// Ten recipients: seven accepted, two of them twice; one rejected; two unknown, one of them reached.
    private struct Figures {
        var policy = UnknownPolicy.resend
        var isVerified = true
        var sums = Figures.ledger(resent: 3)
        var recount = Figures.ledger(resent: 3)
        var findings = ChaosLedger.Findings(
            recipients: 10, acceptedTwiceMarked: 2, reachedUnknown: 1, acceptedByAPNS: 10)
        var unknowns = ["worker lost": 2]
        var accepted = 10
        var abandoned = 1
        var held = ChaosAudit.Held(batches: 1, ambiguous: 2)
        var problems: [String] = []

        static func ledger(resent: Int) -> Ledger {
            var ledger = Ledger()
            ledger[.accepted] = 7
            ledger[.rejected] = 1
            ledger[.unknown] = 2
            ledger.resent = resent
            return ledger
        }

        /// A report with a process of two unresolved recipients, so that the bounds are small.
        var report: ChaosReport {
            var counts = Record.Counts()
            counts.accepted = accepted
            counts.unanswered.abandoned = abandoned
            let run = RunRecord(
                id: .init(rawValue: 1), app: .init(rawValue: 1), campaign: .init(rawValue: 1), version: 1,
                state: .finished,
                reason: nil, startedAt: now, plannedAt: now,
                finishedAt: now, verifiedAt: isVerified ? now : nil, expiresAt: now, estimated: 10, targeted: 10,
                ledger: Self.ledger(resent: 3), destination: .simulator,
                occurrence: nil, testsTimes: false, pushesPerSecond: nil, values: nil, isBalanced: isVerified,
                nextAt: nil, awaitsDecision: false, lastAnswer: nil, recipientsDeletedAt: nil, delivered: 0, opened: 0,
                engaged: 0)
            return ChaosReport(
                seed: 7, policy: policy, devices: 10, run: run, sums: sums, recount: recount, unknowns: unknowns,
                findings: findings, apple: counts, losses: [.init(what: "kill -9 of worker 1", held: held)],
                unresolved: 2, streams: 5, problems: problems)
        }

        func with<Value>(_ path: WritableKeyPath<Figures, Value>, _ value: Value) -> Figures {
            var other = self
            other[keyPath: path] = value
            return other
        }
    }

    @Test func verdictIsPositiveWhenAllChecksPass() {
        let report = Figures().report
        #expect(report.failures.isEmpty && report.lossBound == 2 && report.wireBound == 1)
        #expect(
            report.verdict == "Chaos 7, resend: nobody skipped, nobody twice except 2 marked. All totals equal.")
        #expect(report.table.contains("at most 2 from lost workers and 1 from lost answers"))
    }

    @Test func verdictUnderLeaveAllowsNobodyTwice() {
        var figures = Figures().with(\.policy, .leave)
        #expect(figures.report.failures == ["2 accepted twice"])
        figures.findings.acceptedTwiceMarked = 0
        figures.findings.acceptedByAPNS = 8
        figures.accepted = 8
        #expect(
            figures.report.verdict
                == "Chaos 7, leave: nobody skipped, nobody twice; 2 unknown, left so. All totals equal.")
        figures.unknowns = ["worker lost": 3]
        #expect(figures.report.failures == ["3 unknown from lost workers, more than 2"])
    }

    @Test func eachDisagreementIsAFailure() {
        func failures<Value>(_ path: WritableKeyPath<Figures, Value>, _ value: Value) -> [String] {
            Figures().with(path, value).report.failures
        }
        #expect(failures(\.findings.skipped, 1) == ["1 skipped"])
        #expect(failures(\.findings.acceptedTwice, 2) == ["2 accepted twice, not marked"])
        #expect(failures(\.findings.duplicateOutcomes, 1) == ["1 with more than one outcome"])
        #expect(failures(\.findings.contradicted, 1) == ["1 accepted by Apple but not in the ledger"])
        #expect(failures(\.findings.markedUnderLeave, 1) == ["1 sent again despite the policy leave"])
        #expect(failures(\.findings.notResent, 1) == ["1 unknown and not sent again despite the policy resend"])
        #expect(failures(\.isVerified, false) == ["totals differ"])
        #expect(failures(\.sums[.accepted], 8) == ["totals differ"])
        #expect(failures(\.recount.resent, 2) == ["totals differ"])
        #expect(failures(\.findings.recipients, 9) == ["totals differ"])
        #expect(failures(\.accepted, 11) == ["totals differ"])
        #expect(failures(\.findings.reachedUnknown, 0) == ["totals differ"])
        #expect(failures(\.abandoned, 0) == ["3 sent again, more than 2"])
        #expect(
            failures(\.held, ChaosAudit.Held(batches: 1, ambiguous: 3))
                == ["kill -9 of worker 1 left 1 batch, 3 ambiguous recipients, more than 2"])
        #expect(
            Figures().with(\.problems, ["no end"]).report.verdict == "Chaos 7, resend: FAILED: no end.")
    }
}

struct ChaosProgressTests {
    @Test func lineIsPrintedEveryFewSeconds() {
        var progress = ChaosProgress(of: 20_000)
        let start = MonotonicTime(nanoseconds: 0)
        #expect(progress.line(0, now: start) == nil)
        #expect(progress.line(500, now: start + .seconds(2)) == nil)
        #expect(progress.line(9_000, now: start + .seconds(3)) == " 45 %  3,000 a second")
        #expect(progress.line(9_500, now: start + .seconds(5)) == nil)
    }
}
