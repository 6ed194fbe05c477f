import Campaigns
import Postgres

/// Conditions about events that devices reported for the pushes of campaigns.
extension AudienceCompiler {
    func boolean(_ event: AudienceEvent) -> PostgresQuery {
        switch events {
        case .perRange(let ids):
            """
            (d.id IN (SELECT DISTINCT e.device_id \(Self.rows(of: event, app: app)) AND \(ids.contains("e.device_id"))))
            """
        case .perDevice: "EXISTS (SELECT \(Self.rows(of: event, app: app)) AND e.device_id = d.id)"
        }
    }

    /// Each event proves that the push was delivered.
    private static func kinds(of event: AudienceEvent) -> PostgresQuery {
        event.kind == .delivered ? "true" : "e.kind = \(event.kind)"
    }

    /// The matching events. The primary key, which begins with the app and the message, is used.
    static func rows(of event: AudienceEvent, app: App.ID) -> PostgresQuery {
        let campaign: PostgresQuery = event.campaign.map { "AND r.campaign_id = \($0)" } ?? ""
        var rows: PostgresQuery = """
            FROM events e
            WHERE e.app_id = \(app) AND \(kinds(of: event))
                AND e.message_number = ANY (ARRAY(
                    SELECT r.message_number FROM runs r WHERE r.app_id = \(app) \(campaign)))
            """
        if let action = event.action { rows += " AND e.action = \(action)" }
        if let days = event.withinDays { rows += " AND e.happened_at > \(daysAgo(days))" }
        return rows
    }
}
