import Campaigns
import Postgres

/// Conditions about events that devices reported for the pushes of campaigns.
extension AudienceCompiler {
    func boolean(_ event: AudienceEvent) -> PostgresQuery {
        switch events {
        case .perRange(let ids):
            """
            (d.id IN (SELECT DISTINCT e.device_id \(Self.rows(of: event, app: app, "AND \(ids.contains("e.device_id"))"))))
            """
        case .perDevice: "EXISTS (SELECT \(Self.rows(of: event, app: app, "AND e.device_id = d.id")))"
        }
    }

    /// Each event proves that the push was delivered.
    private static func kinds(of event: AudienceEvent) -> PostgresQuery {
        event.kind == .delivered ? "true" : "e.kind = \(event.kind)"
    }

    /// The matching events of devices that meet `condition`, by run: PostgreSQL looks each run up in the one partition that
    /// has its events, by the primary key. Only the runs whose events can be recent enough are looked up, so that a long
    /// history costs nothing.
    static func rows(of event: AudienceEvent, app: App.ID, _ condition: PostgresQuery) -> PostgresQuery {
        var runs: PostgresQuery = "r.app_id = \(app)"
        if let campaign = event.campaign { runs += " AND r.campaign_id = \(campaign)" }
        var matches: PostgresQuery = kinds(of: event)
        if let action = event.action { matches += " AND e.action = \(action)" }
        if let days = event.withinDays {
            matches += " AND e.happened_at > \(daysAgo(days))"
            // Events are accepted until this age.
            runs += " AND r.started_at > \(daysAgo(days)) - \(EventClock.maximumAge.interval)"
        }
        return """
            FROM runs r
            CROSS JOIN LATERAL (
                SELECT e.device_id FROM events e
                WHERE e.app_id = \(app) AND e.message_number = r.message_number AND \(matches) \(condition)
                OFFSET 0
            ) AS e
            WHERE \(runs)
            """
    }
}
