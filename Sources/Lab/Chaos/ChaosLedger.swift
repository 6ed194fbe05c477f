import Campaigns
import Store

/// Compares the ledger with the simulator's record for each recipient of a run: the number of pushes that the simulator
/// accepted, and the outcomes in the ledger.
struct ChaosLedger {
    private struct Recipient {
        let device: Int64
        /// The number of pushes to this recipient that the simulator accepted.
        let accepted: UInt32
        /// The simulator rejected the last push.
        let isRefused: Bool
        /// The number of final outcomes: all but `deferred`. A recipient must have exactly one.
        var finalOutcomes: UInt8 = 0
        var outcome = OutcomeByte(rawValue: OutcomeCode.pending)
    }

    private var recipients: [Recipient] = []
    private let codes: [UInt8: OutcomeReason]
    /// The recount of all outcome bytes by kind.
    private(set) var recount = Ledger()
    private(set) var unknowns: [String: Int] = [:]
    /// The number of ids in batches that are not in the audience.
    private(set) var unknownRecipients = 0

    init(codes: [UInt8: OutcomeReason]) {
        self.codes = codes
    }

    /// Adds a recipient of the audience. Call by ascending ids.
    mutating func expect(_ device: Int64, accepted: Int, isRefused: Bool = false) {
        recipients.append(Recipient(device: device, accepted: UInt32(clamping: accepted), isRefused: isRefused))
    }

    /// Adds a batch with each recipient's outcome byte. Deferred recipients appear again in a later batch.
    mutating func take(_ devices: [Int64], _ outcomes: [UInt8]) {
        for (device, byte) in zip(devices, outcomes) {
            let outcome = OutcomeByte(rawValue: byte)
            let reason = codes[outcome.code]
            let kind = reason?.kind ?? .pending
            recount[kind] += 1
            if outcome.isResent { recount.resent += 1 }
            if kind == .unknown, let reason { unknowns[reason.reason, default: 0] += 1 }
            guard kind != .deferred else { continue }
            guard let index = index(of: device) else {
                unknownRecipients += 1
                continue
            }
            recipients[index].finalOutcomes = min(recipients[index].finalOutcomes, .max - 1) + 1
            recipients[index].outcome = outcome
        }
    }

    private func index(of device: Int64) -> Int? {
        var (low, high) = (0, recipients.count)
        while low < high {
            let middle = (low + high) / 2
            if recipients[middle].device < device { low = middle + 1 } else { high = middle }
        }
        return low < recipients.count && recipients[low].device == device ? low : nil
    }

    // MARK: Findings

    /// The number of recipients for each kind of agreement and disagreement.
    struct Findings: Equatable {
        var recipients = 0
        /// Without a final outcome, or accepted in the ledger and never by the simulator.
        var skipped = 0
        /// With more than one final outcome, or in a batch but not in the audience.
        var duplicateOutcomes = 0
        /// Accepted more than once by the simulator, without the mark "was unknown, sent again" that allows two.
        var acceptedTwice = 0
        /// Accepted twice by the simulator, with that mark.
        var acceptedTwiceMarked = 0
        /// Suppressed, expired or cancelled, which nothing in this run causes; or rejected only in the ledger.
        var unexplainedNonDelivery = 0
        /// Accepted by the simulator although the ledger says rejected, suppressed, expired or cancelled.
        var contradicted = 0
        /// Marked although the policy is "leave".
        var markedUnderLeave = 0
        /// Unknown and not marked although the policy is "resend": only one push was sent. Not those that the simulator
        /// rejected: a worker that was lost may have retired the device before.
        var notResent = 0
        /// Accepted by the simulator and unknown in the ledger, which is allowed.
        var reachedUnknown = 0
        /// Accepted by the simulator first; then marked, sent again and rejected.
        var reachedBefore = 0
        /// All pushes that the simulator accepted.
        var acceptedByAPNS = 0
        /// A description of the first recipient with each kind of problem.
        var examples: [String] = []
    }

    func findings(_ policy: UnknownPolicy) -> Findings {
        var findings = Findings()
        findings.recipients = recipients.count
        findings.duplicateOutcomes = unknownRecipients
        for recipient in recipients { check(recipient, policy, into: &findings) }
        return findings
    }

    private func check(_ recipient: Recipient, _ policy: UnknownPolicy, into findings: inout Findings) {
        let acceptedCount = Int(recipient.accepted)
        let isMarked = recipient.outcome.isResent
        let kind = codes[recipient.outcome.code]?.kind ?? .pending
        func report(_ count: WritableKeyPath<Findings, Int>) {
            findings[keyPath: count] += 1
            guard findings[keyPath: count] == 1 else { return }
            findings.examples.append(
                """
                device \(recipient.device): \(recipient.finalOutcomes) outcomes, last \(kind.rawValue) \
                (\(recipient.outcome.rawValue)), accepted \(acceptedCount) times by Apple
                """)
        }
        findings.acceptedByAPNS += acceptedCount
        if recipient.finalOutcomes > 1 { report(\.duplicateOutcomes) }
        if recipient.finalOutcomes == 0 || kind == .pending { report(\.skipped) }
        if isMarked && policy == .leave { report(\.markedUnderLeave) }
        if acceptedCount > (isMarked ? 2 : 1) {
            report(\.acceptedTwice)
        } else if acceptedCount == 2 {
            findings.acceptedTwiceMarked += 1
        }
        switch kind {
        case .suppressed, .expired, .cancelled: report(\.unexplainedNonDelivery)
        case .rejected: if !recipient.isRefused { report(\.unexplainedNonDelivery) }
        case .pending, .accepted, .unknown, .deferred: break
        }
        switch kind {
        case .accepted: if acceptedCount == 0 { report(\.skipped) }
        case .unknown:
            findings.reachedUnknown += min(acceptedCount, 1)
            if policy == .resend, !isMarked, !recipient.isRefused { report(\.notResent) }
        case .rejected, .suppressed, .expired, .cancelled:
            guard acceptedCount > 0 else { return }
            if isMarked { findings.reachedBefore += 1 } else { report(\.contradicted) }
        case .pending, .deferred: return
        }
    }
}
