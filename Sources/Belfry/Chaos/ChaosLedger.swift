import Campaigns
import Store

/// Each recipient of a run as both sides know him: how often Apple's side accepted a push to him, and what the ledger
/// says of it. A value that is told everything, and then judges.
struct ChaosLedger {
    private struct Recipient {
        let device: Int64
        /// Pushes to him that Apple's side accepted.
        let accepted: UInt32
        /// Apple's side has said no at last.
        let isRefused: Bool
        /// Outcomes that are final: all but `moved`. There must be one.
        var finals: UInt8 = 0
        var outcome = OutcomeByte(rawValue: OutcomeCode.pending)
    }

    private var recipients: [Recipient] = []
    private let codes: [UInt8: OutcomeReason]
    /// The recount: bytes by what they mean.
    private(set) var recount = Ledger()
    private(set) var unknowns: [String: Int] = [:]
    /// Ids in batches that are nobody's.
    private(set) var strangers = 0

    init(codes: [UInt8: OutcomeReason]) {
        self.codes = codes
    }

    /// Somebody who is in the audience. By ascending ids.
    mutating func expect(_ device: Int64, accepted: Int, isRefused: Bool = false) {
        recipients.append(Recipient(device: device, accepted: UInt32(clamping: accepted), isRefused: isRefused))
    }

    /// A batch: each recipient's byte. Who was moved stands in a later batch again.
    mutating func take(_ devices: [Int64], _ outcomes: [UInt8]) {
        for (device, byte) in zip(devices, outcomes) {
            let outcome = OutcomeByte(rawValue: byte)
            let reason = codes[outcome.code]
            let kind = reason?.kind ?? .pending
            recount[kind] += 1
            if outcome.isResent { recount.resent += 1 }
            if kind == .unknown, let reason { unknowns[reason.reason, default: 0] += 1 }
            guard kind != .moved else { continue }
            guard let place = place(of: device) else {
                strangers += 1
                continue
            }
            recipients[place].finals = min(recipients[place].finals, .max - 1) + 1
            recipients[place].outcome = outcome
        }
    }

    private func place(of device: Int64) -> Int? {
        var (low, high) = (0, recipients.count)
        while low < high {
            let middle = (low + high) / 2
            if recipients[middle].device < device { low = middle + 1 } else { high = middle }
        }
        return low < recipients.count && recipients[low].device == device ? low : nil
    }

    // MARK: Judging

    /// How many, of each kind of agreement and disagreement.
    struct Findings: Equatable {
        var recipients = 0
        /// Without a final outcome, or accepted here and never there.
        var skipped = 0
        /// With more than one final outcome, or in a batch and not in the audience.
        var doubled = 0
        /// Accepted more than once there, without the mark "was unknown, sent again" that allows two.
        var twice = 0
        /// Accepted twice there, and marked so.
        var twiceMarked = 0
        /// Suppressed, expired or cancelled, for which nobody has cause here; or rejected though nobody has refused.
        var writtenOff = 0
        /// Accepted there although the ledger says that it was rejected, suppressed, expired or cancelled.
        var contradicted = 0
        /// Marked although the policy is "leave".
        var markedUnderLeave = 0
        /// Accepted there where the ledger does not know it, as it says.
        var reachedUnknown = 0
        /// Accepted there first; marked, sent again, and then refused.
        var reachedBefore = 0
        /// Pushes that Apple's side accepted, all in all.
        var acceptedThere = 0
        /// The devices of the first of each kind of trouble.
        var examples: [String] = []
    }

    func findings(_ policy: UnknownPolicy) -> Findings {
        var findings = Findings()
        findings.recipients = recipients.count
        findings.doubled = strangers
        for recipient in recipients { judge(recipient, policy, into: &findings) }
        return findings
    }

    private func judge(_ recipient: Recipient, _ policy: UnknownPolicy, into findings: inout Findings) {
        let there = Int(recipient.accepted)
        let isMarked = recipient.outcome.isResent
        let kind = codes[recipient.outcome.code]?.kind ?? .pending
        func trouble(_ count: WritableKeyPath<Findings, Int>) {
            findings[keyPath: count] += 1
            guard findings[keyPath: count] == 1 else { return }
            findings.examples.append(
                """
                device \(recipient.device): \(recipient.finals) outcomes, last \(kind.rawValue) \
                (\(recipient.outcome.rawValue)), accepted \(there) times by Apple
                """)
        }
        findings.acceptedThere += there
        if recipient.finals > 1 { trouble(\.doubled) }
        if recipient.finals == 0 || kind == .pending { trouble(\.skipped) }
        if isMarked && policy == .leave { trouble(\.markedUnderLeave) }
        if there > (isMarked ? 2 : 1) { trouble(\.twice) } else if there == 2 { findings.twiceMarked += 1 }
        switch kind {
        case .suppressed, .expired, .cancelled: trouble(\.writtenOff)
        case .rejected: if !recipient.isRefused { trouble(\.writtenOff) }
        case .pending, .accepted, .unknown, .moved: break
        }
        switch kind {
        case .accepted: if there == 0 { trouble(\.skipped) }
        case .unknown: findings.reachedUnknown += min(there, 1)
        case .rejected, .suppressed, .expired, .cancelled:
            guard there > 0 else { return }
            if isMarked { findings.reachedBefore += 1 } else { trouble(\.contradicted) }
        case .pending, .moved: return
        }
    }
}
