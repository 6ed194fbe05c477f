public import Campaigns
import Postgres

/// Which recipients of a run are listed.
public struct DeliveryFilter: Hashable, Sendable {
    public var kind: OutcomeKind?
    public var reason: String?
    /// Those who were moved to a later batch, or were not.
    public var isDeferred: Bool?
    /// Those whose device has reported that the push was opened, or has not.
    public var isOpened: Bool?
    /// A user id or an installation, exactly.
    public var search: String?

    public init(kind: OutcomeKind? = nil, reason: String? = nil, isDeferred: Bool? = nil) {
        self.kind = kind
        self.reason = reason
        self.isDeferred = isDeferred
    }

    /// Whether outcomes alone don't tell who matches.
    var looksAtDevices: Bool { isOpened != nil || search != nil }

    func matches(_ outcome: OutcomeReason) -> Bool {
        outcome.kind != .deferred && (kind == nil || outcome.kind == kind)
            && (reason == nil || outcome.reason == reason)
    }

    /// A condition on `b`, a batch, which may have recipients of this kind. Its counter column has the kind's name.
    var batches: PostgresQuery {
        let ofKind: PostgresQuery = kind.map { kind -> PostgresQuery in "b.\(unescaped: kind.rawValue) > 0" } ?? "true"
        let deferred: PostgresQuery =
            isDeferred.map { isDeferred -> PostgresQuery in
                "(b.deferred_from IS NOT NULL) = \(isDeferred)"
            } ?? "true"
        return "\(ofKind) AND \(deferred)"
    }

    /// The indices, from 0, of the recipients of a batch `b` of `run` that match what outcomes don't tell. NULL means all.
    /// `devices` are those of the search; nil without one.
    func indices(of run: Run.ID, _ devices: [Int64]?) -> PostgresQuery {
        guard isOpened != nil || devices != nil else { return "NULL::bigint[]" }
        let found: PostgresQuery =
            devices.map { devices -> PostgresQuery in "r.device_id = ANY (\(devices))" } ?? "true"
        guard let isOpened else {
            return """
                (SELECT array_agg(r.number - 1 ORDER BY r.number)
                 FROM unnest(b.recipients) WITH ORDINALITY AS r (device_id, number) WHERE \(found))
                """
        }
        // A batch's events are one range of the key, so they are read together, not for each recipient.
        return """
            (SELECT array_agg(r.number - 1 ORDER BY r.number)
             FROM unnest(b.recipients) WITH ORDINALITY AS r (device_id, number)
             LEFT JOIN (
                 SELECT DISTINCT e.device_id
                 FROM runs u JOIN events e ON e.app_id = u.app_id AND e.message_number = u.message_number
                 WHERE u.id = \(run) AND e.kind = \(EventKind.opened)
                     AND e.device_id BETWEEN b.first_id AND b.last_id
             ) AS o ON o.device_id = r.device_id
             WHERE \(found) AND (o.device_id IS NOT NULL) = \(isOpened))
            """
    }
}
