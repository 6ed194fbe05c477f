-- Days of campaigns at a fixed time, and views for analysts that agree with the API.

ALTER TABLE runs ADD COLUMN schedule_time_zone text;
COMMENT ON COLUMN runs.schedule_time_zone IS
    'The zone of the schedule''s clock, by which conditions about days mean today; null: default_time_zone.';

-- An accepted push has no reason, as in the API. The comments of 0064 explain the form of the views.
CREATE OR REPLACE VIEW bi.deliveries AS
SELECT b.app_id, b.app, b.campaign_id, b.campaign, b.run_id, b.message_number, r.device_id,
    r.user_id,
    c.kind AS outcome, nullif(c.reason, '') AS reason, outcome_is_resent(r.byte) AS is_resent,
    b.deferred_from IS NOT NULL AS was_deferred,
    b.due_at, b.ended_at, r.delivered_at, r.opened_at, r.influenced_at, r.dismissed_at, r.engaged_at,
    r.engaged_at IS NOT NULL AS engaged, coalesce(r.acted, false) AS acted, r.action, coalesce(r.replied, false) AS replied,
    coalesce(r.conversions, 0) AS conversions, r.value, p.locale, p.os_version, p.app_version, r.profile, b.template_id,
    b.template_version, b.id AS batch_id
FROM (
    SELECT b.id, b.app_id, a.name AS app, u.campaign_id, c.name AS campaign, b.run_id, u.message_number,
        u.started_at AS sent_at, u.template_id, u.template_version, b.due_at, b.ended_at, b.deferred_from, b.first_id,
        b.last_id, b.size, b.outcomes, b.profiles, b.recipients
    FROM public.batches b
    JOIN public.runs u ON u.id = b.run_id
    JOIN public.campaigns c ON c.app_id = u.app_id AND c.id = u.campaign_id
    JOIN public.apps a ON a.id = u.app_id
    UNION ALL
    SELECT b.id, b.app_id, a.name, NULL, NULL, NULL, b.message_number, b.due_at, NULL, NULL, b.due_at, b.ended_at,
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
COMMENT ON COLUMN bi.deliveries.reason IS 'Apple''s reason word for word, or Belfry''s; null if there is none.';

CREATE OR REPLACE FUNCTION bi.device_history(of_app bigint, of_device bigint)
RETURNS TABLE (
    campaign_id bigint, run_id bigint, message_number bigint, outcome text, reason text, is_resent boolean,
    was_deferred boolean, due_at timestamptz, batch_id bigint, user_id text
)
LANGUAGE sql STABLE SECURITY DEFINER
BEGIN ATOMIC
    SELECT u.campaign_id, b.run_id, coalesce(b.message_number, u.message_number), c.kind, nullif(c.reason, ''),
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
    LEFT JOIN public.runs u ON u.id = b.run_id
    CROSS JOIN LATERAL (SELECT array_position(b.recipients, of_device) AS position) AS p
    CROSS JOIN LATERAL (SELECT get_byte(b.outcomes, p.position - 1) AS byte) AS o
    JOIN public.outcome_codes c ON c.code = outcome_code(o.byte)
    WHERE p.position IS NOT NULL AND c.kind <> 'deferred'
    ORDER BY b.id DESC;
END;

-- Test pushes are in no run and in no batch, and in none of the other views.
CREATE OR REPLACE VIEW bi.acknowledgements AS
SELECT e.app_id, u.campaign_id, u.id AS run_id, e.message_number, e.device_id,
    (coalesce(
        (SELECT ARRAY[h.user_id] FROM public.device_past h
         WHERE h.app_id = e.app_id AND h.device_id = e.device_id AND h.until > e.happened_at ORDER BY h.until LIMIT 1),
        (SELECT ARRAY[d.user_id] FROM public.devices d WHERE d.app_id = e.app_id AND d.id = e.device_id)))[1] AS user_id,
    (ARRAY['delivered', 'presented', 'opened', 'action', 'dismissed', 'text', 'converted', 'influenced'])[e.kind]
        AS kind,
    e.action, e.text, e.happened_at, e.is_time_corrected, e.received_at, trim_scale(e.value) AS value, e.is_implied
FROM public.events e
LEFT JOIN public.runs u ON u.app_id = e.app_id AND u.message_number = e.message_number
-- One row, of which PostgreSQL expects a thousand: it would take the events of a new run for one row, and read the other
-- side of a join again for each recipient.
CROSS JOIN generate_subscripts(ARRAY[1], 1)
WHERE e.kind < 9 AND (u.id IS NOT NULL OR EXISTS (
    SELECT FROM public.batches b WHERE b.app_id = e.app_id AND b.message_number = e.message_number));
