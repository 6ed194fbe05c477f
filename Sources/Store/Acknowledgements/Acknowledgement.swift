public import Campaigns
public import Postgres

/// An event of a push, with a verified message id.
public struct Acknowledgement: Sendable {
    /// The maximum age of an event by the device's clock; older times are replaced by it.
    public static let maximumAge = Duration.seconds(30 * 24 * 60 * 60)

    public let messageNumber: Int64
    public let device: Device.ID
    public let kind: EventKind
    public let happenedAt: Timestamp

    /// `happenedAt` is the device's time, or nil; the stored time is never later than `now`.
    public init(
        messageNumber: Int64, device: Device.ID, kind: EventKind, happenedAt: Timestamp?, now: Timestamp = .now
    ) {
        self.messageNumber = messageNumber
        self.device = device
        self.kind = kind
        self.happenedAt = min(now, max(happenedAt ?? now, now - Self.maximumAge))
    }
}

/// The acknowledgements of one request.
public struct AcknowledgementRequest: Sendable {
    public let app: App.ID
    public let events: [Acknowledgement]

    public init(app: App.ID, events: [Acknowledgement]) {
        self.app = app
        self.events = events
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
