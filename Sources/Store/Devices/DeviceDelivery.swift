public import Campaigns
public import Postgres

/// A push to a device, and what became of it.
public struct DeviceDelivery: Sendable {
    /// The batch, whose ids grow with time.
    public let batch: Int64
    public let device: Device.ID
    /// Nil once the device's row is gone.
    public let installation: String?
    public let messageNumber: Int64
    /// Nil for a transactional push.
    public let campaign: Campaign.ID?
    public let campaignName: String?
    public let run: Run.ID?
    public let outcome: OutcomeKind
    public let reason: String?
    public let isResent: Bool
    public let wasDeferred: Bool
    /// The push was sent between these times. The second is nil while the batch is being sent.
    public let dueAt: Timestamp
    public let endedAt: Timestamp?
    /// The device when the push was sent.
    public let profile: DeviceProfile
    public internal(set) var events: [Event] = []

    /// An event that the device has reported about the push.
    public struct Event: Hashable, Sendable {
        public let kind: EventKind
        /// Empty for kinds without one.
        public let action: String
        public let text: String?
        public let value: String?
        public let happenedAt: Timestamp
        public let isImplied: Bool
    }
}

/// A page of the pushes to a device or to a person, newest first.
public struct DeviceHistoryPage: Sendable {
    public let deliveries: [DeviceDelivery]
    /// The end of what was searched; nil if nothing is left. A page can be short or empty without being the last, since a
    /// page reads a bounded number of lists of recipients.
    public let next: DeviceHistoryPosition?
}

/// A place in the history of devices: the batch and the device of an entry.
public struct DeviceHistoryPosition: Hashable, Sendable {
    public let batch: Int64
    public let device: Device.ID

    public init(batch: Int64, device: Device.ID) {
        self.batch = batch
        self.device = device
    }

    func isOlder(than other: Self) -> Bool { (batch, device.rawValue) < (other.batch, other.device.rawValue) }
}

extension DeviceDelivery {
    var position: DeviceHistoryPosition { DeviceHistoryPosition(batch: batch, device: device) }
}
