import EventLoop

/// What a batch does next. Decided from values, without sockets and clocks.
enum NextStep: Equatable {
    /// Another process may hold the batch: nothing more is sent or stored.
    case giveUp
    /// The batch ends. A window that is declared is not sent.
    case end(BatchEnding)
    /// Declares the next window, and sends the one that is declared already meanwhile.
    case declare
    /// Sends the declared window: there is nobody to declare until its answers come.
    case send
    /// Only recipients are left whose answers are late, or whom Apple has deferred.
    case rest

    init(_ record: BatchRecord, isHeld: Bool, ending: BatchEnding?, hasDeclared: Bool) {
        if !isHeld {
            self = .giveUp
        } else if let ending {
            self = .end(ending)
        } else if record.progress.hasNext {
            self = .declare
        } else if hasDeclared {
            self = .send
        } else if record.lateCount == 0, record.progress.isExhausted {
            self = .end(.done)
        } else {
            self = .rest
        }
    }
}

/// The rest of a batch of which only late and deferred recipients are left. A value.
struct BatchRest {
    enum Step: Equatable {
        /// There is somebody to send to, or nobody is left.
        case over
        /// The deferred recipients may be sent to again.
        case retry
        case wait(Duration)
    }

    /// The longest wait: the end of the run is noticed then, and outcomes of late pushes are stored.
    static let longestWait = Duration.seconds(1)

    /// When the deferred recipients are sent to again; nil as long as there are none.
    private var retryAt: MonotonicTime?

    /// `delays` are those before the first, second, … retry.
    mutating func next(_ record: BatchRecord, delays: [Duration], at now: MonotonicTime) -> Step {
        let progress = record.progress
        if progress.hasNext || (record.lateCount == 0 && progress.delayed.isEmpty) { return .over }
        guard !progress.delayed.isEmpty else { return .wait(Self.longestWait) }
        let retryAt = self.retryAt ?? now + delays[min(progress.maximumDelayCount, delays.count) - 1]
        self.retryAt = retryAt
        return retryAt <= now ? .retry : .wait(min(retryAt - now, Self.longestWait))
    }
}
