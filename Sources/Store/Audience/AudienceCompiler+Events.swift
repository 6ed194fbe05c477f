import Campaigns
import Postgres

/// Conditions about events that devices reported for the pushes of campaigns.
extension AudienceCompiler {
    func boolean(_ event: AudienceEvent) -> PostgresQuery {
        switch events {
        case .perRange(let ids, let number):
            """
            (d.id IN (SELECT DISTINCT e.device_id \(Self.rows(
                of: event, app: app, "AND \(ids.contains("e.device_id"))\(Self.since(number, event))"))))
            """
        case .perDevice: "EXISTS (SELECT \(Self.rows(of: event, app: app, "AND e.device_id = d.id")))"
        }
    }

    private static func since(_ number: Int64?, _ event: AudienceEvent) -> PostgresQuery {
        guard let number, event.withinDays != nil else { return "" }
        return " AND e.message_number >= \(number)"
    }

    /// Each event proves that the push was delivered.
    private static func kinds(of event: AudienceEvent) -> PostgresQuery {
        event.kind == .delivered ? "true" : "e.kind = \(event.kind)"
    }

    /// The matching events of devices that meet `condition`, by run: PostgreSQL looks each run up in the one partition
    /// that has its events, by the primary key.
    static func rows(of event: AudienceEvent, app: App.ID, _ condition: PostgresQuery) -> PostgresQuery {
        var matches: PostgresQuery = kinds(of: event)
        if let action = event.action { matches += " AND e.action = \(action)" }
        if let days = event.withinDays { matches += " AND e.happened_at > \(daysAgo(days))" }
        return """
            FROM \(runs(of: event, app: app))
            CROSS JOIN LATERAL (
                SELECT e.device_id FROM events e
                WHERE e.app_id = \(app) AND e.message_number = r.message_number AND \(matches) \(condition)
                OFFSET 0
            ) AS e
            """
    }

    /// The runs that may have matching events. If these have to be recent, only the runs whose counts say that a device
    /// reported such an event recently: the counts are kept in the transactions that store events.
    private static func runs(of event: AudienceEvent, app: App.ID) -> PostgresQuery {
        var (recent, runs): (PostgresQuery, PostgresQuery) = ("", "r.app_id = \(app)")
        if let campaign = event.campaign { runs += " AND r.campaign_id = \(campaign)" }
        if let run = event.run { runs += " AND r.id = \(run)" }
        if let variant = event.variant { runs += " AND m.variant = \(Int16(clamping: variant))" }
        if let days = event.withinDays {
            let measure: PostgresQuery =
                event.kind == .delivered
                ? "c.measure = ANY (\(EventKind.allCases.map(\.rawValue)))" : "c.measure = \(event.kind)"
            recent = """
                CROSS JOIN LATERAL (
                    SELECT FROM run_minutes c
                    WHERE c.app_id = \(app) AND c.message_number = m.message_number AND \(measure)
                        AND c.minute > \(daysAgo(days)) - interval '1 minute'
                    LIMIT 1
                ) AS recent
                """
            // Events are accepted until this age.
            runs += " AND r.started_at > \(daysAgo(days)) - \(EventClock.maximumAge.interval)"
        }
        return """
            (SELECT m.message_number FROM runs r
             JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id \(recent) WHERE \(runs)) AS r
            """
    }
}
