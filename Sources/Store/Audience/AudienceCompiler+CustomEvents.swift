import Campaigns
import Postgres

/// Conditions about custom events: those of the device's person.
extension AudienceCompiler {
    func boolean(_ event: AudienceCustomEvent) -> PostgresQuery {
        let least = Int32(clamping: event.atLeast)
        return switch events {
        case .perRange(let ids, _):
            """
            (d.id IN (
                SELECT p.id FROM devices p
                JOIN custom_events e ON e.person = person_number(p.user_id, p.installation) AND \(matches(event))
                WHERE p.app_id = \(app) AND \(ids.contains("p.id"))
                GROUP BY p.id HAVING count(*) >= \(least)))
            """
        case .perDevice:
            """
            ((SELECT count(*) FROM (
                SELECT FROM custom_events e
                WHERE e.person = person_number(d.user_id, d.installation) AND \(matches(event))
                LIMIT \(least)
            ) AS e) >= \(least))
            """
        }
    }

    /// An event was received in the week in which it happened, or later, so only these partitions are read. Without
    /// tests of properties, its index is enough.
    private func matches(_ event: AudienceCustomEvent) -> PostgresQuery {
        let since = Self.daysAgo(event.withinDays)
        let tests = event.properties.map { property in
            AttributeSQL(AttributePath(names: [property.name]), in: "coalesce(e.properties, '{}')", today: today)
                .boolean(property.test)
        }
        let named: PostgresQuery = """
            e.app_id = \(app)
                AND e.name_id = (SELECT id FROM custom_event_names WHERE app_id = \(app) AND name = \(event.name))
                AND e.week >= week_of(\(since)) AND e.happened_at > \(since)
            """
        return ([named] + tests).joined(separator: " AND ")
    }
}
