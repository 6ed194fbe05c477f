import Campaigns
import EventLoop

/// The outcomes of a batch of transactional pushes so far, and the pushes to send next. A value: the sender reports
/// events to it and follows its decisions.
///
/// Unknown outcomes stay unknown: a transactional push is never sent twice.
struct PushProgress {
    private(set) var outcomes: [UInt8]
    /// Until when each push may be retried.
    private let retryDeadlines: [MonotonicTime]
    /// To be sent, or sent again.
    private var waiting: [Int]
    /// Apple's last rejection of each push that is to be retried.
    private var lastRejections: [Int: UInt8] = [:]
    /// The code of pushes that expire without an answer of their own: with Apple's last answer to all, if there was one.
    var expired = OutcomeCode.expired
    /// The number of pauses between attempts so far.
    private(set) var pauses = 0

    init(outcomes: [UInt8], retryDeadlines: [MonotonicTime]) {
        self.outcomes = outcomes
        self.retryDeadlines = retryDeadlines
        waiting = outcomes.indices.filter { outcomes[$0] == OutcomeCode.pending }
    }

    /// Whether no push is left to send.
    var isOver: Bool { waiting.isEmpty }

    /// The pushes to send now, and until when all of them may be sent. Each must be reported by `record` or
    /// `retryLater`.
    mutating func next(at now: MonotonicTime) -> (indices: [Int], until: MonotonicTime) {
        end(as: expired) { $0 <= now }
        defer { waiting.removeAll() }
        return (waiting, waiting.map { retryDeadlines[$0] }.min() ?? now)
    }

    /// Records a final outcome.
    mutating func record(_ index: Int, _ code: UInt8) {
        outcomes[index] = code
        lastRejections[index] = nil
    }

    /// Retries a push that certainly was not delivered. `code` is Apple's reason, if Apple rejected it.
    mutating func retryLater(_ index: Int, refusedAs code: UInt8? = nil) {
        waiting.append(index)
        if let code { lastRejections[index] = code }
    }

    /// The delay before the next attempt. Pushes that expire during it end now: with Apple's last reason, or as expired
    /// without one.
    mutating func pause(among delays: [Duration], at now: MonotonicTime) -> Duration {
        let delay = delays[min(pauses, delays.count - 1)]
        pauses += 1
        end(as: expired) { $0 <= now + delay }
        return delay
    }

    /// Ends all waiting pushes on shutdown: no other process has the payloads.
    mutating func giveUp() {
        end(as: OutcomeCode.cancelled) { _ in true }
    }

    private mutating func end(as code: UInt8, where isOver: (MonotonicTime) -> Bool) {
        for index in waiting where isOver(retryDeadlines[index]) { outcomes[index] = lastRejections[index] ?? code }
        waiting.removeAll { isOver(retryDeadlines[$0]) }
    }
}
