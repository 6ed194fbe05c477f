-- Views for people who query: one row per recipient, kinds as text, and columns of the same name to join on.

DROP VIEW deliveries;
DROP FUNCTION device_history(bigint, bigint);

-- "flat" copies the outcomes of a batch once; otherwise they would be unpacked again for each of their bytes.
CREATE VIEW deliveries AS
SELECT b.app_id, u.campaign_id, b.run_id, u.message_number, r.device_id, c.kind AS outcome, c.reason,
    outcome_is_resent(o.byte) AS is_resent, b.deferred_from IS NOT NULL AS was_deferred, b.due_at, b.id AS batch_id
FROM batches b
JOIN runs u ON u.id = b.run_id
CROSS JOIN LATERAL (SELECT b.outcomes || ''::bytea AS flat OFFSET 0) AS f
CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS r (device_id, number)
CROSS JOIN LATERAL (SELECT get_byte(f.flat, r.number::integer - 1) AS byte) AS o
JOIN outcome_codes c ON c.code = outcome_code(o.byte)
WHERE c.kind <> 'deferred'
UNION ALL
SELECT b.app_id, NULL, NULL, b.message_number, r.device_id, c.kind, c.reason, outcome_is_resent(o.byte), false,
    b.due_at, b.id
FROM batches b
CROSS JOIN LATERAL (SELECT b.outcomes || ''::bytea AS flat OFFSET 0) AS f
CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS r (device_id, number)
CROSS JOIN LATERAL (SELECT get_byte(f.flat, r.number::integer - 1) AS byte) AS o
JOIN outcome_codes c ON c.code = outcome_code(o.byte)
WHERE b.run_id IS NULL;

COMMENT ON VIEW deliveries IS
    'One row per recipient of a run or transactional push, with the last outcome. Filter by run_id, or by app_id and message_number.';
COMMENT ON COLUMN deliveries.run_id IS 'Null for transactional pushes.';
COMMENT ON COLUMN deliveries.message_number IS 'The run''s, or the transactional push''s; acknowledgements have the same.';
COMMENT ON COLUMN deliveries.outcome IS 'accepted, rejected, suppressed, expired, cancelled, unknown or pending.';
COMMENT ON COLUMN deliveries.reason IS 'Apple''s reason word for word, or Belfry''s; empty if the kind needs none.';
COMMENT ON COLUMN deliveries.is_resent IS 'The outcome was unknown once, and the push was sent again.';
COMMENT ON COLUMN deliveries.was_deferred IS 'The recipient was moved to a later batch before this outcome; see the view deferrals.';
COMMENT ON COLUMN deliveries.due_at IS 'From when on the push could be sent.';

CREATE VIEW deferrals AS
SELECT b.app_id, u.campaign_id, b.run_id, u.message_number, r.device_id, b.due_at, b.id AS batch_id
FROM batches b
JOIN runs u ON u.id = b.run_id
CROSS JOIN LATERAL (SELECT b.outcomes || ''::bytea AS flat OFFSET 0) AS f
CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS r (device_id, number)
JOIN outcome_codes c ON c.code = outcome_code(get_byte(f.flat, r.number::integer - 1))
WHERE b.deferred > 0 AND c.kind = 'deferred';

COMMENT ON VIEW deferrals IS
    'One row each time that a recipient was moved to a later batch; deliveries has the recipient''s last outcome. Filter by run_id.';

CREATE VIEW acknowledgements AS
SELECT e.app_id, u.campaign_id, u.id AS run_id, e.message_number, e.device_id,
    (ARRAY['delivered', 'presented', 'opened', 'action', 'dismissed', 'text'])[e.kind] AS kind, e.action, e.text,
    e.happened_at, e.is_time_corrected, e.received_at
FROM events e
LEFT JOIN runs u ON u.app_id = e.app_id AND u.message_number = e.message_number;

COMMENT ON VIEW acknowledgements IS
    'What devices reported, once per message, kind and action. Join deliveries by run_id and device_id, or by app_id, message_number and device_id.';
COMMENT ON COLUMN acknowledgements.run_id IS 'Null for transactional pushes.';
COMMENT ON COLUMN acknowledgements.kind IS 'delivered or opened; a device that reports opened need not report delivered.';
COMMENT ON COLUMN acknowledgements.happened_at IS 'On the device''s clock, or the time of receipt if is_time_corrected.';

