-- The schema bi is the only path of a role that reads: views with stable columns, each with a comment, and nothing else.
-- The tables can change, and a column that is added to one of them is not shown by accident.

CREATE SCHEMA IF NOT EXISTS bi;
COMMENT ON SCHEMA bi IS 'What analysts read. Columns are added; none is removed or changes its meaning.';

CREATE VIEW bi.apps AS
SELECT id AS app_id, name AS app, bundle_id, default_locale, default_time_zone, created_at FROM public.apps;
COMMENT ON VIEW bi.apps IS 'One row per app.';

CREATE VIEW bi.campaigns AS
SELECT c.app_id, a.name AS app, c.id AS campaign_id, c.name AS campaign, c.state, c.reason, c.push_type, c.topic,
    c.template_id, c.template_version, c.payload, c.audience, c.schedule, c.runs_started AS runs, c.created_at, c.updated_at,
    c.archived_at, c.content
FROM public.campaigns c JOIN public.apps a ON a.id = c.app_id;
COMMENT ON VIEW bi.campaigns IS 'One row per campaign, as it is now. What a run has sent is in campaign_funnel.';

CREATE VIEW bi.campaign_funnel AS
SELECT u.app_id, a.name AS app, u.campaign_id, c.name AS campaign, u.id AS run_id, u.state, u.reason,
    u.started_at, u.planned_at, u.expires_at, u.finished_at, u.verified_at IS NOT NULL AS is_verified, u.push_type, u.topic,
    u.audience, u.estimated, u.targeted, u.accepted, u.rejected, u.suppressed,
    u.expired, u.cancelled, u.unknown, u.deferred, u.resent, e.delivered, e.presented, e.opened, e.influenced, e.actions,
    e.dismissed, e.replies, e.engaged, e.conversions, e.conversion_value
FROM public.runs u
JOIN public.campaigns c ON c.app_id = u.app_id AND c.id = u.campaign_id
JOIN public.apps a ON a.id = u.app_id
CROSS JOIN LATERAL (
    SELECT coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('delivered')), 0)::bigint AS delivered,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('presented')), 0)::bigint AS presented,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('opened')), 0)::bigint AS opened,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('influenced')), 0)::bigint AS influenced,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('actions')), 0)::bigint AS actions,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('dismissed')), 0)::bigint AS dismissed,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('replies')), 0)::bigint AS replies,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('engaged')), 0)::bigint AS engaged,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('conversions')), 0)::bigint AS conversions,
        coalesce(trim_scale(sum(t.amount)), 0) AS conversion_value
    FROM public.message_totals t
    WHERE t.app_id = u.app_id AND t.dimension = 0 AND t.measure = ANY (event_measures())
        AND t.sent_on = (u.started_at AT TIME ZONE 'UTC')::date AND t.message_number = ANY (ARRAY(
            SELECT v.message_number FROM public.run_variants v WHERE v.app_id = u.app_id AND v.run_id = u.id))
) AS e;
COMMENT ON VIEW bi.campaign_funnel IS
    'One row per run: its ledger, and what devices reported. The terms of the ledger are null until the run has ended.';

CREATE VIEW bi.variant_funnel AS
SELECT v.app_id, a.name AS app, u.campaign_id, c.name AS campaign, v.run_id, v.variant, v.name AS variant_name,
    v.message_number, v.template_id, v.template_version, v.payload, u.started_at, b.targeted, b.accepted, b.rejected,
    b.suppressed, b.expired, b.cancelled, b.unknown, b.pending, e.delivered, e.presented, e.opened, e.influenced, e.actions,
    e.dismissed, e.replies, e.engaged, e.conversions, e.conversion_value, v.content
