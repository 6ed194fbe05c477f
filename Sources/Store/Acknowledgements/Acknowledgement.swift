public import Campaigns
public import Postgres

/// An event of a push, with a verified message id.
public struct Acknowledgement: Sendable {
    public let messageNumber: Int64
    public let device: Device.ID
    public let kind: EventKind
    public let time: EventTime

    public init(messageNumber: Int64, device: Device.ID, kind: EventKind, time: EventTime) {
        self.messageNumber = messageNumber
        self.device = device
        self.kind = kind
        self.time = time
    }
}

/// When an event happened, according to the device.
public enum EventTime: Hashable, Sendable {
    /// The device gave no time: the time of receipt counts.
    case receipt
    /// The device gave a time that can't be read. The time of receipt counts, and is marked as corrected.
    case unreadable
    case device(Timestamp)
}

/// The stored time of an event. Nil means the time of receipt.
struct StoredEventTime: Equatable {
    /// The maximum age of an event whose push is not known any more, because its campaign was deleted.
    static let maximumAge = Duration.seconds(30 * 24 * 60 * 60)

    let happenedAt: Timestamp?
    let isCorrected: Bool

    /// `sentSince` is the time before which the push can't have been sent; nil if it is unknown. `now` is the time of
    /// receipt.
    init(_ time: EventTime, sentSince: Timestamp?, now: Timestamp) {
        switch time {
        case .receipt: (happenedAt, isCorrected) = (nil, false)
        case .unreadable: (happenedAt, isCorrected) = (nil, true)
        case .device(let time):
            let isPossible = (sentSince ?? now - Self.maximumAge) <= time && time <= now
            happenedAt = isPossible ? time : nil
            isCorrected = !isPossible
        }
    }
}

/// The acknowledgements of one request.
public struct AcknowledgementRequest: Sendable {
    public let app: App.ID
    public let events: [Acknowledgement]
    public let receivedAt: Timestamp

    public init(app: App.ID, events: [Acknowledgement], receivedAt: Timestamp = .now) {
        self.app = app
        self.events = events
        self.receivedAt = receivedAt
    }
}

/// The result of a request: all of its events are in the database.
public struct AcknowledgementCount: Equatable, Sendable {
    /// New events.
    public var stored = 0
    /// Events that were stored before, or occur twice in the group.
    public var duplicates = 0

    public init(stored: Int = 0, duplicates: Int = 0) {
        self.stored = stored
        self.duplicates = duplicates
    }
}
