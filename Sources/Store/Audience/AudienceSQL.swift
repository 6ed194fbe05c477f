public import Campaigns
public import Postgres

/// An audience as SQL over `devices d`, and over `device_activity a`, joined from the left, where `needsActivity` says so.
///
/// Values are parameters, never a part of the text. No row makes it raise, and it is never NULL: a condition about
/// something that a device does not have is false.
public struct AudienceSQL: Sendable {
    /// A boolean. Made for devices of `ids`, of which there should be no more than about 50,000: what an event is asked
    /// for is read once for the whole range, from the events' primary key, and looked up in a hash table.
    public let condition: PostgresQuery
    public let needsActivity: Bool
    /// For FROM, behind `devices d`; empty where activity is not needed. It says the range once more: without that,
    /// PostgreSQL reads the activity of all devices for each range (measured: 200 ms in place of 12).
    public let join: PostgresQuery
    /// Nil when all of the devices are to be looked at.
    public let restriction: Restriction?

    /// What an index leads to.
    public struct Restriction: Sendable {
        /// Every match fulfils it; it stands in WHERE. It keeps to `ids`, which may be all here.
        public let condition: PostgresQuery
        /// What is left to ask of those who do, in place of the whole condition: it looks at each device by itself.
        public let remainder: PostgresQuery
    }

    public init(_ resolved: ResolvedAudience, app: App.ID, ids: IDRange) {
        let audience = resolved.audience.condition
        condition = audience.map(AudienceCompiler(app: app, events: .hashed(ids)).boolean) ?? "true"
        needsActivity = audience?.needsActivity ?? false
        join =
            needsActivity
            ? """
            LEFT JOIN device_activity a
                ON a.app_id = \(app) AND a.device_id = d.id AND \(ids.holds("a.device_id"))
            """ : ""
        restriction = audience.flatMap { audience in
            guard let served = audience.served(app: app, ids: ids) else { return nil }
            return Restriction(
                // Of few, the list is made once: right after an import PostgreSQL knows nothing of the table, and would look
                // for each device among all others.
                condition: served.areFew ? "d.id = ANY (ARRAY(\(served.devices)))" : "d.id IN (\(served.devices))",
                remainder: served.rest.map(AudienceCompiler(app: app, events: .lookedUp).boolean) ?? "true")
        }
    }
}

extension AudienceCondition {
    var needsActivity: Bool {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.contains(where: \.needsActivity)
        case .not(let condition): condition.needsActivity
        case .field(.lastSeenAt, _): true
        case .field, .attribute, .tag, .optedOut, .userIDs, .segment, .event: false
        }
    }
}