FROM public.run_variants v
JOIN public.runs u ON u.app_id = v.app_id AND u.id = v.run_id
JOIN public.campaigns c ON c.app_id = u.app_id AND c.id = u.campaign_id
JOIN public.apps a ON a.id = u.app_id
CROSS JOIN LATERAL (
    SELECT coalesce(sum(b.size - b.deferred), 0)::bigint AS targeted, coalesce(sum(b.accepted), 0)::bigint AS accepted,
        coalesce(sum(b.rejected), 0)::bigint AS rejected, coalesce(sum(b.suppressed), 0)::bigint AS suppressed,
        coalesce(sum(b.expired), 0)::bigint AS expired, coalesce(sum(b.cancelled), 0)::bigint AS cancelled,
        coalesce(sum(b.unknown), 0)::bigint AS unknown, coalesce(sum(b.pending), 0)::bigint AS pending
    FROM public.batches b
    WHERE b.app_id = v.app_id AND b.run_id = v.run_id AND b.variant = v.variant
        -- The rest of a test has no variant before the decision.
        AND (NOT b.is_rest OR EXISTS (SELECT FROM public.test_decisions d
            WHERE d.app_id = v.app_id AND d.run_id = v.run_id AND d.variant IS NOT NULL))
) AS b
CROSS JOIN LATERAL (
    SELECT coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('delivered')), 0)::bigint AS delivered,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('presented')), 0)::bigint AS presented,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('opened')), 0)::bigint AS opened,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('influenced')), 0)::bigint AS influenced,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('actions')), 0)::bigint AS actions,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('dismissed')), 0)::bigint AS dismissed,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('replies')), 0)::bigint AS replies,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('engaged')), 0)::bigint AS engaged,
        coalesce(sum(t.count) FILTER (WHERE t.measure = measure_of('conversions')), 0)::bigint AS conversions,
        coalesce(trim_scale(sum(t.amount)), 0) AS conversion_value
    FROM public.message_totals t
    WHERE t.app_id = v.app_id AND t.dimension = 0 AND t.measure = ANY (event_measures())
        AND t.sent_on = (u.started_at AT TIME ZONE 'UTC')::date AND t.message_number = v.message_number
) AS e;
COMMENT ON VIEW bi.variant_funnel IS
    'One row per variant of a run, with its content: the ledger as it is now, and what devices reported. A run without an A/B test has one variant.';

-- The time of this view is proportional to the number of recipients, whatever PostgreSQL believes about the tables, for it
-- often knows nothing: the statistics of a run do not exist while people ask about it.
-- "flat" copies the bytes of a batch once; otherwise they would be unpacked again for each recipient.
-- A full join can only be a hash join or a merge join, never a nested loop. Its rows without a recipient have no byte, and
-- so no outcome. OFFSET 0 keeps PostgreSQL from making a left join of it.
-- Without statistics, PostgreSQL expects a single batch with ten recipients, and a join with this view would read the other
-- side again for each batch. It always expects a thousand rows of generate_subscripts, and so reads the other side once. The
-- one in "flat" returns a single row.
-- Events and users of a batch are read together, or one by one if most devices of its range are in other batches, as with
-- local times. There, an array distinguishes a device without a user at that time from one that has not changed since.
CREATE VIEW bi.deliveries AS
SELECT b.app_id, b.app, b.campaign_id, b.campaign, b.run_id, b.message_number, b.variant, r.device_id,
    r.user_id,
    c.kind AS outcome, nullif(c.reason, '') AS reason, outcome_is_resent(r.byte) AS is_resent,
    b.deferred_from IS NOT NULL AS was_deferred,
    b.due_at, b.ended_at, r.delivered_at, r.opened_at, r.influenced_at, r.dismissed_at, r.engaged_at,
    r.engaged_at IS NOT NULL AS engaged, coalesce(r.acted, false) AS acted, r.action, coalesce(r.replied, false) AS replied,
    coalesce(r.conversions, 0) AS conversions, r.value, p.locale, p.os_version, p.app_version, r.profile, b.template_id,
    b.template_version, b.id AS batch_id
