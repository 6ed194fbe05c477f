/// Decides which events to send next, and isolates an event that the server refuses by halving its batch.
struct EventDelivery: Sendable {
    /// The server's answer to a request.
    enum Answer: Sendable, Equatable {
        /// Status 200. The events in `failed` are done too: sending them again does not help.
        case accepted
        /// The request can never succeed as it is: 400, 413, 415, 422.
        case refused(reason: String)
        /// No answer, or one that asks for another attempt.
        case postponed
    }

    /// The next step of the sender. Ranges are indices into the claimed events.
    enum Action: Sendable, Equatable {
        /// The server has these events, or never takes them.
        case remove(Range<Int>)
        /// Sends the halves next; nothing is removed.
        case halve
        /// Removes the event and reports the reason, once.
        case drop(Int, reason: String)
        /// Gives these back, and ends: an outage is not a fault of an event.
        case release([Range<Int>])
        /// There was no request.
        case nothing
    }

    private var waiting: [Range<Int>]

    /// The batches of `EventBatch.split`.
    init(batches: [Range<Int>]) { waiting = batches.filter { !$0.isEmpty }.reversed() }

    /// The events of the next request; nil when all is done.
    var next: Range<Int>? { waiting.last }

    /// Call it with the answer to the request for `next`.
    mutating func received(_ answer: Answer) -> Action {
        guard let sent = waiting.popLast() else { return .nothing }
        switch answer {
        case .accepted: return .remove(sent)
        case .refused(let reason):
            guard sent.count > 1 else { return .drop(sent.lowerBound, reason: reason) }
            let middle = sent.lowerBound + sent.count / 2
            waiting.append(middle..<sent.upperBound)
            waiting.append(sent.lowerBound..<middle)
            return .halve
        case .postponed:
            let rest = [sent] + waiting.reversed()
            waiting = []
            return .release(rest)
        }
    }
}
