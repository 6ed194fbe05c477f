/// Names a local notification of the server, and so leads its events back to the plan.
public struct LocalNotificationID: Sendable, Equatable {
    /// The member of `userInfo` that has the version of the plan. It is in all notifications that the kit schedules.
    public static let versionKey = "belfry_plan_version"

    /// The server's identifier, without `PlanSchedule.prefix`.
    public let identifier: String
    /// The version of the plan when the notification was scheduled; nil if it is not known.
    public let version: Int?

    /// For tests: a notification that the kit has scheduled is read from its request.
    public init(identifier: String, version: Int? = nil) {
        self.identifier = identifier
        self.version = version
    }

    /// Nil if the request is not one of the kit's. `push` is read from its `userInfo`.
    public init?(requestID: String, push: Push) {
        guard requestID.hasPrefix(PlanSchedule.prefix) else { return nil }
        self.init(
            identifier: String(requestID.dropFirst(PlanSchedule.prefix.count)),
            version: push.custom[Self.versionKey]?.integer)
    }
}
