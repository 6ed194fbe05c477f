import Campaigns
import EventLoop
import JSON
import Postgres
import Testing

@testable import APNSSimulator
@testable import Belfry
@testable import Store

struct ChaosReportTests {
    private static let now = Timestamp.now

    /// Ten were meant: seven accepted, of whom two were reached twice, one rejected, two unknown, of whom one was reached.
    private struct Figures {
        var policy = UnknownPolicy.resend
        var isVerified = true
        var sums = Figures.ledger(resent: 3)
        var recount = Figures.ledger(resent: 3)
        var findings = ChaosLedger.Findings(recipients: 10, twiceMarked: 2, reachedUnknown: 1, acceptedThere: 10)
        var unknowns = ["worker lost": 2]
        var accepted = 10
        var abandoned = 1
        var held = ChaosAudit.Held(batches: 1, inDoubt: 2)
        var troubles: [String] = []

        static func ledger(resent: Int) -> Ledger {
            var ledger = Ledger()
            ledger[.accepted] = 7
            ledger[.rejected] = 1
            ledger[.unknown] = 2
            ledger.resent = resent
            return ledger
        }

        /// Windows of one push, so that the bounds are in sight.
        var report: ChaosReport {
            var counts = Record.Counts()
            counts.accepted = accepted
            counts.unanswered.abandoned = abandoned
            let run = RunRecord(
                id: .init(rawValue: 1), app: .init(rawValue: 1), campaign: .init(rawValue: 1), state: .finished,
                reason: nil, startedAt: now, plannedAt: now,
                finishedAt: now, verifiedAt: isVerified ? now : nil, expiresAt: now, estimated: 10, targeted: 10,
                ledger: Self.ledger(resent: 3), destination: .simulator,
                occurrence: nil, pushesPerSecond: nil, isBalanced: isVerified)
            return ChaosReport(
                seed: 7, policy: policy, devices: 10, run: run, sums: sums, recount: recount, unknowns: unknowns,
                findings: findings, apple: counts, losses: [.init(what: "kill -9 of worker 1", held: held)], window: 1,
                streams: 5, troubles: troubles)
        }

        func with<Value>(_ path: WritableKeyPath<Figures, Value>, _ value: Value) -> Figures {
            var other = self
            other[keyPath: path] = value
            return other
        }
    }

    @Test func verdictIsGoodWhenAllHolds() {
        let report = Figures().report
        #expect(report.failures.isEmpty && report.lossBound == 2 && report.wireBound == 1)
        #expect(
            report.verdict == "Chaos 7, resend: nobody skipped, nobody twice but the 2 marked so. All totals equal.")
        #expect(report.table.contains("of at most 2 by lost workers and 1 by lost answers"))
    }

    @Test func verdictUnderLeaveAllowsNobodyTwice() {
        var figures = Figures().with(\.policy, .leave)
        #expect(figures.report.failures == ["2 accepted twice"])
        figures.findings.twiceMarked = 0
        figures.findings.acceptedThere = 8
        figures.accepted = 8
        #expect(
            figures.report.verdict
                == "Chaos 7, leave: nobody skipped, nobody twice; 2 unknown, and left so. All totals equal.")
        figures.unknowns = ["worker lost": 3]
        #expect(figures.report.failures == ["3 unknown by lost workers, more than 2"])
    }

    @Test func eachDisagreementIsToldAndFails() {
        func failures<Value>(_ path: WritableKeyPath<Figures, Value>, _ value: Value) -> [String] {
            Figures().with(path, value).report.failures
        }
        #expect(failures(\.findings.skipped, 1) == ["1 skipped"])
        #expect(failures(\.findings.twice, 2) == ["2 accepted twice without a mark"])
        #expect(failures(\.findings.doubled, 1) == ["1 with more than one outcome"])
        #expect(failures(\.findings.contradicted, 1) == ["1 accepted by Apple though the ledger says otherwise"])
        #expect(failures(\.findings.markedUnderLeave, 1) == ["1 sent again against the policy"])
        #expect(failures(\.isVerified, false) == ["totals differ"])
        #expect(failures(\.sums[.accepted], 8) == ["totals differ"])
        #expect(failures(\.recount.resent, 2) == ["totals differ"])
        #expect(failures(\.findings.recipients, 9) == ["totals differ"])
        #expect(failures(\.accepted, 11) == ["totals differ"])
        #expect(failures(\.findings.reachedUnknown, 0) == ["totals differ"])
        #expect(failures(\.abandoned, 0) == ["3 sent again, more than 2"])
        #expect(
            failures(\.held, ChaosAudit.Held(batches: 1, inDoubt: 3))
                == ["kill -9 of worker 1 left 1 batch, 3 recipients in doubt, more than 2"])
        #expect(
            Figures().with(\.troubles, ["no end"]).report.verdict == "Chaos 7, resend: FAILED: no end.")
    }
}

struct ChaosProgressTests {
    @Test func lineComesEveryFewSeconds() {
        var progress = ChaosProgress(of: 20_000)
        let start = MonotonicTime(nanoseconds: 0)
        #expect(progress.line(0, now: start) == nil)
        #expect(progress.line(500, now: start + .seconds(2)) == nil)
        #expect(progress.line(9_000, now: start + .seconds(3)) == " 45 %  3,000 a second")
        #expect(progress.line(9_500, now: start + .seconds(5)) == nil)
    }
}
