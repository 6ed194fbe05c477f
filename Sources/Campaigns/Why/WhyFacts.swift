public import JSON

/// The facts about one device and one run that tell why the device got the push or not.
public struct WhyFacts: Sendable {
    /// Seconds since 1970.
    public typealias Time = Int64

    public struct Run: Sendable {
        public var startedAt: Time
        /// Planned to the end.
        public var isPlanned: Bool
        public var isCancelled: Bool
        public var isPaused: Bool
        /// Why it is paused, a sentence; nil: a person paused it.
        public var pauseReason: Message?
        public var finishedAt: Time?
        /// Devices with a higher id registered after the start.
        public var deviceCeiling: Int64
        /// The last device that was planned.
        public var planCursor: Int64
        public var topic: String?
        public var cap: FrequencyCap?
        public var hasQuietHours: Bool
        public var isInLocalTime: Bool
        /// Lists of recipients were deleted, perhaps not all yet.
        public var areRecipientsDeleted: Bool

        public init(
            startedAt: Time, isPlanned: Bool, isCancelled: Bool, isPaused: Bool = false, pauseReason: Message? = nil,
            finishedAt: Time?, deviceCeiling: Int64, planCursor: Int64, topic: String?, cap: FrequencyCap?,
            hasQuietHours: Bool, isInLocalTime: Bool, areRecipientsDeleted: Bool
        ) {
            self.startedAt = startedAt
            self.isPlanned = isPlanned
            self.isCancelled = isCancelled
            self.isPaused = isPaused
            self.pauseReason = pauseReason
            self.finishedAt = finishedAt
            self.deviceCeiling = deviceCeiling
            self.planCursor = planCursor
            self.topic = topic
            self.cap = cap
            self.hasQuietHours = hasQuietHours
            self.isInLocalTime = isInLocalTime
            self.areRecipientsDeleted = areRecipientsDeleted
        }
    }

    public struct Device: Sendable {
        public var id: Int64
        public var kind: DeviceKind
        public var retiredAt: Time?
        /// The last change of the device or its person.
        public var changedAt: Time

        public init(id: Int64, kind: DeviceKind, retiredAt: Time?, changedAt: Time) {
            self.id = id
            self.kind = kind
            self.retiredAt = retiredAt
            self.changedAt = changedAt
        }
    }

    public struct Outcome: Sendable {
        public var kind: OutcomeKind
        /// Empty if the kind needs none.
        public var reason: String
        public var isResent: Bool
        public var wasDeferred: Bool
        /// Apple's last answer, if the device waits because of it.
        public var lastAnswer: LastAnswer?

        public init(
            kind: OutcomeKind, reason: String, isResent: Bool, wasDeferred: Bool, lastAnswer: LastAnswer? = nil
        ) {
            self.lastAnswer = lastAnswer
            self.kind = kind
            self.reason = reason
            self.isResent = isResent
            self.wasDeferred = wasDeferred
        }
    }

    /// A condition of the audience, as it is for the device now.
    public struct Condition: Hashable, Sendable {
        /// 0 for the audience itself; a group's conditions are one deeper.
        public var depth: Int
        public var text: String
        public var isMet: Bool

        public init(depth: Int, text: String, isMet: Bool) {
            self.depth = depth
            self.text = text
            self.isMet = isMet
        }
    }

    public var run: Run
    public var device: Device
    /// The device's last outcome; nil if it is not a recipient.
    public var outcome: Outcome?
    /// Only if it is not a recipient.
    public var conditions: [Condition]

    public init(run: Run, device: Device, outcome: Outcome?, conditions: [Condition]) {
        self.run = run
        self.device = device
        self.outcome = outcome
        self.conditions = conditions
    }
}