FROM (
    SELECT b.id, b.app_id, a.name AS app, u.campaign_id, c.name AS campaign, b.run_id, v.message_number,
        -- The rest of a test has no variant before the decision.
        CASE WHEN b.state <> 'waiting' THEN b.variant END AS variant,
        u.started_at AS sent_at, v.template_id, v.template_version, b.due_at, b.ended_at, b.deferred_from, b.first_id,
        b.last_id, b.size, b.outcomes, b.profiles, b.recipients
    FROM public.batches b
    JOIN public.runs u ON u.app_id = b.app_id AND u.id = b.run_id
    JOIN public.run_variants v ON v.app_id = b.app_id AND v.run_id = b.run_id AND v.variant = b.variant
    JOIN public.campaigns c ON c.app_id = u.app_id AND c.id = u.campaign_id
    JOIN public.apps a ON a.id = u.app_id
    UNION ALL
    SELECT b.id, b.app_id, a.name, NULL, NULL, NULL, b.message_number, NULL, b.due_at, NULL, NULL, b.due_at, b.ended_at,
        b.deferred_from, b.first_id, b.last_id, b.size, b.outcomes, b.profiles, b.recipients
    FROM public.batches b
    JOIN public.apps a ON a.id = b.app_id
    WHERE b.run_id IS NULL
) AS b
CROSS JOIN LATERAL (
    SELECT b.outcomes || ''::bytea AS outcomes, b.profiles || ''::bytea AS profiles,
        octet_length(b.profiles) / b.size AS width, b.last_id - b.first_id < 8 * b.size AS is_dense
    FROM generate_subscripts(ARRAY[b.size], 1)
    OFFSET 0
) AS flat
CROSS JOIN LATERAL (
    SELECT r.device_id, get_byte(flat.outcomes, r.number - 1) AS byte,
        coalesce(profile_code(flat.profiles, flat.width, r.number - 1), 0) AS profile,
        e.delivered_at, e.opened_at, e.influenced_at, e.dismissed_at, e.engaged_at, e.acted, e.action, e.replied,
        e.conversions, e.value, u.user_id
    FROM ROWS FROM (unnest(b.recipients), generate_subscripts(b.recipients, 1)) AS r (device_id, number)
    FULL JOIN (
        SELECT e.device_id,
            min(e.happened_at) FILTER (WHERE e.kind = 1) AS delivered_at,
            min(e.happened_at) FILTER (WHERE e.kind = 3) AS opened_at,
            min(e.happened_at) FILTER (WHERE e.kind = 8) AS influenced_at,
            min(e.happened_at) FILTER (WHERE e.kind = 5) AS dismissed_at,
            min(e.happened_at) FILTER (WHERE e.kind = 9) AS engaged_at,
            bool_or(e.kind IN (4, 6)) AS acted,
            (array_agg(e.action ORDER BY e.happened_at, e.action) FILTER (WHERE e.kind IN (4, 6)))[1] AS action,
            bool_or(e.kind = 6) AS replied,
            count(*) FILTER (WHERE e.kind = 7)::integer AS conversions,
            trim_scale(sum(e.value)) AS value
        FROM (
            SELECT e.device_id, e.kind, e.action, e.happened_at, e.value FROM public.events e
            WHERE e.app_id = b.app_id AND e.message_number = b.message_number
                AND e.device_id BETWEEN b.first_id AND b.last_id AND flat.is_dense
            UNION ALL
            SELECT e.* FROM unnest(b.recipients) AS i (id)
            CROSS JOIN LATERAL (
                SELECT e.device_id, e.kind, e.action, e.happened_at, e.value FROM public.events e
                WHERE e.app_id = b.app_id AND e.message_number = b.message_number AND e.device_id = i.id
                OFFSET 0
            ) AS e
            WHERE NOT flat.is_dense
        ) AS e
        GROUP BY e.device_id
    ) AS e ON e.device_id = r.device_id
    FULL JOIN (
        (
            SELECT DISTINCT ON (o.device_id) o.device_id, o.user_id
            FROM (
                SELECT h.device_id, h.until, h.user_id FROM public.device_past h
                WHERE h.app_id = b.app_id AND h.device_id BETWEEN b.first_id AND b.last_id AND h.until > b.sent_at
                    AND flat.is_dense
                UNION ALL
                SELECT d.id, 'infinity', d.user_id FROM public.devices d
                WHERE d.app_id = b.app_id AND d.id BETWEEN b.first_id AND b.last_id AND flat.is_dense
            ) AS o
            ORDER BY o.device_id, o.until
        )
        UNION ALL
        SELECT i.id, (coalesce(
            (SELECT ARRAY[h.user_id] FROM public.device_past h
             WHERE h.app_id = b.app_id AND h.device_id = i.id AND h.until > b.sent_at ORDER BY h.until LIMIT 1),
            (SELECT ARRAY[d.user_id] FROM public.devices d WHERE d.app_id = b.app_id AND d.id = i.id)))[1]
        FROM unnest(b.recipients) AS i (id)
        WHERE NOT flat.is_dense
    ) AS u ON u.device_id = r.device_id
    OFFSET 0
) AS r
JOIN public.outcome_codes c ON c.code = outcome_code(r.byte)
LEFT JOIN public.profiles p ON p.app_id = b.app_id AND p.code = r.profile
WHERE c.kind <> 'deferred';
COMMENT ON VIEW bi.deliveries IS
    'One row per recipient of a run or transactional push, with the last outcome and what the device reported. Filter by run_id, or by app_id and message_number.';

