import EventLoop

/// Apple's answers on a connection since they were last reported. Counting one costs an addition.
struct AnswerTally {
    /// Round trips that are kept between two reports: one push at a time is measured.
    static let maximumRoundTrips = 100
    /// A push that has no answer after this time gets none, and another one is measured: longer than a request's deadline.
    static let patience = Duration.seconds(60)

    struct Answer: Hashable {
        let status: UInt16
        let reason: ReasonTable.Number
    }

    private(set) var accepted = 0
    private(set) var others: [Answer: Int] = [:]
    private(set) var roundTrips: [Duration] = []
    /// The push whose answer is awaited, and when it was submitted.
    private var probe: (tag: Int, submitted: MonotonicTime)?

    var isEmpty: Bool { accepted == 0 && others.isEmpty && roundTrips.isEmpty }

    mutating func submitted(_ tag: Int, at now: MonotonicTime) {
        if let probe, now - probe.submitted < Self.patience { return }
        probe = (tag, now)
    }

    mutating func answered(_ tag: Int, _ result: PushResult) {
        if result.status == 200 {
            accepted += 1
        } else {
            others[Answer(status: result.status, reason: result.reason), default: 0] += 1
        }
        guard let probe, probe.tag == tag else { return }
        if roundTrips.count < Self.maximumRoundTrips { roundTrips.append(.now() - probe.submitted) }
        self.probe = nil
    }

    /// The push has another tag from now on.
    mutating func moved(_ tag: Int, to other: Int) {
        if probe?.tag == tag { probe?.tag = other }
    }

    /// Since the last call.
    mutating func take() -> AnswerTally {
        let taken = self
        self = AnswerTally()
        probe = taken.probe
        return taken
    }
}
