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
    /// Apple's last answer, if the device waits because of it.
    public let lastAnswer: LastAnswer?
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
