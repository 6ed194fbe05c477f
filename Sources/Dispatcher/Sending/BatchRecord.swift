import APNS
import Campaigns
import EventLoop
import Store

/// What is known of a batch's recipients: their outcomes, whose answers are late, and Apple's answers for which they
/// wait. A value: the sender reports results, does what the findings say, and stores the record.
struct BatchRecord {
    struct Rules {
        /// How often a push is retried during one lease.
        let retries: Int
        /// False if pushes are only worth delivering now.
        let mayWait: Bool
        /// Apple's words.
        let reasons: ReasonTable
    }

    /// What results mean beyond their recipients' outcomes.
    struct Findings {
        /// Answers that count towards the rejection threshold.
        var accepted = 0
        var rejected: [ReasonTable.Number: Int] = [:]
        /// Those of the rejected whose token the environment or the topic does not know.
        var mismatches = 0
        /// Recipients whose token Apple reports as invalid.
        var gone: [(recipient: Int32, result: PushResult)] = []
        /// The credential's fault: the run has to stop now.
        var fault: PushResult?
        /// The same, after several windows in which nothing was accepted.
        var lastingFault: PushResult?
    }

    typealias Codes = [ReasonTable.Number: UInt8]

    var progress: BatchProgress
    /// The recipients of late pushes.
    private var late: [LatePushes.ID: Int32] = [:]
    private var waiting: WaitingAnswers
    /// Outcomes of late pushes were recorded since the last flush.
    private(set) var hasUnstoredLate = false
    /// Apple complained about the connection or the provider token.
    private(set) var hasCredentialFault = false
    /// Windows in a row without an accepted push that Apple refused because of the credential.
    private var faultyWindows = 0
    private let rules: Rules

    init(_ progress: BatchProgress, _ rules: Rules, waiting: WaitingAnswers = WaitingAnswers()) {
        self.progress = progress
        self.rules = rules
        self.waiting = waiting
    }

    /// Recipients whose answers are late.
    var lateCount: Int { late.count }

    /// Recipients for whom the batch waits once nobody else is left.
    var waitingCount: Int { progress.unsent.count + late.count }

    /// The recipients of a window that is declared and certainly not on the wire.
    mutating func requeue(_ declared: DeclaredWindow) {
        for index in declared.indices { progress.requeue(Int(index)) }
    }

    // MARK: Results

    /// A window has returned. The results of its late pushes come later.
    mutating func record(_ declared: DeclaredWindow, _ codes: Codes, at now: MonotonicTime) -> Findings {
        var group = Group()
        for (position, recipient) in declared.indices.enumerated() {
            let result = declared.window.results[position]
            if result.state == .late {
                late[LatePushes.ID(window: declared.window.number, index: position)] = recipient
            } else {
                record(recipient, result, codes, in: &group)
            }
        }
        return finish(group, at: now)
    }

    mutating func record(
        late results: [(id: LatePushes.ID, result: PushResult)], _ codes: Codes, at now: MonotonicTime
    ) -> Findings {
        var group = Group()
        for (id, result) in results {
            guard let recipient = late.removeValue(forKey: id) else { continue }
            hasUnstoredLate = true
            record(recipient, result, codes, in: &group)
        }
        return finish(group, at: now)
    }

    /// Results that are looked at together.
    private struct Group {
        var findings = Findings()
        /// Another connection or another token may help.
        var fault: PushResult?
        /// The last of the answers for which recipients wait.
        var waiting: [BatchProgress.Postponement: ReasonTable.Number] = [:]
    }

    private mutating func record(_ recipient: Int32, _ result: PushResult, _ codes: Codes, in group: inout Group) {
        let index = Int(recipient)
        switch PushVerdict(result, codes: codes) {
        case .accepted:
            progress.record(index, OutcomeCode.accepted)
            group.findings.accepted += 1
        case .refused(let reaction, let code):
            if reaction.token == .unknown || reaction.token == .foreign { group.findings.mismatches += 1 }
            if isFinal(index, result, reaction, code, in: &group) {
                group.findings.rejected[result.reason, default: 0] += 1
                if reaction.token == .gone { group.findings.gone.append((recipient, result)) }
            }
        case .unsent: progress.requeue(index)
        case .unknown(let code): progress.unknown(index, code)
        }
    }

    /// Records a rejection. True when it is final.
    private mutating func isFinal(
        _ index: Int, _ result: PushResult, _ reaction: Reaction, _ code: UInt8, in group: inout Group
    ) -> Bool {
        if reaction.blamesCredential {
            refusedForCredential(index, result, mayRecover: reaction.push != .ends, in: &group)
            return false
        }
        let kind: BatchProgress.Postponement
        switch reaction.push {
        case .waitsForDevice: kind = .device
        case .waitsForApple: kind = .apple
        case .ends:
            if reaction.token == .unknown {
                progress.recordMismatch(index, code)
            } else {
                progress.record(index, code)
            }
            return true
        }
        // Retries within this lease, then in a later batch.
        if !progress.delay(index, atMost: rules.retries) {
            guard rules.mayWait else {
                progress.record(index, code)
                return true
            }
            progress.postpone(index, kind)
        }
        group.waiting[kind] = result.reason
        return false
    }

    /// The recipient is not the cause: the push is sent after the error is fixed.
    private mutating func refusedForCredential(
        _ index: Int, _ result: PushResult, mayRecover: Bool, in group: inout Group
    ) {
        if mayRecover { group.fault = result }
        hasCredentialFault = true
        group.waiting[.apple] = result.reason
        if mayRecover, progress.delay(index, atMost: rules.retries) { return }
        progress.requeue(index)
        group.findings.fault = result
    }

    private mutating func finish(_ group: Group, at now: MonotonicTime) -> Findings {
        var findings = group.findings
        // The credential's fault concerns all recipients, so it is counted for the batch, as the client tries it with few.
        if findings.accepted > 0 {
            faultyWindows = 0
        } else if let fault = group.fault {
            faultyWindows += 1
            if faultyWindows > rules.retries { findings.lastingFault = fault }
        }
        if findings.accepted > 0, progress.delayed.isEmpty, progress.postponed.isEmpty { waiting.ended() }
        for (kind, reason) in group.waiting { waiting.answered(rules.reasons.text(reason), kind, at: now) }
        return findings
    }

    // MARK: Answers for which recipients wait

    /// Apple takes no pushes of the credential, for this reason.
    mutating func refusedAll(_ answer: SlowdownAnswer) {
        waiting.answered(answer.reason.rawValue, .apple, at: answer.at)
    }

    func answer(_ kind: BatchProgress.Postponement, at now: MonotonicTime) -> (reason: String, age: Duration)? {
        waiting.answer(kind, at: now)
    }

    // MARK: Flushes

    /// Returns the note for a flush that begins now.
    mutating func note(at now: MonotonicTime) -> FlushStore.AnswerNote { waiting.note(at: now) }

    /// It is not known whether the flush with this note was stored.
    mutating func interrupted(_ note: FlushStore.AnswerNote) { waiting.interrupted(note) }

    mutating func stored() { hasUnstoredLate = false }
}
