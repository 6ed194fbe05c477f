import Campaigns
import Postgres

/// Counts who was to get a campaign and who was in its control group, and who then had the event of its goal, once for
/// each person.
struct EffectPeopleQuery {
    let campaign: CampaignRecord

    private var app: App.ID { campaign.app }

    /// The reasons that the planner finds before it holds anybody back: they concern all alike.
    static let rulesForAll: [UInt8] = [
        OutcomeCode.suppressedDenied, OutcomeCode.suppressedOptedOut, OutcomeCode.suppressedOptedOutOfAll,
        OutcomeCode.suppressedCap, OutcomeCode.suppressedQuietHours, OutcomeCode.suppressedLocalTimePast,
    ]

    /// Those that are found before somebody comes into the control group of a campaign.
    private static let earlierReasons = rulesForAll + [OutcomeCode.suppressedGlobalControl]

    func upsert(decidesAt: Timestamp?) -> PostgresQuery {
        let events = GoalEvents(campaign: campaign, seconds: campaign.content.goal.seconds)
        let known: PostgresQuery =
            "(SELECT value_cap FROM effect_counts WHERE app_id = \(app) AND campaign_id = \(campaign.id))"
        return """
            WITH \(people), \(events.conversions), \(events.cap(known: known))
            INSERT INTO effect_counts AS c (
                app_id, campaign_id, decides_at, treated, treated_converted, treated_amount, treated_amount_squares,
                treated_amount_uncapped, treated_capped, control, control_converted, control_amount,
                control_amount_squares, control_amount_uncapped, control_capped, value_cap, count_next_at)
            SELECT \(app), \(campaign.id), \(decidesAt), \(Self.side("NOT p.is_control")), \(Self.side("p.is_control")),
                (SELECT amount FROM cap),
                \(CountTimes.next(decidesAt: "\(decidesAt)::timestamptz", isDeleted: false))
            FROM people p LEFT JOIN conversions c ON c.person = p.person
            ON CONFLICT (app_id, campaign_id) DO UPDATE SET
                counted_at = now(), decides_at = excluded.decides_at, count_next_at = excluded.count_next_at,
                value_cap = excluded.value_cap, \(Self.replacement)
            """
    }

    private static func side(_ condition: PostgresQuery) -> PostgresQuery {
        """
        count(*) FILTER (WHERE \(condition)), count(*) FILTER (WHERE \(condition) AND c.person IS NOT NULL),
        \(GoalEvents.sums(where: condition))
        """
    }

    private static let replacement: PostgresQuery = """
        treated = excluded.treated, treated_converted = excluded.treated_converted,
        treated_amount = excluded.treated_amount, treated_amount_squares = excluded.treated_amount_squares,
        treated_amount_uncapped = excluded.treated_amount_uncapped, treated_capped = excluded.treated_capped,
        control = excluded.control, control_converted = excluded.control_converted,
        control_amount = excluded.control_amount, control_amount_squares = excluded.control_amount_squares,
        control_amount_uncapped = excluded.control_amount_uncapped, control_capped = excluded.control_capped
        """

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
}