-- Test pushes are in no run and in no batch, and in none of the other views.
CREATE VIEW bi.acknowledgements AS
SELECT e.app_id, u.campaign_id, u.id AS run_id, e.message_number, v.variant, e.device_id,
    (coalesce(
        (SELECT ARRAY[h.user_id] FROM public.device_past h
         WHERE h.app_id = e.app_id AND h.device_id = e.device_id AND h.until > e.happened_at ORDER BY h.until LIMIT 1),
        (SELECT ARRAY[d.user_id] FROM public.devices d WHERE d.app_id = e.app_id AND d.id = e.device_id)))[1] AS user_id,
    (ARRAY['delivered', 'presented', 'opened', 'action', 'dismissed', 'text', 'converted', 'influenced'])[e.kind]
        AS kind,
    e.action, e.text, e.happened_at, e.is_time_corrected, e.received_at, trim_scale(e.value) AS value, e.is_implied
FROM public.events e
LEFT JOIN public.run_variants v ON v.app_id = e.app_id AND v.message_number = e.message_number
LEFT JOIN public.runs u ON u.app_id = v.app_id AND u.id = v.run_id
CROSS JOIN generate_subscripts(ARRAY[1], 1)
WHERE e.kind < 9 AND (u.id IS NOT NULL OR EXISTS (
    SELECT FROM public.batches b WHERE b.app_id = e.app_id AND b.message_number = e.message_number));
COMMENT ON VIEW bi.acknowledgements IS
    'What devices reported, once per message, kind and action. deliveries has a summary for each recipient. Filter by run_id, or by app_id and message_number.';

CREATE VIEW bi.local_events AS
SELECT e.app_id, e.plan_id, p.name AS plan, e.plan_version, e.notification, e.device_id,
    (ARRAY['delivered', 'presented', 'opened', 'action', 'dismissed'])[e.kind] AS kind,
    e.action, e.happened_at, e.is_time_corrected, e.received_at
FROM public.local_events e
LEFT JOIN public.local_plans p ON p.app_id = e.app_id AND p.id = e.plan_id;
COMMENT ON VIEW bi.local_events IS
    'Events of local notifications that devices reported. Filter by app_id and plan_id.';

CREATE VIEW bi.custom_events AS
SELECT e.app_id, n.name, e.user_id, e.device_id, e.value, e.properties, e.happened_at, e.is_time_corrected, e.received_at
FROM public.custom_events e
JOIN public.custom_event_names n ON n.app_id = e.app_id AND n.id = e.name_id AND n.deleted_at IS NULL;
COMMENT ON VIEW bi.custom_events IS
    'Custom events that apps and servers reported. Filter by app_id and name.';

CREATE VIEW bi.conversions AS
SELECT c.app_id, r.campaign_id, r.id AS run_id, m.variant, c.message_number, n.name, r.started_at, c.direct, c.influenced,
    c.direct_amount, c.influenced_amount
