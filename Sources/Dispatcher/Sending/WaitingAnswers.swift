import EventLoop
import Store

/// Apple's last answers for which recipients of a batch wait, by what they are deferred for. They are stored with the next
/// flush, so that a person sees why nothing happens.
struct WaitingAnswers {
    typealias Answer = (reason: String, at: MonotonicTime)

    private var answers: [BatchProgress.Postponement: Answer] = [:]
    private var isStored = true
    /// A batch that was claimed before may have an answer in its row.
    private var mayBeInRow: Bool

    init(mayBeInRow: Bool = false) { self.mayBeInRow = mayBeInRow }

    mutating func answered(_ reason: String, _ kind: BatchProgress.Postponement, at now: MonotonicTime) {
        if let known = answers[kind], known == (reason, now) { return }
        answers[kind] = (reason, now)
        isStored = false
        mayBeInRow = true
    }

    /// Apple accepts pushes, and nobody waits.
    mutating func ended() {
        guard mayBeInRow else { return }
        answers.removeAll()
        mayBeInRow = false
        isStored = false
    }

    func answer(_ kind: BatchProgress.Postponement, at now: MonotonicTime) -> (reason: String, age: Duration)? {
        answers[kind].map { ($0.reason, now - $0.at) }
    }

    /// Returns the note for a flush that begins now. Answers that come while it is under way are for the next one.
    mutating func note(at now: MonotonicTime) -> FlushStore.AnswerNote {
        if isStored { return .keep }
        isStored = true
        guard let newest = answers.values.max(by: { $0.at < $1.at }) else { return .clear }
        return .set(newest.reason, age: now - newest.at)
    }

    /// It is not known whether the flush with this note was stored.
    mutating func interrupted(_ note: FlushStore.AnswerNote) {
        if note != .keep { isStored = false }
    }
}