CREATE VIEW device_list AS
SELECT d.app_id, d.id AS device_id, d.installation,
    (ARRAY['alert', 'voip', 'live-activity-start', 'live-activity-update', 'widget', 'control', 'complication',
        'location', 'push-to-talk', 'file-provider'])[d.kind + 1] AS kind,
    d.activity, (ARRAY['production', 'development'])[d.environment + 1] AS environment,
    (ARRAY['not_determined', 'denied', 'authorized', 'provisional', 'ephemeral'])[d.authorization_status + 1]
        AS authorization_status,
    d.retired_at IS NULL AS registered, d.retired_at,
    (ARRAY['unregistered', 'token_expired', 'bad_token', 'token_moved', 'removed'])[d.retired_reason]
        AS retired_reason,
    d.user_id, d.locale, d.time_zone, d.os_version, d.app_version, d.model, d.attributes, d.tags, d.opt_outs,
    d.is_test, d.nickname, d.created_at, d.updated_at, d.token_registered_at, a.last_seen_at
FROM devices d
LEFT JOIN device_activity a ON a.app_id = d.app_id AND a.device_id = d.id;

COMMENT ON VIEW device_list IS 'The devices with kinds as text and without tokens. Attributes, tags and opt-outs include those of the user.';

CREATE FUNCTION device_history(of_app bigint, of_device bigint) RETURNS TABLE (
    campaign_id bigint, run_id bigint, message_number bigint, outcome text, reason text, is_resent boolean,
    was_deferred boolean, due_at timestamptz, batch_id bigint
) LANGUAGE sql STABLE AS $$
    SELECT u.campaign_id, b.run_id, coalesce(b.message_number, u.message_number), c.kind, c.reason,
        outcome_is_resent(o.byte), b.deferred_from IS NOT NULL, b.due_at, b.id
    FROM (
        SELECT * FROM batches
        WHERE app_id = of_app AND first_id <= of_device AND last_id >= of_device AND batches.run_id IS NOT NULL
        UNION ALL
        SELECT p.* FROM push_recipients r JOIN batches p ON p.id = r.batch_id
        WHERE r.app_id = of_app AND r.device_id = of_device
    ) AS b
    LEFT JOIN runs u ON u.id = b.run_id
    CROSS JOIN LATERAL (SELECT array_position(b.recipients, of_device) AS position) AS p
    CROSS JOIN LATERAL (SELECT get_byte(b.outcomes, p.position - 1) AS byte) AS o
    JOIN outcome_codes c ON c.code = outcome_code(o.byte)
    WHERE p.position IS NOT NULL AND c.kind <> 'deferred'
    ORDER BY b.id DESC
$$;

COMMENT ON FUNCTION device_history IS 'All pushes to a device with their last outcomes, newest first.';

-- Lets a role read what analysts need: no keys, no credentials, no device tokens, and nothing can be changed.
CREATE FUNCTION grant_reading(reader name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', reader);
    EXECUTE format('GRANT SELECT ON deliveries, deferrals, acknowledgements, device_list, apps, topics, people, '
        'device_activity, known_attributes, templates, template_versions, segments, segment_uses, campaigns, runs, '
        'batches, outcome_codes, events, push_recipients, categories, local_plans TO %I', reader);
    EXECUTE format('GRANT SELECT (id, app_id, created_at, updated_at, token_registered_at, retired_at, kind, '
        'environment, authorization_status, retired_reason, activity, installation, user_id, locale, time_zone, '
        'os_version, app_version, model, attributes, is_test, nickname, settings, tags, opt_outs, own_attributes, '
        'own_tags, own_opt_outs) ON devices TO %I', reader);
    EXECUTE format('GRANT SELECT (id, app_id, created_at, size, name, type, storage, external_url) ON media TO %I',
        reader);
    EXECUTE format('ALTER ROLE %I SET default_transaction_read_only = on', reader);
END
$$;

COMMENT ON FUNCTION grant_reading IS
    'Lets a role read campaigns, ledgers, acknowledgements and devices, without keys, credentials and device tokens.';
