import Campaigns
import EventLoop

/// What became of a batch of transactional pushes so far, and who is to be sent to next. A value: the sender tells it
/// what happened, and does what it says.
///
/// An unknown stays unknown: nobody gets such a push twice.
struct PushProgress {
    private(set) var outcomes: [UInt8]
    /// Until when each is worth another attempt.
    private let patience: [MonotonicTime]
    /// To be sent, or sent again.
    private var waiting: [Int]
    /// Apple's last word to those who are to be sent again.
    private var refusals: [Int: UInt8] = [:]
    /// How often somebody had to wait.
    private(set) var pauses = 0

    init(outcomes: [UInt8], patience: [MonotonicTime]) {
        self.outcomes = outcomes
        self.patience = patience
        waiting = outcomes.indices.filter { outcomes[$0] == OutcomeCode.pending }
    }

    /// Nobody is to be sent to any more.
    var isOver: Bool { waiting.isEmpty }

    /// Those to be sent to now, and until when that is worth it for each of them; each must come back by one of the two
    /// below.
    mutating func next(at now: MonotonicTime) -> (indices: [Int], until: MonotonicTime) {
        end(as: OutcomeCode.expired) { $0 <= now }
        defer { waiting.removeAll() }
        return (waiting, waiting.map { patience[$0] }.min() ?? now)
    }

    /// The last word.
    mutating func record(_ index: Int, _ code: UInt8) {
        outcomes[index] = code
        refusals[index] = nil
    }

    /// Certainly not with the phone: to be sent again. `code` is Apple's reason, if it was Apple who said so.
    mutating func putOff(_ index: Int, refusedAs code: UInt8? = nil) {
        waiting.append(index)
        if let code { refusals[index] = code }
    }

    /// Which of the delays comes before the next attempt. Those whose time is over by then wait no longer: Apple's
    /// reason is the last word about them, and without one they have expired.
    mutating func pause(among delays: [Duration], at now: MonotonicTime) -> Duration {
        let delay = delays[min(pauses, delays.count - 1)]
        pauses += 1
        end(as: OutcomeCode.expired) { $0 <= now + delay }
        return delay
    }

    /// The process is to end, and nobody else has the payloads.
    mutating func giveUp() {
        end(as: OutcomeCode.cancelled) { _ in true }
    }

    private mutating func end(as code: UInt8, where isOver: (MonotonicTime) -> Bool) {
        for index in waiting where isOver(patience[index]) { outcomes[index] = refusals[index] ?? code }
        waiting.removeAll { isOver(patience[$0]) }
    }
}
