import Campaigns
import Postgres

/// Counts who was to get a campaign and who was in its control group, and who then had the event of its goal, once for
/// each person.
struct EffectPeopleQuery {
    let campaign: CampaignRecord

    private var app: App.ID { campaign.app }
    private var window: PostgresQuery { "make_interval(secs => \(Double(campaign.content.goal.seconds)))" }

    /// The reasons that the planner finds before it holds anybody back: they concern all alike.
    static let rulesForAll: [UInt8] = [
        OutcomeCode.suppressedDenied, OutcomeCode.suppressedOptedOut, OutcomeCode.suppressedOptedOutOfAll,
        OutcomeCode.suppressedCap, OutcomeCode.suppressedQuietHours, OutcomeCode.suppressedLocalTimePast,
    ]

    /// Those that are found before somebody comes into the control group of a campaign.
    private static let earlierReasons = rulesForAll + [OutcomeCode.suppressedGlobalControl]

    func upsert(decidesAt: Timestamp?) -> PostgresQuery {
        """
        WITH \(people), \(conversions)
        INSERT INTO effect_counts AS c (
            app_id, campaign_id, decides_at, treated, treated_converted, control, control_converted, count_next_at)
        SELECT \(app), \(campaign.id), \(decidesAt), count(*) FILTER (WHERE NOT p.is_control),
            count(*) FILTER (WHERE NOT p.is_control AND v.person IS NOT NULL), count(*) FILTER (WHERE p.is_control),
            count(*) FILTER (WHERE p.is_control AND v.person IS NOT NULL),
            \(CountTimes.next(decidesAt: "\(decidesAt)::timestamptz", isDeleted: false))
        FROM people p LEFT JOIN conversions v ON v.person = p.person
        ON CONFLICT (app_id, campaign_id) DO UPDATE SET
            counted_at = now(), decides_at = excluded.decides_at, count_next_at = excluded.count_next_at,
            treated = excluded.treated, treated_converted = excluded.treated_converted, control = excluded.control,
            control_converted = excluded.control_converted
        """
    }

    /// People with the time from which theirs counts. Who signed in between two runs and is on both sides counts on
    /// neither.
    private var people: PostgresQuery {
        """
        pushed AS (
            SELECT b.due_at, u.device_id, outcome_code(get_byte(b.outcomes, u.place::integer - 1)) AS code
            FROM runs r JOIN batches b ON b.app_id = r.app_id AND b.run_id = r.id
            CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS u (device_id, place)
            WHERE r.app_id = \(app) AND r.campaign_id = \(campaign.id)
        ), people AS MATERIALIZED (
            SELECT person_number(d.user_id, d.installation) AS person, min(p.due_at) AS since,
                bool_or(p.code = \(Int32(OutcomeCode.suppressedControl))) AS is_control
            FROM pushed p JOIN devices d ON d.app_id = \(app) AND d.id = p.device_id
            WHERE p.code <> ALL (\((Self.earlierReasons + [OutcomeCode.deferred]).map { Int32($0) }))
            GROUP BY 1
            HAVING count(DISTINCT p.code = \(Int32(OutcomeCode.suppressedControl))) = 1
        )
        """
    }

    private var conversions: PostgresQuery {
        """
        conversions AS (
            SELECT DISTINCT p.person
            FROM people p JOIN custom_events e ON e.person = p.person
            WHERE e.app_id = \(app) AND e.name_id = (
                    SELECT id FROM custom_event_names WHERE app_id = \(app) AND name = \(campaign.content.goal.eventName))
                AND e.week >= week_of((SELECT min(since) FROM people))
                AND e.happened_at BETWEEN p.since AND p.since + \(window)
        )
        """
    }
}
