import DequeModule
import EventLoop

/// Answers that wait for the same time, in the order of their requests.
struct AnswerQueue {
    struct Answer: Equatable {
        let due: MonotonicTime
        let stream: Int32
        let slot: Int
        let isDeferral: Bool
    }

    let delay: Duration
    private var answers: Deque<Answer> = []

    init(delay: Duration) {
        self.delay = delay
    }

    var nextDue: MonotonicTime? { answers.first?.due }

    static func earlier(_ one: MonotonicTime?, _ other: MonotonicTime?) -> MonotonicTime? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    mutating func add(stream: Int32, slot: Int, isDeferral: Bool, at now: MonotonicTime) {
        answers.append(Answer(due: now + delay, stream: stream, slot: slot, isDeferral: isDeferral))
    }

    /// Removes the first answer if it is due.
    mutating func popDue(at now: MonotonicTime) -> Answer? {
        guard let first = answers.first, first.due <= now else { return nil }
        return answers.removeFirst()
    }
}
