import Foundation

/// A request's body. Make it immediately before each attempt, so that `sent_at` is the time of that attempt.
public enum EventBatch {
    /// Events in a request, as the API limits them.
    public static let maximumEvents = 1_000
    /// Bytes in a request, as the API limits them.
    public static let maximumSize = 256 * 1024

    private struct Body: Encodable {
        enum CodingKeys: String, CodingKey {
            case sentAt = "sent_at"
            case events
        }

        let sentAt: String
        let events: [Event]
    }

    /// The server refuses events of older pushes.
    static let longestDelay: TimeInterval = 30 * 24 * 60 * 60

    /// The body in JSON, uncompressed.
    ///
    /// The server corrects the events' times by the error of `sent_at`. An event that lies in the future or too far back
    /// is from before the clock was set: the correction would move it out of its push, so it gets the time of sending.
    public static func body(_ events: [Event], sentAt date: Date) throws -> Data {
        // The texts have one length, so they have the order of their times.
        let now = Event.timestamp(date)
        let oldest = Event.timestamp(date - longestDelay)
        let timed = events.map { event in
            var event = event
            if event.at < oldest || event.at > now { event.at = now }
            return event
        }
        return try JSONEncoder().encode(Body(sentAt: now, events: timed))
    }

    /// Bytes of the body around its events, with the comma after each counted with the event.
    private static let envelope = 64

    /// Splits the events at both limits, in order. An event that is too large alone gets a batch of its own.
    public static func split(_ events: [Event]) throws -> [Range<Int>] {
        var batches: [Range<Int>] = []
        var start = 0
        var size = envelope
        for (index, event) in events.enumerated() {
            let bytes = try JSONEncoder().encode(event).count + 1
            if index > start, index - start == maximumEvents || size + bytes > maximumSize {
                batches.append(start..<index)
                start = index
                size = envelope
            }
            size += bytes
        }
        if start < events.count { batches.append(start..<events.count) }
        return batches
    }
}
