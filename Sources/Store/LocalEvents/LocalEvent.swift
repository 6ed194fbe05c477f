public import Campaigns
public import FoundationEssentials
public import Notifications

/// An event of a local notification, as a device reports it.
public struct LocalEvent: Sendable {
    /// A local notification comes without a push, so no extension reports it; a reply stays in the app.
    public static let kinds: [EventKind] = [.presented, .opened, .action, .dismissed]

    /// The index in its request.
    public let index: Int
    /// Made by the app; an event that is sent again has the same one.
    public let id: UUID
    public let plan: LocalPlan.ID
    /// The version of the plan that the device had scheduled.
    public let version: Int32
    /// The notification's identifier in its plan.
    public let notification: String
    public let kind: EventKind
    /// Empty for kinds without one.
    public let action: String
    public let time: EventTime

    public init(
        index: Int, id: UUID, plan: LocalPlan.ID, version: Int32, notification: String, kind: EventKind,
        action: String = "", time: EventTime
    ) {
        self.index = index
        self.id = id
        self.plan = plan
        self.version = version
        self.notification = notification
        self.kind = kind
        self.action = action
        self.time = time
    }
}

/// The result of a request: all events that were not refused are in the database.
public struct LocalEventCount: Equatable, Sendable {
    /// New events.
    public var stored = 0
    /// Events that were stored before, or occur twice in the request.
    public var duplicates = 0
    /// Indices in the request.
    public var ofUnknownPlans: [Int] = []
    /// Indices of events that happened more than `EventClock.maximumAge` ago: a repeated one could not be recognised.
    public var tooLate: [Int] = []
}

/// The events of one notification of a plan.
public struct LocalNotificationCounts: Equatable, Sendable {
    /// Its identifier in the plan.
    public let notification: String
    /// Kinds without an event are missing.
    public let counts: [EventKind: Int]
}
