import Foundation

/// Decides which pushes an opening of the app from its icon counts for. Such an open is counted apart from a tap, and
/// one tap must not count as both: decide after the activation has settled, when its response has arrived.
public struct InfluencedOpens: Sendable {
    /// A push that is still shown. iOS doesn't list those that the person has cleared.
    public struct Shown: Sendable {
        /// The push's `messageID`.
        public let messageID: String
        /// The notification's `date`.
        public let arrivedAt: Date

        /// From a `UNNotification` of Notification Center.
        public init(messageID: String, arrivedAt: Date) {
            self.messageID = messageID
            self.arrivedAt = arrivedAt
        }
    }

    /// A push that arrived earlier has not influenced the opening.
    public static let window: TimeInterval = 12 * 60 * 60
    /// Message ids that are remembered: more than iOS shows.
    public static let maximumCounted = 1_000

    private var counted: [String] = []
    private var wasTapped = false

    /// Nothing has been counted.
    public init() {}

    /// The app is becoming active: earlier taps belong to earlier openings.
    public mutating func activated() { wasTapped = false }

    /// A response opened the app, so nothing else did.
    public mutating func tapped(messageID: String?) {
        wasTapped = true
        if let messageID { count(messageID) }
    }

    /// The events of this opening; each message counts once.
    public mutating func settled(shown: [Shown], at date: Date) -> [Event] {
        guard !wasTapped else { return [] }
        var events: [Event] = []
        for push in shown where !counted.contains(push.messageID) {
            guard (0...Self.window).contains(date.timeIntervalSince(push.arrivedAt)) else { continue }
            count(push.messageID)
            events.append(Event(messageID: push.messageID, kind: .influenced, at: date))
        }
        return events
    }

    private mutating func count(_ id: String) {
        counted.append(id)
        if counted.count > Self.maximumCounted { counted.removeFirst() }
    }
}
