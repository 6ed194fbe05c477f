public import Campaigns

/// An event of a push, with a verified message id.
public struct Acknowledgement: Sendable {
    /// The maximum length of a reply in bytes.
    public static let maximumTextLength = 8_000

    /// The index in its request.
    public let index: Int
    public let messageNumber: Int64
    public let device: Device.ID
    public let kind: EventKind
    public let time: EventTime
    /// Nil for events of kinds that have none, which are most.
    public let details: EventDetails?

    public init(
        index: Int, messageNumber: Int64, device: Device.ID, kind: EventKind, time: EventTime,
        details: EventDetails? = nil
    ) {
        self.index = index
        self.messageNumber = messageNumber
        self.device = device
        self.kind = kind
        self.time = time
        self.details = details
    }
}

/// The parts that only some kinds of events have. A class, so that an event without them is small: events are sorted.
public final class EventDetails: Hashable, Sendable {
    /// Identifier of the action, or name of the conversion; empty for a reply without an action.
    public let action: String
    /// The reply that a person typed.
    public let text: String?
    /// The value of a conversion in millionths of the app's unit: integers add up exactly.
    public let valueMillionths: Int64?

    public init(action: String = "", text: String? = nil, valueMillionths: Int64? = nil) {
        self.action = action
        self.text = text
        self.valueMillionths = valueMillionths
    }

    public static func == (left: EventDetails, right: EventDetails) -> Bool {
        left.action == right.action && left.text == right.text && left.valueMillionths == right.valueMillionths
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(action)
        hasher.combine(text)
        hasher.combine(valueMillionths)
    }
}

/// The acknowledgements of one request.
public struct AcknowledgementRequest: Sendable {
    public let app: App.ID
    public let events: [Acknowledgement]
    public let clock: EventClock
    /// Events whose message id is not one of the app. They are only counted.
    public let forged: Int

    public init(app: App.ID, events: [Acknowledgement], clock: EventClock = EventClock(), forged: Int = 0) {
        self.app = app
        self.events = events
        self.clock = clock
        self.forged = forged
    }
}

extension AcknowledgementRequest {
    /// How long ago its first event happened, by the corrected clock of the device; nil if that is not known.
    public var age: Duration? {
        guard let event = events.first, case .device(let time) = event.time else { return nil }
        return clock.age(of: time)
    }
}

/// The result of a request: all events that were not refused are in the database.
public struct AcknowledgementCount: Equatable, Sendable {
    /// New events.
    public var stored = 0
    /// Events that were stored before, or occur twice in the group.
    public var duplicates = 0
    public var refused: [RefusedEvent] = []

    public init(stored: Int = 0, duplicates: Int = 0, refused: [RefusedEvent] = []) {
        self.stored = stored
        self.duplicates = duplicates
        self.refused = refused
    }
}

/// An event that was not stored because of its time.
public struct RefusedEvent: Equatable, Sendable {
    /// The index in its request.
    public let index: Int
    public let reason: EventClock.Refusal

    public init(index: Int, reason: EventClock.Refusal) {
        self.index = index
        self.reason = reason
    }
}
