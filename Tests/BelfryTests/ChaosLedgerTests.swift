import Campaigns
import JSON
import Testing

@testable import Belfry
@testable import Store

struct ChaosLedgerTests {
    private static let codes: [UInt8: OutcomeReason] = [
        OutcomeCode.pending: OutcomeReason(kind: .pending, reason: ""),
        OutcomeCode.accepted: OutcomeReason(kind: .accepted, reason: ""),
        OutcomeCode.moved: OutcomeReason(kind: .moved, reason: ""),
        OutcomeCode.expired: OutcomeReason(kind: .expired, reason: ""),
        OutcomeCode.cancelled: OutcomeReason(kind: .cancelled, reason: ""),
        OutcomeCode.suppressedDenied: OutcomeReason(kind: .suppressed, reason: "notifications denied"),
        OutcomeCode.unknownWorkerLost: OutcomeReason(kind: .unknown, reason: "worker lost"),
        48: OutcomeReason(kind: .rejected, reason: "TooManyRequests"),
    ]

    /// One recipient: the bytes that he has in one batch after another, and how often Apple's side accepted.
    private func findings(
        _ bytes: [UInt8], accepted: Int, _ policy: UnknownPolicy = .resend, isRefused: Bool = false
    ) -> ChaosLedger.Findings {
        var ledger = ChaosLedger(codes: Self.codes)
        ledger.expect(7, accepted: accepted, isRefused: isRefused)
        for byte in bytes { ledger.take([7], [byte]) }
        var findings = ledger.findings(policy)
        #expect(findings.recipients == 1 && findings.acceptedThere == accepted)
        // What is not at issue in each case.
        findings.examples = []
        findings.recipients = 0
        findings.acceptedThere = 0
        return findings
    }

    private typealias Findings = ChaosLedger.Findings
    private static let marked = OutcomeByte.resentBit

    @Test func agreementIsNothingToTell() {
        #expect(findings([OutcomeCode.accepted], accepted: 1) == Findings())
        #expect(findings([48], accepted: 0, isRefused: true) == Findings())
        #expect(findings([OutcomeCode.accepted | Self.marked], accepted: 1) == Findings())
        #expect(findings([OutcomeCode.unknownWorkerLost], accepted: 0, .leave) == Findings())
    }

    @Test(arguments: [[], [OutcomeCode.pending], [OutcomeCode.accepted], [OutcomeCode.moved]] as [[UInt8]])
    func whoeverHasNoOutcomeOrOnlyHereIsSkipped(_ bytes: [UInt8]) {
        #expect(findings(bytes, accepted: 0).skipped == 1)
    }

    @Test func whoeverIsGivenUpWithoutACauseIsFound() {
        #expect(findings([48], accepted: 0).writtenOff == 1)
        for code in [OutcomeCode.expired, OutcomeCode.suppressedDenied, OutcomeCode.cancelled] {
            #expect(findings([code], accepted: 0, isRefused: true).writtenOff == 1)
        }
    }

    @Test func twoNeedAMarkAndThreeAreAlwaysTooMany() {
        #expect(findings([OutcomeCode.accepted], accepted: 2).twice == 1)
        #expect(findings([OutcomeCode.unknownWorkerLost], accepted: 2, .leave).twice == 1)
        let marked = findings([OutcomeCode.accepted | Self.marked], accepted: 2)
        #expect(marked.twiceMarked == 1 && marked.twice == 0)
        #expect(findings([OutcomeCode.accepted | Self.marked], accepted: 3).twice == 1)
        #expect(findings([OutcomeCode.accepted | Self.marked], accepted: 1, .leave).markedUnderLeave == 1)
    }

    @Test func whoWasMovedHasHisOutcomeInTheLaterBatch() {
        #expect(findings([OutcomeCode.moved, OutcomeCode.accepted], accepted: 1) == Findings())
        #expect(findings([OutcomeCode.moved, OutcomeCode.moved, 48], accepted: 0, isRefused: true) == Findings())
        #expect(findings([OutcomeCode.accepted, OutcomeCode.accepted], accepted: 1).doubled == 1)
    }

    @Test func refusedHereAndAcceptedThereIsAContradictionUnlessItWasSentAgain() {
        #expect(findings([48], accepted: 1).contradicted == 1)
        let marked = findings([48 | Self.marked], accepted: 1)
        #expect(marked.contradicted == 0 && marked.reachedBefore == 1)
    }

    @Test func unknownMayHaveArrived() {
        #expect(findings([OutcomeCode.unknownWorkerLost], accepted: 1, .leave).reachedUnknown == 1)
        let again = findings([OutcomeCode.unknownWorkerLost | Self.marked], accepted: 2)
        #expect(again.reachedUnknown == 1 && again.twiceMarked == 1 && again.twice == 0)
    }

    @Test func bytesAreRecountedAndStrangersTold() {
        var ledger = ChaosLedger(codes: Self.codes)
        for device in [2, 5, 9] { ledger.expect(Int64(device), accepted: 1) }
        ledger.take(
            [2, 5, 6], [OutcomeCode.accepted | Self.marked, OutcomeCode.moved, OutcomeCode.unknownWorkerLost])
        ledger.take([5, 9], [OutcomeCode.accepted, OutcomeCode.accepted])

        let findings = ledger.findings(.resend)
        #expect(findings.doubled == 1 && findings.skipped == 0 && findings.acceptedThere == 3)
        #expect(ledger.recount[.accepted] == 3 && ledger.recount[.moved] == 1 && ledger.recount[.unknown] == 1)
        #expect(ledger.recount.resent == 1 && ledger.recount.targeted == 4)
        #expect(ledger.unknowns == ["worker lost": 1])
    }
}
