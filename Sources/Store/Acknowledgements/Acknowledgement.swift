public import Campaigns
public import Postgres

/// One event of one push, whose message id was found genuine.
public struct Acknowledgement: Sendable {
    /// What a phone's clock says is believed for so long into the past; older is taken as this old.
    public static let maximumAge = Duration.seconds(30 * 24 * 60 * 60)

    public let messageNumber: Int64
    public let device: Device.ID
    public let kind: EventKind
    public let happenedAt: Timestamp

    /// `happenedAt` is the phone's word, or nil; it is never later than `now`.
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

/// What became of a request's events: all of them are in the database.
public struct AcknowledgementCount: Equatable, Sendable {
    /// New ones.
    public var stored = 0
    /// Those that were there before, or came twice.
    public var known = 0

    public init(stored: Int = 0, known: Int = 0) {
        self.stored = stored
        self.known = known
    }
}
