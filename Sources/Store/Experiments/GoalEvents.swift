import Campaigns
import Postgres

/// The custom events of a goal: which people had one in time, and with a goal of values what theirs amount to.
struct GoalEvents {
    /// Without a past, what a person counts at most is taken from the people of the campaign, once this many have an amount.
    private static let leastBuyers: Int64 = 100

    let campaign: CampaignRecord
    /// The time that people have, in seconds.
    let seconds: Int

    private var goal: CampaignGoal { campaign.content.goal }
    private var window: PostgresQuery { "make_interval(secs => \(Double(seconds)))" }

    private var name: PostgresQuery {
        "(SELECT id FROM custom_event_names WHERE app_id = \(campaign.app) AND name = \(goal.eventName))"
    }

    /// `conversions (person, amount)` of `people (person, since)`. Without a goal of values the values are not read: the
    /// index alone answers.
    var conversions: PostgresQuery {
        let amount: PostgresQuery = goal.isAmount ? "sum(e.value)::float8" : "0::float8"
        let condition: PostgresQuery = goal.isAmount ? "sum(e.value) > 0" : "true"
        return """
            conversions AS MATERIALIZED (
                SELECT p.person, \(amount) AS amount
                FROM people p JOIN custom_events e ON e.person = p.person
                WHERE e.app_id = \(campaign.app) AND e.name_id = \(name)
                    AND e.week >= week_of((SELECT min(since) FROM people))
                    AND e.happened_at BETWEEN p.since AND p.since + \(window)
                GROUP BY p.person
                HAVING \(condition)
            )
            """
    }

    /// `cap (amount)`: one row, null while nobody knows it. `known` is the one that was fixed before.
    func cap(known: PostgresQuery) -> PostgresQuery {
        guard goal.isAmount else { return "cap AS (SELECT NULL::float8 AS amount)" }
        return """
            begun AS (
                SELECT min(started_at) AS at FROM runs WHERE app_id = \(campaign.app) AND campaign_id = \(campaign.id)
            ), cap AS MATERIALIZED (
                SELECT coalesce(\(known), (\(pastCap)), (
                    SELECT CASE WHEN count(*) >= \(Self.leastBuyers) THEN \(PastAmounts.percentile) END FROM conversions)) AS amount
            )
            """
    }

    private var pastCap: PostgresQuery {
        let past = PastAmounts(
            app: campaign.app, eventName: goal.eventName, until: "(SELECT at FROM begun)", seconds: seconds)
        return """
            SELECT CASE WHEN count(*) >= \(PastAmounts.least) THEN \(PastAmounts.percentile) END
            FROM (\(past.query)) AS past
            """
    }

    /// The columns of `Amounts`, over the conversions `c` of the people for whom `condition` holds.
    static func sums(where condition: PostgresQuery) -> PostgresQuery {
        // Not `least`, which takes the cap of somebody without an amount.
        let amount: PostgresQuery =
            "CASE WHEN c.amount > (SELECT amount FROM cap) THEN (SELECT amount FROM cap) ELSE c.amount END"
        return """
            coalesce(sum(\(amount)) FILTER (WHERE \(condition)), 0),
            coalesce(sum((\(amount)) ^ 2) FILTER (WHERE \(condition)), 0),
            coalesce(sum(c.amount) FILTER (WHERE \(condition)), 0),
            count(*) FILTER (WHERE \(condition) AND c.amount > (SELECT amount FROM cap))
            """
    }
}
