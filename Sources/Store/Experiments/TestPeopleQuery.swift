import Campaigns
import Experiments
import Postgres

/// Counts who got which variant of a campaign, and what they did, once for each person.
struct TestPeopleQuery {
    let campaign: CampaignRecord
    let map: VariantMap

    /// The time to open a push or to engage with it, in seconds.
    private var responseSeconds: Double { Double(campaign.content.seconds(for: .engaged)) }

    private var app: App.ID { campaign.app }

    var insertion: PostgresQuery {
        let events = GoalEvents(campaign: campaign, seconds: campaign.content.seconds(for: campaign.content.goal))
        let known: PostgresQuery =
            "(SELECT value_cap FROM test_counts WHERE app_id = \(app) AND campaign_id = \(campaign.id))"
        let isCounted: PostgresQuery = "NOT p.is_mixed AND p.is_counted"
        return """
            WITH \(pushed), \(people), \(responses), \(events.conversions), \(events.cap(known: known)), fixed AS (
                UPDATE test_counts SET value_cap = (SELECT amount FROM cap)
                WHERE app_id = \(app) AND campaign_id = \(campaign.id)
            )
            INSERT INTO test_people (
                app_id, campaign_id, variant, planned, people, opened, engaged, converted, amount, amount_squares,
                amount_uncapped, capped, mixed)
            SELECT \(app), \(campaign.id), v.variant, count(*) FILTER (WHERE NOT p.is_mixed),
                count(*) FILTER (WHERE \(isCounted)),
                count(*) FILTER (WHERE \(isCounted) AND r.opened_at <= \(deadline)),
                count(*) FILTER (WHERE \(isCounted) AND r.engaged_at <= \(deadline)),
                count(*) FILTER (WHERE \(isCounted) AND c.person IS NOT NULL),
                \(GoalEvents.sums(where: isCounted)), count(*) FILTER (WHERE p.is_mixed)
            FROM generate_series(0, \(map.variantCount - 1)) AS v (variant)
            LEFT JOIN people p ON p.variant = v.variant
            LEFT JOIN responses r ON r.person = p.person
            LEFT JOIN conversions c ON c.person = p.person
            GROUP BY v.variant
            """
    }

    private var deadline: PostgresQuery { "p.since + make_interval(secs => \(responseSeconds))" }

    /// Recipients of the test, from when their push was due in the end, and whether they count: also those who were not
    /// sent a push because of its content, which would otherwise be an advantage.
    private var pushed: PostgresQuery {
        """
        counted AS MATERIALIZED (
            SELECT array_agg(code) AS codes FROM outcome_codes
            WHERE kind IN ('accepted', 'unknown') OR reason IN ('payload too long', 'PayloadTooLarge')
        ), pushed AS (
            SELECT b.variant, b.run_id, b.due_at, u.device_id,
                (get_byte(b.outcomes, u.place::integer - 1) & 127)::smallint = ANY (k.codes) AS is_counted
            FROM counted k CROSS JOIN runs r
            JOIN batches b ON b.app_id = r.app_id AND b.run_id = r.id
            CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS u (device_id, place)
            WHERE outcome_code(get_byte(b.outcomes, u.place::integer - 1)) <> \(Int32(OutcomeCode.deferred))
                AND r.app_id = \(app) AND r.campaign_id = \(campaign.id) AND NOT b.is_rest
        )
        """
    }

    /// People, each with the first push. Only those can be compared whose bucket has not changed since the newest variant
    /// was added, and who got their first push since then.
    private var people: PostgresQuery {
        """
        everybody AS (
            SELECT \(Self.person) AS person, min(p.variant) AS variant, min(p.variant) < max(p.variant) AS is_mixed,
                min(p.due_at) AS since, min(p.run_id) AS first_run, bool_or(p.is_counted) AS is_counted,
                min(\(RecipientDraws.point(salt: campaign.salt)) % \(Int64(VariantMap.bucketCount)))::integer AS bucket
            FROM pushed p JOIN devices d ON d.app_id = \(app) AND d.id = p.device_id
            GROUP BY 1
        ), people AS MATERIALIZED (
            SELECT * FROM everybody
            WHERE get_byte(\(cleanBuckets), bucket) = 1 AND first_run >= \(firstRun)
        )
        """
    }

    private var responses: PostgresQuery {
        """
        responses AS (
            SELECT \(Self.person) AS person, min(e.happened_at) FILTER (WHERE e.kind = \(EventKind.opened.rawValue)) AS opened_at,
                min(e.happened_at) FILTER (WHERE e.kind = \(EventKind.engaged.rawValue)) AS engaged_at
            FROM runs r
            JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id
            JOIN events e ON e.app_id = m.app_id AND e.message_number = m.message_number
                AND e.kind IN (\(EventKind.opened.rawValue), \(EventKind.engaged.rawValue))
            JOIN devices d ON d.app_id = e.app_id AND d.id = e.device_id
            WHERE r.app_id = \(app) AND r.campaign_id = \(campaign.id)
            GROUP BY 1
        )
        """
    }

    private static let person: PostgresQuery = "person_number(d.user_id, d.installation)"

    /// A byte for each bucket.
    private var cleanBuckets: [UInt8] { (0..<VariantMap.bucketCount).map { map.isClean($0) ? 1 : 0 } }

    /// The first run of the newest variant.
    private var firstRun: PostgresQuery {
        """
        (SELECT min(run_id) FROM run_variants m JOIN runs r ON r.app_id = m.app_id AND r.id = m.run_id
        WHERE r.app_id = \(app) AND r.campaign_id = \(campaign.id) AND m.variant = \(map.variantCount - 1))
        """
    }
}