FROM public.conversions c
JOIN public.custom_event_names n ON n.app_id = c.app_id AND n.id = c.name_id AND n.deleted_at IS NULL
JOIN public.run_variants m ON m.app_id = c.app_id AND m.message_number = c.message_number
JOIN public.runs r ON r.app_id = m.app_id AND r.id = m.run_id;
COMMENT ON VIEW bi.conversions IS
    'Custom events that pushes of campaigns led to, by variant of a run and name. Each event counts once.';

CREATE VIEW bi.deferrals AS
SELECT b.app_id, u.campaign_id, b.run_id, v.message_number, b.variant, r.device_id, b.due_at, b.id AS batch_id
FROM public.batches b
JOIN public.runs u ON u.app_id = b.app_id AND u.id = b.run_id
JOIN public.run_variants v ON v.app_id = b.app_id AND v.run_id = b.run_id AND v.variant = b.variant
CROSS JOIN LATERAL (SELECT b.outcomes || ''::bytea AS flat FROM generate_subscripts(ARRAY[b.size], 1) OFFSET 0) AS f
CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS r (device_id, number)
JOIN public.outcome_codes c ON c.code = outcome_code(get_byte(f.flat, r.number::integer - 1))
WHERE b.deferred > 0 AND c.kind = 'deferred';
COMMENT ON VIEW bi.deferrals IS
    'One row each time that a recipient was moved to a later batch; deliveries has the recipient''s last outcome. Filter by run_id.';

CREATE VIEW bi.batches AS
SELECT b.app_id, u.campaign_id, b.run_id, coalesce(v.message_number, b.message_number) AS message_number, v.variant,
    b.id AS batch_id,
    (ARRAY['production', 'development'])[b.environment + 1] AS environment, b.state, b.due_at, b.ended_at, b.deferred_from,
    b.retries, b.size, b.pending, b.accepted, b.rejected, b.suppressed, b.expired, b.cancelled, b.unknown, b.deferred,
    b.resent
FROM public.batches b
LEFT JOIN public.runs u ON u.app_id = b.app_id AND u.id = b.run_id
LEFT JOIN public.run_variants v ON v.app_id = b.app_id AND v.run_id = b.run_id AND v.variant = b.variant;
COMMENT ON VIEW bi.batches IS
    'One row per batch: recipients who were due at the same time, with the number of each outcome. run_id is null for transactional pushes.';

CREATE VIEW bi.devices_current AS
SELECT d.app_id, d.id AS device_id, ('~' || d.id) COLLATE "C" AS installation,
    (ARRAY['alert', 'voip', 'live_activity_start', 'live_activity_update', 'widget', 'control', 'complication', 'location',
        'push_to_talk', 'file_provider'])[d.kind + 1] AS kind,
    d.activity, (ARRAY['production', 'development'])[d.environment + 1] AS environment,
    (ARRAY['not_determined', 'denied', 'authorized', 'provisional', 'ephemeral'])[d.authorization_status + 1]
        AS authorization_status,
    d.retired_at IS NULL AS registered, d.retired_at,
    (ARRAY['unregistered', 'token_expired', 'bad_token', 'token_moved', 'removed'])[d.retired_reason] AS retired_reason,
    d.user_id, d.locale, d.time_zone, d.os_version, d.app_version, d.model, d.attributes, d.tags, d.opt_outs, d.is_test,
    d.nickname, d.created_at, d.updated_at, d.token_registered_at, a.last_seen_at
FROM public.devices d LEFT JOIN public.device_activity a ON a.app_id = d.app_id AND a.device_id = d.id;
COMMENT ON VIEW bi.devices_current IS
    'One row per device, as it is now, without its token. Attributes, tags and opt-outs include those of the user.';

CREATE VIEW bi.device_past AS
SELECT app_id, device_id, until, user_id, profile FROM public.device_past;
COMMENT ON VIEW bi.device_past IS 'The users and profiles that devices had until they changed.';

CREATE VIEW bi.profiles AS
SELECT p.app_id, p.code AS profile, p.locale, p.os_version, p.app_version,
    ARRAY(SELECT t.tag FROM public.counted_tags t WHERE t.app_id = p.app_id AND p.tag_bits & (1 << t.bit) <> 0
        ORDER BY t.tag) AS tags
