/// How long a client may still keep us waiting for its body: in all, and until the next so many
/// bytes. Only waiting counts, so a slow handler is not held against the client. A body that is longer than most gets
/// the whole time anew for each further part, so that a file of any size can come over a slow line.
struct BodyPace {
    /// Bytes of such a part.
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

    /// How long the next wait may last.
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
