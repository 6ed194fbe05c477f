-- Views that Docs/analysts.md describes: recipients as they were when a push was sent, funnels, days and breakdowns. They
-- are stable: columns are added, and none is removed or changes its meaning.

CREATE FUNCTION user_at(of_app bigint, of_device bigint, moment timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN past.device_id IS NULL
        THEN (SELECT user_id FROM devices WHERE app_id = of_app AND id = of_device) ELSE past.user_id END
    FROM (SELECT) AS one
    LEFT JOIN LATERAL (
        SELECT device_id, user_id FROM device_past
        WHERE app_id = of_app AND device_id = of_device AND until > moment ORDER BY until LIMIT 1
    ) AS past ON true
$$;

COMMENT ON FUNCTION user_at IS 'The user whose device it was at this time; null: nobody, or a person who was erased.';

ALTER VIEW device_list RENAME TO devices_current;

DROP VIEW deliveries;

-- "flat" copies the bytes of a batch once; otherwise they would be unpacked again for each recipient.
CREATE VIEW deliveries AS
SELECT b.app_id, b.campaign_id, b.run_id, b.message_number, r.device_id, c.kind AS outcome, c.reason,
    outcome_is_resent(o.byte) AS is_resent, b.deferred_from IS NOT NULL AS was_deferred, b.due_at, b.id AS batch_id,
    b.ended_at, p.locale, p.os_version, p.app_version, o.profile
FROM (
    SELECT b.id, b.app_id, u.campaign_id, b.run_id, u.message_number, b.due_at, b.ended_at, b.deferred_from, b.size,
        b.outcomes, b.profiles, b.recipients
    FROM batches b JOIN runs u ON u.id = b.run_id
    UNION ALL
    SELECT id, app_id, NULL, NULL, message_number, due_at, ended_at, deferred_from, size, outcomes, profiles, recipients
    FROM batches WHERE run_id IS NULL
) AS b
CROSS JOIN LATERAL (
    SELECT b.outcomes || ''::bytea AS outcomes, b.profiles || ''::bytea AS profiles,
        octet_length(b.profiles) / b.size AS width
    OFFSET 0
) AS flat
CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS r (device_id, number)
CROSS JOIN LATERAL (
    SELECT get_byte(flat.outcomes, r.number::integer - 1) AS byte,
        coalesce(profile_code(flat.profiles, flat.width, r.number::integer - 1), 0) AS profile
) AS o
JOIN outcome_codes c ON c.code = outcome_code(o.byte)
LEFT JOIN profiles p ON p.app_id = b.app_id AND p.code = o.profile
WHERE c.kind <> 'deferred';

COMMENT ON VIEW deliveries IS
    'One row per recipient of a run or transactional push, with the last outcome. Filter by run_id, or by app_id and message_number.';
COMMENT ON COLUMN deliveries.run_id IS 'Null for transactional pushes.';
COMMENT ON COLUMN deliveries.message_number IS 'The run''s, or the transactional push''s; acknowledgements have the same.';
COMMENT ON COLUMN deliveries.outcome IS 'accepted, rejected, suppressed, expired, cancelled, unknown or pending.';
COMMENT ON COLUMN deliveries.reason IS 'Apple''s reason word for word, or Belfry''s; empty if the kind needs none.';
COMMENT ON COLUMN deliveries.is_resent IS 'The outcome was unknown once, and the push was sent again.';
COMMENT ON COLUMN deliveries.was_deferred IS 'The recipient was moved to a later batch before this outcome; see the view deferrals.';
COMMENT ON COLUMN deliveries.due_at IS 'From when on the push could be sent.';
COMMENT ON COLUMN deliveries.ended_at IS 'When the last outcome of the batch was stored: the push was sent between due_at and this.';
COMMENT ON COLUMN deliveries.locale IS 'When the push was sent, like os_version and app_version. Empty or null: not known.';
COMMENT ON COLUMN deliveries.profile IS 'The code of locale, versions and counted tags, see profiles; 0: not known.';

CREATE VIEW campaign_funnel AS
SELECT u.app_id, u.campaign_id, c.name AS campaign, u.id AS run_id, u.message_number, u.started_at, u.finished_at,
    u.verified_at IS NOT NULL AS is_verified, u.targeted, u.accepted, u.rejected, u.suppressed, u.expired, u.cancelled,
    u.unknown, e.delivered, e.presented, e.opened, e.influenced, e.actions, e.dismissed, e.replies, e.conversions,
    e.conversion_value
FROM runs u
JOIN campaigns c ON c.id = u.campaign_id
CROSS JOIN LATERAL (
    SELECT coalesce(sum(t.count) FILTER (WHERE t.measure = 1), 0)::bigint AS delivered,
        coalesce(sum(t.count) FILTER (WHERE t.measure = 2), 0)::bigint AS presented,
        coalesce(sum(t.count) FILTER (WHERE t.measure = 3), 0)::bigint AS opened,
        coalesce(sum(t.count) FILTER (WHERE t.measure = 8), 0)::bigint AS influenced,
        coalesce(sum(t.count) FILTER (WHERE t.measure = 4), 0)::bigint AS actions,
        coalesce(sum(t.count) FILTER (WHERE t.measure = 5), 0)::bigint AS dismissed,
        coalesce(sum(t.count) FILTER (WHERE t.measure = 6), 0)::bigint AS replies,
        coalesce(sum(t.count) FILTER (WHERE t.measure = 7), 0)::bigint AS conversions,
        coalesce(trim_scale(sum(t.amount)), 0) AS conversion_value
    FROM message_totals t
    WHERE t.app_id = u.app_id AND t.dimension = 0 AND t.measure IN (1, 2, 3, 4, 5, 6, 7, 8)
        AND t.sent_on = (u.started_at AT TIME ZONE 'UTC')::date AND t.message_number = u.message_number
) AS e;

COMMENT ON VIEW campaign_funnel IS
    'One row per run: its ledger, and what devices reported. The terms of the ledger are null until the run has ended.';
COMMENT ON COLUMN campaign_funnel.delivered IS 'Devices that showed the push; each event proves that.';
COMMENT ON COLUMN campaign_funnel.opened IS 'Devices on which the push was tapped.';
COMMENT ON COLUMN campaign_funnel.influenced IS 'Devices on which the app was opened soon after the push, without a tap on it.';
COMMENT ON COLUMN campaign_funnel.actions IS 'Pushed buttons. A device can report several.';

CREATE FUNCTION measure_name(measure smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE measure WHEN 1 THEN 'delivered' WHEN 2 THEN 'presented' WHEN 3 THEN 'opened' WHEN 4 THEN 'actions'
    WHEN 5 THEN 'dismissed' WHEN 6 THEN 'replies' WHEN 7 THEN 'conversions' WHEN 8 THEN 'influenced'
    WHEN 11 THEN 'accepted' WHEN 12 THEN 'rejected' WHEN 13 THEN 'suppressed' WHEN 14 THEN 'expired'
    WHEN 15 THEN 'cancelled' WHEN 16 THEN 'unknown' WHEN 21 THEN 'refused_message'
    WHEN 22 THEN 'refused_before_start' WHEN 23 THEN 'refused_too_late' END;

CREATE VIEW events_by_quarter AS
SELECT app_id, nullif(campaign_id, 0) AS campaign_id, quarter, measure_name(measure) AS measure,
    sum(count)::bigint AS count, trim_scale(sum(amount)) AS amount
FROM app_quarters
GROUP BY app_id, campaign_id, quarter, measure;

COMMENT ON VIEW events_by_quarter IS
    'What happened in each quarter of an hour. Sum the quarters of an hour or a day of your time zone.';
COMMENT ON COLUMN events_by_quarter.campaign_id IS 'Null for transactional pushes and refused events.';
COMMENT ON COLUMN events_by_quarter.amount IS 'The sum of the values of conversions.';

CREATE VIEW events_daily AS
SELECT app_id, (quarter AT TIME ZONE 'UTC')::date AS day, nullif(campaign_id, 0) AS campaign_id,
    coalesce(sum(count) FILTER (WHERE measure = 11), 0)::bigint AS accepted,
    coalesce(sum(count) FILTER (WHERE measure = 12), 0)::bigint AS rejected,
    coalesce(sum(count) FILTER (WHERE measure = 13), 0)::bigint AS suppressed,
    coalesce(sum(count) FILTER (WHERE measure = 14), 0)::bigint AS expired,
    coalesce(sum(count) FILTER (WHERE measure = 15), 0)::bigint AS cancelled,
    coalesce(sum(count) FILTER (WHERE measure = 16), 0)::bigint AS unknown,
    coalesce(sum(count) FILTER (WHERE measure = 1), 0)::bigint AS delivered,
    coalesce(sum(count) FILTER (WHERE measure = 2), 0)::bigint AS presented,
    coalesce(sum(count) FILTER (WHERE measure = 3), 0)::bigint AS opened,
    coalesce(sum(count) FILTER (WHERE measure = 8), 0)::bigint AS influenced,
    coalesce(sum(count) FILTER (WHERE measure = 4), 0)::bigint AS actions,
    coalesce(sum(count) FILTER (WHERE measure = 5), 0)::bigint AS dismissed,
    coalesce(sum(count) FILTER (WHERE measure = 6), 0)::bigint AS replies,
    coalesce(sum(count) FILTER (WHERE measure = 7), 0)::bigint AS conversions,
    coalesce(trim_scale(sum(amount) FILTER (WHERE measure = 7)), 0) AS conversion_value,
    coalesce(sum(count) FILTER (WHERE measure > 20), 0)::bigint AS refused_events
FROM app_quarters
GROUP BY app_id, day, campaign_id;

COMMENT ON VIEW events_daily IS 'What happened on each day (UTC), by campaign.';
COMMENT ON COLUMN events_daily.campaign_id IS 'Null for transactional pushes and refused events.';

CREATE VIEW breakdowns AS
SELECT t.app_id, nullif(t.campaign_id, 0) AS campaign_id, u.id AS run_id, t.sent_on,
    (ARRAY['total', 'locale', 'os_version', 'app_version', 'tag', 'action', 'reason', 'delay'])[t.dimension + 1]
        AS dimension,
    t.value, measure_name(t.measure) AS measure, sum(t.count)::bigint AS count, trim_scale(sum(t.amount)) AS amount
FROM message_totals t
LEFT JOIN runs u ON u.message_number = t.message_number
GROUP BY t.app_id, t.campaign_id, u.id, t.sent_on, t.dimension, t.value, t.measure;

COMMENT ON VIEW breakdowns IS
    'What became of the pushes that were sent on a day (UTC), in total and by a property. Filter by dimension.';
COMMENT ON COLUMN breakdowns.run_id IS 'Null for transactional pushes.';
COMMENT ON COLUMN breakdowns.value IS
    'Of the dimension. A delay is in seconds from the push to its opening, rounded down to a step.';

CREATE VIEW devices_daily AS
SELECT app_id, day, coalesce(sum(count) FILTER (WHERE measure = 1), 0)::bigint AS new,
    coalesce(sum(count) FILTER (WHERE measure = 2), 0)::bigint AS retired,
    coalesce(sum(count) FILTER (WHERE measure = 3), 0)::bigint AS registered_again,
    coalesce(sum(count) FILTER (WHERE measure = 4), 0)::bigint AS active
FROM device_days
GROUP BY app_id, day;

COMMENT ON VIEW devices_daily IS 'Devices that were new, retired, registered again or active on a day (UTC).';

CREATE OR REPLACE FUNCTION grant_reading(reader name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', reader);
    EXECUTE format('GRANT SELECT ON deliveries, deferrals, acknowledgements, devices_current, campaign_funnel, '
        'events_by_quarter, events_daily, breakdowns, devices_daily, apps, topics, people, '
        'device_activity, device_past, profiles, counted_tags, known_attributes, templates, template_versions, '
        'segments, segment_uses, campaigns, runs, batches, outcome_codes, events, push_recipients, categories, '
        'local_plans, tag_changes TO %I', reader);
    EXECUTE format('GRANT SELECT (id, app_id, created_at, updated_at, token_registered_at, retired_at, kind, '
        'environment, authorization_status, retired_reason, activity, installation, user_id, locale, time_zone, '
        'os_version, app_version, model, attributes, is_test, nickname, settings, tags, opt_outs, own_attributes, '
        'own_tags, own_opt_outs) ON devices TO %I', reader);
    EXECUTE format('GRANT SELECT (id, app_id, created_at, size, name, type, storage, external_url) ON media TO %I',
        reader);
    EXECUTE format('ALTER ROLE %I SET default_transaction_read_only = on', reader);
END
$$;
