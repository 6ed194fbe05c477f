public import Postgres

/// The time of an event, according to the device.
public enum EventTime: Hashable, Sendable {
    /// The device gave no time: the time of receipt counts.
    case receipt
    /// The device gave a time that can't be read. The time of receipt counts, and is marked as corrected.
    case unreadable
    case device(Timestamp)
}

/// Decides which time is stored for the events of a request, and which events come too early or too late.
/// Docs/decisions/statistics.md explains why times are corrected.
public struct EventClock: Hashable, Sendable {
    /// A device's clock that differs less from ours is trusted.
    public static let tolerance = Duration.seconds(60)
    /// Events that are received later after the start of the push are refused.
    public static let maximumAge = Duration.seconds(30 * 24 * 60 * 60)

    /// The stored time of an event.
    struct Moment: Hashable {
        /// Nil means the time of receipt.
        let happenedAt: Timestamp?
        let isCorrected: Bool

        static let receipt = Moment(happenedAt: nil, isCorrected: false)
        static let correctedToReceipt = Moment(happenedAt: nil, isCorrected: true)
    }

    /// The reason why an event is refused.
    public enum Refusal: Error, Hashable, Sendable {
        /// It happened before the push was sent, although the device's clock is known.
        case beforeStart
        /// It was received more than `maximumAge` after the push was sent.
        case tooLate
    }

    let receivedAt: Timestamp
    /// The time by which the device's clock is behind ours; nil if the request does not tell the device's time. Zero
    /// within the tolerance.
    private let offset: Duration?

    /// `sentAt` is the time of the device when it sent the request.
    public init(receivedAt: Timestamp = .now, sentAt: Timestamp? = nil) {
        self.receivedAt = receivedAt
        offset = sentAt.map { sentAt in
            let offset = receivedAt - sentAt
            return abs(offset) <= Self.tolerance ? .zero : offset
        }
    }

    /// How long before the receipt something happened, by the corrected clock; negative for the future.
    func age(of time: Timestamp) -> Duration { receivedAt - (time + (offset ?? .zero)) }

    /// `start` is the time before which the push can't have been sent; nil if it is not known any more.
    ///
    /// A genuine message id proves that the push was received. An impossible time therefore is a wrong clock's, and the
    /// time of receipt counts, unless the request shows that the clock is right.
    func moment(of time: EventTime, start: Timestamp?) -> Result<Moment, Refusal> {
        // A later start was stored while the database's clock was ahead.
        let start = min(start ?? receivedAt - Self.maximumAge, receivedAt)
        guard receivedAt <= start + Self.maximumAge else { return .failure(.tooLate) }
        switch time {
        case .receipt: return .success(.receipt)
        case .unreadable: return .success(.correctedToReceipt)
        case .device(let told):
            let happenedAt = told + (offset ?? .zero)
            guard happenedAt <= receivedAt else {
                return .success(happenedAt - receivedAt <= Self.tolerance ? .receipt : .correctedToReceipt)
            }
            if happenedAt >= start {
                return .success(Moment(happenedAt: happenedAt, isCorrected: happenedAt != told))
            }
            if start - happenedAt <= Self.tolerance { return .success(Moment(happenedAt: start, isCorrected: true)) }
            return offset == nil ? .success(.correctedToReceipt) : .failure(.beforeStart)
        }
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
