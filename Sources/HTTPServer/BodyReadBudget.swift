/// The time that the server still waits for a request's body: in total, and until the next `progressBytes`. Only
/// waiting counts, so a slow handler does not use up the client's time. Each part of `partBytes` gets the full time
/// again, so that a file of any size can be uploaded over a slow connection.
struct BodyReadBudget {
    /// The size of a part that renews the total time, in bytes.
    static let partBytes = Router.defaultBodyLimit

    private let deadline: Duration
    private let progressBytes: Int
    private let progressDeadline: Duration
    private var remaining: Duration
    private var remainingProgress: Duration
    private var bytes = 0
    private var partBytes = 0

    init(deadline: Duration, progressDeadline: Duration, progressBytes: Int) {
        self.progressBytes = progressBytes
        self.progressDeadline = progressDeadline
        self.deadline = deadline
        remaining = deadline
        remainingProgress = progressDeadline
    }

    /// The maximum duration of the next wait.
    var allowance: Duration { max(.zero, min(remaining, remainingProgress)) }

    mutating func waited(_ duration: Duration, for count: Int) {
        remaining -= duration
        remainingProgress -= duration
        bytes += count
        partBytes += count
        if partBytes >= Self.partBytes {
            partBytes = 0
            remaining = deadline
        }
        if bytes >= progressBytes {
            bytes = 0
            remainingProgress = progressDeadline
        }
    }
}
