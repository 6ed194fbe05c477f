-- Values are written with underscores, like names.

UPDATE devices SET settings = replace(settings::text, '"not-supported"', '"not_supported"')::jsonb
WHERE settings::text LIKE '%"not-supported"%';

CREATE OR REPLACE VIEW device_list AS
SELECT d.app_id, d.id AS device_id, d.installation,
    (ARRAY['alert', 'voip', 'live_activity_start', 'live_activity_update', 'widget', 'control', 'complication',
        'location', 'push_to_talk', 'file_provider'])[d.kind + 1] AS kind,
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
