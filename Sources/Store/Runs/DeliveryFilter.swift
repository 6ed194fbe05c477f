public import Campaigns
public import Postgres

/// Selects the recipients of a run to list.
public struct DeliveryFilter: Hashable, Sendable {
    public var kind: OutcomeKind?
    public var reason: String?
    /// Those who were moved to a later batch, or were not.
    public var isDeferred: Bool?
    /// Those who got, or were to get, this variant of the run, from 0.
    public var variant: Int?
    /// Those who were due in this millisecond.
    public var dueAt: Timestamp?
    /// Those whose device has reported that the push was opened, or has not.
    public var isOpened: Bool?
    /// Those whose device has reported that the person opened it, acted or replied, or has not.
    public var isEngaged: Bool?
    /// Those whose device has reported such an event.
    public var event: EventKind?
    /// A user id or an installation, exactly.
    public var search: String?
    /// Properties of the device when the push was sent; an empty text stands for what was not known.
    public var locale: String?
    public var osVersion: String?
    public var appVersion: String?

    public init(kind: OutcomeKind? = nil, reason: String? = nil, isDeferred: Bool? = nil) {
        self.kind = kind
        self.reason = reason
        self.isDeferred = isDeferred
    }

    /// True if outcomes alone don't tell who matches.
    var looksAtDevices: Bool { isOpened != nil || isEngaged != nil || event != nil || search != nil || looksAtProfiles }

    private var looksAtProfiles: Bool { locale != nil || osVersion != nil || appVersion != nil }

    func matches(_ outcome: OutcomeReason) -> Bool {
        outcome.kind != .deferred && (kind == nil || outcome.kind == kind)
            && (reason == nil || outcome.reason == reason)
    }

    /// A condition on `b`, a batch, which may have recipients of this kind. Its counter column has the kind's name.
    var batches: PostgresQuery {
        var condition: PostgresQuery = "true"
        if let kind { condition += " AND b.\(unescaped: kind.rawValue) > 0" }
        if let isDeferred { condition += " AND (b.deferred_from IS NOT NULL) = \(isDeferred)" }
        if let variant { condition += " AND b.variant = \(Int16(clamping: variant)) AND b.state <> 'waiting'" }
        if let dueAt { condition += " AND date_trunc('milliseconds', b.due_at) = \(dueAt)" }
        return condition
    }

    /// The indices, from 0, of the recipients of a batch `b` of `run` that match what outcomes don't tell. NULL means
    /// all. `b.profiles` is flat. `devices` are those of the search; nil without one.
    func indices(of run: Run.ID, app: App.ID, _ devices: [Int64]?) -> PostgresQuery {
        guard looksAtDevices else { return "NULL::bigint[]" }
        var joins: PostgresQuery = ""
        var condition: PostgresQuery = "true"
        if let devices { condition += " AND r.device_id = ANY (\(devices))" }
        if let isOpened {
            joins += Self.join("o", .opened, run, app)
            condition += " AND (o.device_id IS NOT NULL) = \(isOpened)"
        }
        if let isEngaged {
            joins += Self.join("g", .engaged, run, app)
            condition += " AND (g.device_id IS NOT NULL) = \(isEngaged)"
        }
        if let event {
            joins += Self.join("v", event, run, app)
            condition += " AND v.device_id IS NOT NULL"
        }
        if looksAtProfiles {
            condition += """
                 AND coalesce(profile_code(b.profiles, octet_length(b.profiles) / b.size, r.number::integer - 1), 0)
                    = ANY (ARRAY(\(profiles(of: app))))
                """
        }
        return """
            (SELECT array_agg(r.number - 1 ORDER BY r.number)
             FROM unnest(b.recipients) WITH ORDINALITY AS r (device_id, number) \(joins)
             WHERE \(condition))
            """
    }

    /// A batch's events are one range of the key, so they are read together, not for each recipient.
    private static func join(_ name: String, _ kind: EventKind, _ run: Run.ID, _ app: App.ID) -> PostgresQuery {
        """
         LEFT JOIN (
            SELECT DISTINCT e.device_id
            FROM run_variants m JOIN events e ON e.app_id = m.app_id AND e.message_number = m.message_number
            WHERE m.app_id = \(app) AND m.run_id = \(run) AND m.variant = b.variant AND e.kind = \(kind)
                AND e.device_id BETWEEN b.first_id AND b.last_id
        ) AS \(unescaped: name) ON \(unescaped: name).device_id = r.device_id
        """
    }

    /// The version as it is written or, if no device has it, those that equal it as numbers: 26.1 for 26.1.0. So a number
    /// of statistics, which count each spelling, leads to exactly its recipients.
    private static func version(_ column: PostgresQuery, _ given: String?, _ app: App.ID) -> PostgresQuery {
        guard let given else { return "true" }
        guard let version = try? AudienceVersion(given) else { return "(\(column) = \(given))" }
        return """
            (\(column) = \(given) OR \(AudienceCompiler.version(column, .is, version)) AND NOT EXISTS (
                SELECT FROM profiles WHERE app_id = \(app) AND \(column) = \(given)))
            """
    }

    /// The codes of the matching profiles. 0 stands for a profile that is not known.
    private func profiles(of app: App.ID) -> PostgresQuery {
        """
        SELECT code FROM profiles
        WHERE app_id = \(app) AND (\(locale)::text IS NULL OR locale = \(locale))
            AND \(Self.version("os_version", osVersion, app)) AND \(Self.version("app_version", appVersion, app))
        UNION ALL
        SELECT 0 WHERE coalesce(\(locale), '') = '' AND coalesce(\(osVersion), '') = '' AND coalesce(\(appVersion), '') = ''
        """
    }
}
