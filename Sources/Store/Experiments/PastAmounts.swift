import Campaigns
import Postgres

/// The amounts of people's custom events before a campaign, in spans of the same length as the time to reach its goal.
struct PastAmounts {
    private static let days: Int32 = 90
    /// Events that are read. They are ordered by a hash of the person, so that the first are those of people drawn at
    /// random.
    private static let sampledEvents: Int32 = 200_000
    /// Amounts from which a percentile is taken.
    static let least: Int64 = 200
    /// The percentile above which an amount counts as that.
    static let percentile: PostgresQuery = "percentile_cont(0.99) WITHIN GROUP (ORDER BY amount)"

    let app: App.ID
    let eventName: String?
    /// The end of that past.
    let until: PostgresQuery
    /// The length of a span.
    let seconds: Int

    /// Rows of `amount`.
    var query: PostgresQuery {
        let since: PostgresQuery = "\(until) - make_interval(days => \(Self.days))"
        return """
            SELECT sum(e.value)::float8 AS amount
            FROM (
                SELECT person, happened_at, value FROM custom_events
                WHERE app_id = \(app) AND week >= week_of(\(since)) AND name_id = (
                        SELECT id FROM custom_event_names WHERE app_id = \(app) AND name = \(eventName))
                ORDER BY person LIMIT \(Self.sampledEvents)
            ) AS e
            WHERE e.happened_at >= \(since) AND e.happened_at < \(until)
            GROUP BY e.person, floor(extract(epoch FROM e.happened_at) / \(Double(seconds)))
            HAVING sum(e.value) > 0
            """
    }
}
