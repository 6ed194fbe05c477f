import Campaigns
import EventLoop
import Store

/// How a batch ends before everybody was sent to, or after.
enum BatchEnding: Hashable {
    /// Nobody is left, or the rest is written off.
    case done
    /// Another process may claim it immediately.
    case released

    var disposition: FlushStore.Disposition {
        switch self {
        case .done: .done
        case .released: .released
        }
    }
}

/// Until when a batch may be sent, as the database said with the last stored flush. A value.
struct SendingLimits: Equatable {
    /// The run is over: what is pending gets this outcome.
    enum Over: Hashable {
        case cancelled, expired

        var code: UInt8 {
            switch self {
            case .cancelled: OutcomeCode.cancelled
            case .expired: OutcomeCode.expired
            }
        }
    }

    /// The state of the process and of the run, as they are known here.
    struct Circumstances: Equatable {
        var isStopping = false
        /// The run's state in the last poll or flush; nil if the run was in no poll.
        var state: RunRecord.State?
        /// Too many pushes of the run were rejected.
        var isOverThreshold = false
    }

    private(set) var runState = RunRecord.State.sending
    /// Nil until the first flush has returned it.
    private(set) var expiresAt: MonotonicTime?
    /// When its recipients have to be re-evaluated, because quiet hours begin for example.
    private(set) var reevaluateAt: MonotonicTime?

    /// A flush was stored. Times count from `began`, before the query, so they are at worst slightly too early.
    mutating func stored(_ stored: FlushStore.Stored, began: MonotonicTime) {
        runState = stored.runState
        expiresAt = began + stored.expiresIn
        reevaluateAt = stored.reevaluateIn.map { began + $0 }
    }

    /// Whether the batch has to end now; nil to continue.
    func ending(_ circumstances: Circumstances, at now: MonotonicTime) -> BatchEnding? {
        if circumstances.isStopping { return .released }
        if circumstances.state ?? runState == .paused { return .released }
        if over(circumstances.state, at: now) != nil { return .done }
        let needsReevaluation = reevaluateAt.map { $0 <= now } ?? false
        return needsReevaluation || circumstances.isOverThreshold ? .released : nil
    }

    func over(_ state: RunRecord.State?, at now: MonotonicTime) -> Over? {
        switch state ?? runState {
        case .cancelled, .finished: return .cancelled
        case .sending, .paused: break
        }
        return expiresAt.map { $0 <= now } ?? false ? .expired : nil
    }

    /// Until when pushes may begin, if the lease allows it until `safe`.
    func sendDeadline(within safe: MonotonicTime) -> MonotonicTime {
        [safe, expiresAt, reevaluateAt].compactMap { $0 }.min() ?? safe
    }
}