FROM public.profiles p;
COMMENT ON VIEW bi.profiles IS
    'Each combination of locale, versions and counted tags that a device of the app has or had.';

CREATE VIEW bi.people AS
SELECT app_id, user_id, attributes, tags, opt_outs, created_at, updated_at FROM public.people;
COMMENT ON VIEW bi.people IS 'One row per user about whom something is known that holds for all of their devices.';

CREATE VIEW bi.topics AS
SELECT app_id, key AS topic, name, description, created_at, archived_at FROM public.topics;
COMMENT ON VIEW bi.topics IS 'One row per topic that recipients can opt out of.';

CREATE VIEW bi.segments AS
SELECT app_id, id AS segment_id, name, audience, created_at, updated_at, archived_at FROM public.segments;
COMMENT ON VIEW bi.segments IS 'One row per segment, as it is now.';

CREATE VIEW bi.templates AS
SELECT v.app_id, v.template_id, t.name, v.version AS template_version, v.content, v.created_at, t.archived_at
FROM public.template_versions v JOIN public.templates t ON t.app_id = v.app_id AND t.id = v.template_id;
COMMENT ON VIEW bi.templates IS 'One row per version of a template.';

CREATE VIEW bi.categories AS
SELECT app_id, id AS category_id, identifier, definition, created_at, updated_at, archived_at FROM public.categories;
COMMENT ON VIEW bi.categories IS 'One row per notification category, with its actions.';

CREATE VIEW bi.events_by_quarter AS
SELECT q.app_id, nullif(q.campaign_id, 0) AS campaign_id, q.quarter, measure_name(q.measure) AS measure,
    sum(q.count)::bigint AS count, trim_scale(sum(q.amount)) AS amount
FROM public.quarter_counts q
GROUP BY q.app_id, q.campaign_id, q.quarter, q.measure;
COMMENT ON VIEW bi.events_by_quarter IS
    'Counts by quarter of an hour. Sum the quarters of an hour or a day of your time zone.';

CREATE VIEW bi.events_daily AS
SELECT q.app_id, (q.quarter AT TIME ZONE 'UTC')::date AS day, nullif(q.campaign_id, 0) AS campaign_id,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('accepted')), 0)::bigint AS accepted,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('rejected')), 0)::bigint AS rejected,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('suppressed')), 0)::bigint AS suppressed,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('expired')), 0)::bigint AS expired,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('cancelled')), 0)::bigint AS cancelled,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('unknown')), 0)::bigint AS unknown,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('delivered')), 0)::bigint AS delivered,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('presented')), 0)::bigint AS presented,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('opened')), 0)::bigint AS opened,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('influenced')), 0)::bigint AS influenced,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('actions')), 0)::bigint AS actions,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('dismissed')), 0)::bigint AS dismissed,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('replies')), 0)::bigint AS replies,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('engaged')), 0)::bigint AS engaged,
    coalesce(sum(q.count) FILTER (WHERE q.measure = measure_of('conversions')), 0)::bigint AS conversions,
    coalesce(trim_scale(sum(q.amount) FILTER (WHERE q.measure = measure_of('conversions'))), 0) AS conversion_value,
    coalesce(sum(q.count) FILTER (WHERE q.measure IN (
        measure_of('refused_message'), measure_of('refused_before_start'), measure_of('refused_too_late'))), 0)::bigint
        AS refused_events
FROM public.quarter_counts q
GROUP BY q.app_id, day, q.campaign_id;
COMMENT ON VIEW bi.events_daily IS 'Counts by day (UTC) and campaign.';

CREATE VIEW bi.breakdowns AS
SELECT t.app_id, nullif(t.campaign_id, 0) AS campaign_id, v.run_id, v.variant, t.sent_on,
    (ARRAY['total', 'locale', 'os_version', 'app_version', 'tag', 'action', 'reason', 'delay'])[t.dimension + 1]
        AS dimension,
    t.value, measure_name(t.measure) AS measure, sum(t.count)::bigint AS count, trim_scale(sum(t.amount)) AS amount
