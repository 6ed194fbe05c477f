-- A device is engaged with a push when it opened it, pressed a button, or replied: once, whatever it reported of these. Two
-- transactions that store different ones of them cannot know of each other, so the engagement is an event of its own, which
-- the others imply, as they imply the delivery. Its key counts a device once.

ALTER TABLE events
    DROP CONSTRAINT events_kind_check,
    ADD CONSTRAINT events_kind_check CHECK (kind BETWEEN 1 AND 9);
COMMENT ON COLUMN events.kind IS
    '1 delivered, 2 presented, 3 opened, 4 action, 5 dismissed, 6 text, 7 converted, 8 influenced, 9 engaged (implied by 3, 4 and 6)';

CREATE OR REPLACE VIEW acknowledgements AS
SELECT e.app_id, u.campaign_id, u.id AS run_id, e.message_number, e.device_id,
    (ARRAY['delivered', 'presented', 'opened', 'action', 'dismissed', 'text', 'converted', 'influenced'])[e.kind]
        AS kind,
    e.action, e.text, e.happened_at, e.is_time_corrected, e.received_at, e.value, e.is_implied
FROM events e
LEFT JOIN runs u ON u.app_id = e.app_id AND u.message_number = e.message_number
WHERE e.kind < 9;

CREATE OR REPLACE FUNCTION measure_name(measure smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE measure
    WHEN 1 THEN 'delivered' WHEN 2 THEN 'presented' WHEN 3 THEN 'opened' WHEN 4 THEN 'actions'
    WHEN 5 THEN 'dismissed' WHEN 6 THEN 'replies' WHEN 7 THEN 'conversions' WHEN 8 THEN 'influenced'
    WHEN 9 THEN 'engaged'
    WHEN 11 THEN 'accepted' WHEN 12 THEN 'rejected' WHEN 13 THEN 'suppressed' WHEN 14 THEN 'expired'
    WHEN 15 THEN 'cancelled' WHEN 16 THEN 'unknown'
    WHEN 21 THEN 'refused_message' WHEN 22 THEN 'refused_before_start' WHEN 23 THEN 'refused_too_late'
END;

CREATE OR REPLACE VIEW campaign_funnel AS
SELECT u.app_id, u.campaign_id, c.name AS campaign, u.id AS run_id, u.message_number, u.started_at, u.finished_at,
    u.verified_at IS NOT NULL AS is_verified, u.targeted, u.accepted, u.rejected, u.suppressed, u.expired, u.cancelled,
    u.unknown, e.delivered, e.presented, e.opened, e.influenced, e.actions, e.dismissed, e.replies, e.conversions,
    e.conversion_value, e.engaged
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
        coalesce(trim_scale(sum(t.amount)), 0) AS conversion_value,
        coalesce(sum(t.count) FILTER (WHERE t.measure = 9), 0)::bigint AS engaged
    FROM message_totals t
    WHERE t.app_id = u.app_id AND t.dimension = 0 AND t.measure IN (1, 2, 3, 4, 5, 6, 7, 8, 9)
        AND t.sent_on = (u.started_at AT TIME ZONE 'UTC')::date AND t.message_number = u.message_number
) AS e;

COMMENT ON COLUMN campaign_funnel.engaged IS
    'Devices on which the push was opened, a button was pressed or a reply was typed; each counts once.';

CREATE OR REPLACE VIEW events_daily AS
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
    coalesce(sum(count) FILTER (WHERE measure > 20), 0)::bigint AS refused_events,
    coalesce(sum(count) FILTER (WHERE measure = 9), 0)::bigint AS engaged
FROM quarter_counts
GROUP BY app_id, day, campaign_id;

-- The engagements of events that are stored already, and their counts.
INSERT INTO events (
    app_id, message_number, device_id, kind, happened_at, is_time_corrected, received_at, is_implied, profile)
SELECT DISTINCT ON (app_id, message_number, device_id) app_id, message_number, device_id, 9, happened_at,
    is_time_corrected, received_at, true, profile
FROM events WHERE kind IN (3, 4, 6)
ORDER BY app_id, message_number, device_id, happened_at;

INSERT INTO run_minutes (message_number, measure, minute, shard, count, amount)
SELECT message_number, measure, minute, 1, count, amount FROM recounted_run_minutes WHERE measure = 9;

INSERT INTO app_quarters (app_id, measure, quarter, campaign_id, shard, count, amount)
SELECT app_id, measure, quarter, campaign_id, 1, count, amount FROM recounted_app_quarters WHERE measure = 9;

INSERT INTO message_totals (
    app_id, dimension, measure, sent_on, message_number, value, campaign_id, shard, count, amount)
SELECT app_id, dimension, measure, sent_on, message_number, value, campaign_id, 1, count, amount
FROM recounted_message_totals WHERE measure = 9;
