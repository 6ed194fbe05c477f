import Campaigns
import JSON
import Testing

@testable import Lab
@testable import Store

struct ChaosLedgerTests {
    private static let codes: [UInt8: OutcomeReason] = [
        OutcomeCode.pending: OutcomeReason(kind: .pending, reason: ""),
        OutcomeCode.accepted: OutcomeReason(kind: .accepted, reason: ""),
        OutcomeCode.deferred: OutcomeReason(kind: .deferred, reason: ""),
        OutcomeCode.expired: OutcomeReason(kind: .expired, reason: ""),
        OutcomeCode.cancelled: OutcomeReason(kind: .cancelled, reason: ""),
        OutcomeCode.suppressedDenied: OutcomeReason(kind: .suppressed, reason: "notifications denied"),
        OutcomeCode.unknownWorkerLost: OutcomeReason(kind: .unknown, reason: "worker lost"),
        48: OutcomeReason(kind: .rejected, reason: "TooManyRequests"),
    ]

    /// The findings for one recipient, from its bytes in successive batches and the number of accepted pushes.
    private func findings(
        _ bytes: [UInt8], accepted: Int, _ policy: UnknownPolicy = .resend, isRefused: Bool = false
    ) -> ChaosLedger.Findings {
        var ledger = ChaosLedger(codes: Self.codes)
        ledger.expect(7, accepted: accepted, isRefused: isRefused)
        for byte in bytes { ledger.take([7], [byte]) }
        var findings = ledger.findings(policy)
        #expect(findings.recipients == 1 && findings.acceptedByAPNS == accepted)
        // These members are the same in all cases.
        findings.examples = []
        findings.recipients = 0
        findings.acceptedByAPNS = 0
        return findings
    }

    private typealias Findings = ChaosLedger.Findings
    private static let marked = OutcomeByte.resentBit

    @Test func agreementGivesNoFindings() {
        #expect(findings([OutcomeCode.accepted], accepted: 1) == Findings())
        #expect(findings([48], accepted: 0, isRefused: true) == Findings())
        #expect(findings([OutcomeCode.accepted | Self.marked], accepted: 1) == Findings())
        #expect(findings([OutcomeCode.unknownWorkerLost], accepted: 0, .leave) == Findings())
    }

    @Test(arguments: [[], [OutcomeCode.pending], [OutcomeCode.accepted], [OutcomeCode.deferred]] as [[UInt8]])
    func recipientWithoutDeliveryIsSkipped(_ bytes: [UInt8]) {
        #expect(findings(bytes, accepted: 0).skipped == 1)
    }

    @Test func unexplainedNonDeliveryIsFound() {
        #expect(findings([48], accepted: 0).unexplainedNonDelivery == 1)
        for code in [OutcomeCode.expired, OutcomeCode.suppressedDenied, OutcomeCode.cancelled] {
            #expect(findings([code], accepted: 0, isRefused: true).unexplainedNonDelivery == 1)
        }
    }

    @Test func secondDeliveryRequiresAMarkAndAThirdIsAProblem() {
        #expect(findings([OutcomeCode.accepted], accepted: 2).acceptedTwice == 1)
        #expect(findings([OutcomeCode.unknownWorkerLost], accepted: 2, .leave).acceptedTwice == 1)
        let marked = findings([OutcomeCode.accepted | Self.marked], accepted: 2)
        #expect(marked.acceptedTwiceMarked == 1 && marked.acceptedTwice == 0)
        #expect(findings([OutcomeCode.accepted | Self.marked], accepted: 3).acceptedTwice == 1)
        #expect(findings([OutcomeCode.accepted | Self.marked], accepted: 1, .leave).markedUnderLeave == 1)
    }

    @Test func deferredRecipientHasItsOutcomeInTheLaterBatch() {
        #expect(findings([OutcomeCode.deferred, OutcomeCode.accepted], accepted: 1) == Findings())
        #expect(findings([OutcomeCode.deferred, OutcomeCode.deferred, 48], accepted: 0, isRefused: true) == Findings())
        #expect(findings([OutcomeCode.accepted, OutcomeCode.accepted], accepted: 1).duplicateOutcomes == 1)
    }

    @Test func acceptedPushWithARejectedOutcomeIsAContradictionUnlessResent() {
        #expect(findings([48], accepted: 1).contradicted == 1)
        let marked = findings([48 | Self.marked], accepted: 1)
        #expect(marked.contradicted == 0 && marked.reachedBefore == 1)
    }

    @Test func unknownRecipientMayHaveBeenReached() {
        #expect(findings([OutcomeCode.unknownWorkerLost], accepted: 1, .leave).reachedUnknown == 1)
        let again = findings([OutcomeCode.unknownWorkerLost | Self.marked], accepted: 2)
        #expect(again.reachedUnknown == 1 && again.acceptedTwiceMarked == 1 && again.acceptedTwice == 0)
    }

    @Test func unknownRecipientWithoutASecondPushIsAProblemUnderResend() {
        #expect(findings([OutcomeCode.unknownWorkerLost], accepted: 0, .resend).notResent == 1)
        #expect(findings([OutcomeCode.unknownWorkerLost], accepted: 0, .resend, isRefused: true).notResent == 0)
        #expect(findings([OutcomeCode.unknownWorkerLost], accepted: 0, .leave).notResent == 0)
        #expect(findings([OutcomeCode.unknownWorkerLost | Self.marked], accepted: 0, .resend).notResent == 0)
    }

    @Test func bytesAreRecountedAndUnknownRecipientsAreFound() {
        var ledger = ChaosLedger(codes: Self.codes)
        for device in [2, 5, 9] { ledger.expect(Int64(device), accepted: 1) }
        ledger.take(
            [2, 5, 6], [OutcomeCode.accepted | Self.marked, OutcomeCode.deferred, OutcomeCode.unknownWorkerLost])
        ledger.take([5, 9], [OutcomeCode.accepted, OutcomeCode.accepted])

        let findings = ledger.findings(.resend)
        #expect(findings.duplicateOutcomes == 1 && findings.skipped == 0 && findings.acceptedByAPNS == 3)
        #expect(ledger.recount[.accepted] == 3 && ledger.recount[.deferred] == 1 && ledger.recount[.unknown] == 1)
        #expect(ledger.recount.resent == 1 && ledger.recount.targeted == 4)
        #expect(ledger.unknowns == ["worker lost": 1])
    }
}