FROM public.message_totals t
LEFT JOIN public.run_variants v ON v.app_id = t.app_id AND v.message_number = t.message_number
GROUP BY t.app_id, t.campaign_id, v.run_id, v.variant, t.sent_on, t.dimension, t.value, t.measure;
COMMENT ON VIEW bi.breakdowns IS
    'Outcomes and events of the pushes that were sent on a day (UTC), in total and by a property. Filter by dimension.';

CREATE VIEW bi.devices_daily AS
SELECT d.app_id, d.day, coalesce(sum(d.count) FILTER (WHERE d.measure = 1), 0)::bigint AS new,
    coalesce(sum(d.count) FILTER (WHERE d.measure = 2), 0)::bigint AS retired,
    coalesce(sum(d.count) FILTER (WHERE d.measure = 3), 0)::bigint AS registered_again,
    coalesce(sum(d.count) FILTER (WHERE d.measure = 4), 0)::bigint AS active
FROM public.device_days d
GROUP BY d.app_id, d.day;
COMMENT ON VIEW bi.devices_daily IS 'Devices that were new, retired, registered again or active on a day (UTC).';

-- Functions run with the rights of their owner, since a role that reads can't read the tables. Their text is compiled when
-- they are created, so no search path can change what they call.
CREATE FUNCTION bi.device_history(of_app bigint, of_device bigint)
RETURNS TABLE (
    campaign_id bigint, run_id bigint, message_number bigint, outcome text, reason text, is_resent boolean,
    was_deferred boolean, due_at timestamptz, batch_id bigint, user_id text
)
LANGUAGE sql STABLE SECURITY DEFINER
BEGIN ATOMIC
    SELECT u.campaign_id, b.run_id, coalesce(v.message_number, b.message_number), c.kind, nullif(c.reason, ''),
        outcome_is_resent(o.byte), b.deferred_from IS NOT NULL, b.due_at, b.id,
        (coalesce(
            (SELECT ARRAY[h.user_id] FROM public.device_past h
             WHERE h.app_id = of_app AND h.device_id = of_device AND h.until > coalesce(u.started_at, b.due_at)
             ORDER BY h.until LIMIT 1),
            (SELECT ARRAY[d.user_id] FROM public.devices d WHERE d.app_id = of_app AND d.id = of_device)))[1]
    FROM (
        SELECT * FROM public.batches
        WHERE box(point(app_id, first_id), point(app_id, last_id))
                @> box(point(of_app, of_device), point(of_app, of_device))
            AND batches.run_id IS NOT NULL
        UNION ALL
        SELECT p.* FROM public.push_recipients r
        JOIN public.batches p ON p.app_id = r.app_id AND p.message_number = r.message_number
        WHERE r.app_id = of_app AND r.device_id = of_device
    ) AS b
    LEFT JOIN public.runs u ON u.app_id = b.app_id AND u.id = b.run_id
    LEFT JOIN public.run_variants v ON v.app_id = b.app_id AND v.run_id = b.run_id AND v.variant = b.variant
    CROSS JOIN LATERAL (SELECT array_position(b.recipients, of_device) AS position) AS p
    CROSS JOIN LATERAL (SELECT get_byte(b.outcomes, p.position - 1) AS byte) AS o
    JOIN public.outcome_codes c ON c.code = outcome_code(o.byte)
    WHERE p.position IS NOT NULL AND c.kind <> 'deferred'
    ORDER BY b.id DESC;
END;
COMMENT ON FUNCTION bi.device_history IS
    'All pushes to a device with their last outcomes and the user whose device it was, newest first.';

CREATE FUNCTION bi.user_at(of_app bigint, of_device bigint, moment timestamptz) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER
BEGIN ATOMIC
    SELECT (coalesce(
        (SELECT ARRAY[h.user_id] FROM public.device_past h
         WHERE h.app_id = of_app AND h.device_id = of_device AND h.until > moment ORDER BY h.until LIMIT 1),
        (SELECT ARRAY[d.user_id] FROM public.devices d WHERE d.app_id = of_app AND d.id = of_device)))[1];
END;
COMMENT ON FUNCTION bi.user_at IS
    'The user whose device it was at this time; null: nobody, or a person who was erased.';
