public import Campaigns
public import Postgres

/// An audience as SQL over `devices d` and, if `needsActivity`, a left join of `device_activity a`.
///
/// Values are parameters, never a part of the text. No row causes an error, and the result is never NULL: a condition
/// about a value that a device does not have is false.
public struct AudienceSQL: Sendable {
    /// A boolean expression for devices in `ids`, which should be at most about 50,000: events are read once for the
    /// whole range, from their primary key, into a hash table.
    public let condition: PostgresQuery
    public let needsActivity: Bool
    /// For FROM, after `devices d`: the devices' activity and their day, if they are needed. It repeats the range:
    /// without it, PostgreSQL reads the activity of all devices for each range (measured: 200 ms instead of 12).
    public let join: PostgresQuery
    /// Nil when all devices must be scanned.
    public let restriction: Restriction?
    /// The same for work in steps; nil when its devices are found only all together.
    public var stepRestriction: Restriction? { restriction.flatMap { $0.isForCounts ? nil : $0 } }

    /// Restricts the scan to devices found by an index.
    public struct Restriction: Sendable {
        /// A condition for WHERE that every match fulfils. It includes `ids`, which may be all ids here.
        public let condition: PostgresQuery
        /// The remaining condition for these devices, instead of the whole one. It is evaluated per device.
        public let remainder: PostgresQuery
        let isForCounts: Bool
    }

    /// Recent events have at least the message number `recentSince` (`MessageRangeStore.recentSince`), if it is given.
    /// Without `days`, today is the date in the app's default time zone.
    public init(
        _ resolved: ResolvedAudience, app: App.ID, ids: IDRange, recentSince: Int64? = nil, days: AudienceDays? = nil
    ) {
        let audience = resolved.audience.condition
        let compiler = AudienceCompiler(app: app, events: .perRange(ids, recentSince: recentSince), days: days)
        condition = audience.map(compiler.boolean) ?? "true"
        needsActivity = audience?.needsActivity ?? false
        let activity: PostgresQuery =
            needsActivity
            ? """
            LEFT JOIN device_activity a
                ON a.app_id = \(app) AND a.device_id = d.id AND \(ids.contains("a.device_id"))
            """ : ""
        join = resolved.dependsOnDay ? "\(activity) \(DaySQL(days, app: app).join)" : activity
        restriction = audience.flatMap { audience in
            guard let indexed = audience.indexed(app: app, ids: ids) else { return nil }
            return Restriction(
                // A small set is evaluated once as an array: right after an import PostgreSQL has no statistics of the
                // table, and would search the set for every device.
                condition: indexed.isSmall ? "d.id = ANY (ARRAY(\(indexed.devices)))" : "d.id IN (\(indexed.devices))",
                remainder: indexed.rest.map(AudienceCompiler(app: app, events: .perDevice, days: days).boolean)
                    ?? "true",
                isForCounts: indexed.isForCounts)
        }
    }
}

extension AudienceCondition {
    var needsActivity: Bool {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.contains(where: \.needsActivity)
        case .not(let condition): condition.needsActivity
        case .field(.lastSeenAt, _): true
        case .field, .attribute, .tag, .optedOut, .userIDs, .segment, .event, .outcome, .customEvent: false
        }
    }
}
