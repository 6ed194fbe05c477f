-- The names that the code and the documentation use: states as text, deferred and requeued recipients, the rejection
-- threshold, rate limits, probes of the other environment. Comments are stored with the schema: \d+ in psql shows them,
-- and Docs/schema.sql.

-- A batch's state as text, like those of campaigns and runs.
DROP INDEX batches_ready, batches_leased, batches_too_late;
ALTER TABLE batches
    DROP CONSTRAINT batches_state_check,
    DROP CONSTRAINT batches_check5,
    DROP CONSTRAINT batches_check6,
    DROP CONSTRAINT batches_of_pushes_are_held,
    ALTER COLUMN state DROP DEFAULT;
ALTER TABLE batches
    ALTER COLUMN state TYPE text
        USING CASE state WHEN 0 THEN 'ready' WHEN 1 THEN 'leased' WHEN 2 THEN 'done' END,
    ALTER COLUMN state SET DEFAULT 'ready',
    ADD CONSTRAINT batches_state_check CHECK (state IN ('ready', 'leased', 'done')),
    ADD CONSTRAINT batches_leased_by_an_owner CHECK (
        (state = 'leased') = (owner IS NOT NULL) AND (state = 'leased') = (lease_until IS NOT NULL)),
    ADD CONSTRAINT batches_done_has_no_pending CHECK (state <> 'done' OR pending = 0),
    ADD CONSTRAINT batches_of_pushes_are_held CHECK (run_id IS NOT NULL OR state <> 'ready' AND sent_through = size);

ALTER TABLE batches RENAME COLUMN moved TO deferred;
ALTER TABLE batches RENAME COLUMN moved_from TO deferred_from;
ALTER TABLE batches RENAME COLUMN is_trial TO is_environment_probe;
ALTER TABLE batches RENAME CONSTRAINT batches_check TO batches_counters_add_up;
ALTER TABLE batches RENAME CONSTRAINT batches_check1 TO batches_counters_are_not_negative;
ALTER TABLE batches RENAME CONSTRAINT batches_check2 TO batches_have_an_outcome_per_recipient;
ALTER TABLE batches RENAME CONSTRAINT batches_check3 TO batches_sent_through_check;
ALTER TABLE batches RENAME CONSTRAINT batches_check4 TO batches_range_check;
ALTER TABLE batches RENAME CONSTRAINT batches_moved_from_fkey TO batches_deferred_from_fkey;
ALTER INDEX batches_moved RENAME TO batches_deferred_from;

-- For claims: a run's ready batches by their time.
CREATE INDEX batches_ready ON batches (run_id, due_at, id) WHERE state = 'ready';
-- For takeovers: the few leased batches. lease_until is not in the index, so that renewing a lease changes no index.
CREATE INDEX batches_leased ON batches (id) WHERE state = 'leased';
-- For overdue batches.
CREATE INDEX batches_overdue ON batches (not_after) WHERE state = 'ready' AND not_after IS NOT NULL;

ALTER TABLE campaigns RENAME COLUMN send_at TO next_check_at;
ALTER TABLE campaigns RENAME COLUMN brake_percent TO rejection_threshold_percent;
ALTER TABLE campaigns RENAME COLUMN ignores_cap TO ignores_frequency_cap;
ALTER TABLE campaigns RENAME CONSTRAINT campaigns_brake_percent_check TO campaigns_rejection_threshold_percent_check;
-- As the code has them.
ALTER TABLE campaigns ALTER COLUMN grace_seconds SET DEFAULT 1800, ALTER COLUMN missed_policy SET DEFAULT 'ask';
ALTER TABLE runs RENAME COLUMN brake_percent TO rejection_threshold_percent;
ALTER TABLE runs RENAME COLUMN cap_count TO frequency_cap_count;
ALTER TABLE runs RENAME COLUMN cap_days TO frequency_cap_days;
ALTER TABLE runs RENAME CONSTRAINT runs_brake_percent_check TO runs_rejection_threshold_percent_check;
ALTER TABLE apps RENAME COLUMN cap_count TO frequency_cap_count;
ALTER TABLE apps RENAME COLUMN cap_days TO frequency_cap_days;
ALTER TABLE instance RENAME COLUMN moved_at TO identity_changed_at;
ALTER TABLE media_pieces RENAME COLUMN place TO index;
ALTER TABLE paces RENAME TO rate_limits;
ALTER TABLE rate_limits RENAME CONSTRAINT paces_pkey TO rate_limits_pkey;

-- An outcome byte: bits 0 to 6 are the code, bit 7 says that the outcome was unknown and the push was sent again.
CREATE FUNCTION outcome_code(byte integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN byte % 128;
CREATE FUNCTION outcome_is_resent(byte integer) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN byte >= 128;
CREATE FUNCTION outcome_byte(code integer, is_resent boolean) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN code + CASE WHEN is_resent THEN 128 ELSE 0 END;

ALTER TABLE outcome_codes DROP CONSTRAINT outcome_codes_kind_check;
UPDATE outcome_codes SET kind = 'deferred' WHERE kind = 'moved';
UPDATE outcome_codes SET reason = 'requeued' WHERE code = 9;
ALTER TABLE outcome_codes ADD CONSTRAINT outcome_codes_kind_check CHECK (
    kind IN ('pending', 'accepted', 'rejected', 'suppressed', 'expired', 'cancelled', 'unknown', 'deferred'));

DROP VIEW deliveries;
CREATE VIEW deliveries AS
SELECT
    b.app_id,
    b.run_id,
    b.id AS batch_id,
    r.device_id,
    c.kind,
    c.reason,
    outcome_is_resent(o.byte) AS is_resent,
    b.message_number
FROM batches b
CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS r (device_id, position)
CROSS JOIN LATERAL (SELECT get_byte(b.outcomes, r.position::integer - 1) AS byte) AS o
JOIN outcome_codes c ON c.code = outcome_code(o.byte);

DROP FUNCTION device_history(bigint, bigint);
CREATE FUNCTION device_history(of_app bigint, of_device bigint)
RETURNS TABLE (
    run_id bigint, batch_id bigint, kind text, reason text, is_resent boolean, message_number bigint
)
LANGUAGE sql STABLE AS $$
    SELECT b.run_id, b.id, c.kind, c.reason, outcome_is_resent(o.byte), b.message_number
    FROM (
        SELECT * FROM batches
        WHERE app_id = of_app AND first_id <= of_device AND last_id >= of_device AND batches.run_id IS NOT NULL
        UNION ALL
        SELECT p.* FROM push_recipients r JOIN batches p ON p.id = r.batch_id
        WHERE r.app_id = of_app AND r.device_id = of_device
    ) AS b
    CROSS JOIN LATERAL (SELECT array_position(b.recipients, of_device) AS position) AS p
    CROSS JOIN LATERAL (SELECT get_byte(b.outcomes, p.position - 1) AS byte) AS o
    JOIN outcome_codes c ON c.code = outcome_code(o.byte)
    WHERE p.position IS NOT NULL
    ORDER BY b.id DESC
$$;

CREATE OR REPLACE FUNCTION require_apps_of_devices() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asked bigint[] := ARRAY(SELECT DISTINCT app_id FROM added);
    found bigint;
BEGIN
    -- Like a foreign key: an app with this lock is not deleted before this transaction has committed.
    SELECT count(*) INTO found FROM (SELECT FROM apps WHERE id = ANY (asked) FOR KEY SHARE) locked;
    IF found < cardinality(asked) THEN
        RAISE foreign_key_violation USING
            MESSAGE = 'the app of a device does not exist', TABLE = 'devices', CONSTRAINT = 'devices_app_id_fkey';
    END IF;
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION keep_app_of_device() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE foreign_key_violation USING
        MESSAGE = 'the app of a device can''t be changed', TABLE = 'devices', CONSTRAINT = 'devices_app_id_fkey';
END
$$;

COMMENT ON TABLE instance IS 'One row: the identity of this database, and a check of the sealing key.';
COMMENT ON COLUMN instance.sealing_check IS 'A known text sealed with the sealing key.';
COMMENT ON COLUMN instance.identity_changed_at IS
    'When another server or timeline was noticed: after a restore or a failover.';
COMMENT ON TABLE apps IS 'Apps that pushes are sent to.';
COMMENT ON COLUMN apps.message_id_key IS 'The payload key beside aps that has the message id.';
COMMENT ON COLUMN apps.quiet_hours IS '{"from": "22:00", "to": "08:00", "policy": "hold"}, on the recipient''s clock.';
COMMENT ON COLUMN apps.frequency_cap_count IS 'At most this many pushes to a device in frequency_cap_days.';
COMMENT ON COLUMN apps.pushes_per_second IS 'Over all processes; null: no limit.';
COMMENT ON TABLE message_keys IS 'Keys that sign an app''s message ids. Old versions stay valid.';
COMMENT ON TABLE credentials IS 'Apple''s token signing keys (.p8), sealed.';
COMMENT ON TABLE provider_tokens IS 'The provider token of each signing key, shared by all processes.';
COMMENT ON TABLE api_keys IS 'API keys. hash is the SHA-256 of the key; app_id is null for keys of all apps.';
COMMENT ON TABLE topics IS 'Topics that recipients can opt out of.';
COMMENT ON TABLE devices IS 'One row per token. Retired devices stay.';
COMMENT ON COLUMN devices.kind IS
    '0 alert, 1 VoIP, 2 Live Activity start, 3 Live Activity update, 4 widget, 5 control, 6 complication, 7 location, 8 push to talk, 9 file provider';
COMMENT ON COLUMN devices.environment IS '0 production, 1 development';
COMMENT ON COLUMN devices.authorization_status IS
    '0 not determined, 1 denied, 2 authorized, 3 provisional, 4 ephemeral (UNAuthorizationStatus)';
COMMENT ON COLUMN devices.retired_reason IS
    '1 unregistered, 2 token expired, 3 bad token, 4 the token moved to another installation, 5 removed by the app';
COMMENT ON COLUMN devices.activity IS 'The Live Activity, for kind 3; otherwise empty.';
COMMENT ON COLUMN devices.token IS 'Null only for a retired device whose token another installation has.';
COMMENT ON COLUMN devices.token_registered_at IS 'A 410 of Apple with an earlier time does not retire the device.';
COMMENT ON COLUMN devices.opt_outs IS 'Keys of topics.';
COMMENT ON TABLE device_activity IS 'When a device was last seen: at most one write per device and day.';
COMMENT ON TABLE known_attributes IS 'The attributes of an app''s devices and the bytes of their longest values.';
COMMENT ON TABLE categories IS 'Notification categories with their actions.';
COMMENT ON TABLE templates IS 'Content with variants per locale. Each edit adds a row to template_versions.';
COMMENT ON TABLE template_versions IS 'Versions of templates, never changed.';
COMMENT ON TABLE media IS 'Images, sounds and videos for notifications.';
COMMENT ON COLUMN media.capability IS 'Random bytes in the URL: whoever has the URL can fetch the file.';
COMMENT ON TABLE media_pieces IS 'The content of media stored in the database, in pieces of 1 MiB.';
COMMENT ON TABLE local_plans IS 'Local notifications that an app fetches and schedules itself.';
COMMENT ON TABLE segments IS 'Named parts of an audience, evaluated when a campaign is sent.';
COMMENT ON TABLE segment_uses IS 'The segments and campaigns that use a segment. A used segment can''t be deleted.';
COMMENT ON TABLE campaigns IS 'Campaigns as people edit them.';
COMMENT ON COLUMN campaigns.next_check_at IS 'While scheduled: when the campaign is examined next, to start it or plan it.';
COMMENT ON COLUMN campaigns.handled_until IS 'Occurrences of the schedule up to this time were started or skipped.';
COMMENT ON COLUMN campaigns.runs_started IS 'The number of its runs. A campaign that is sending and has none is started next.';
COMMENT ON COLUMN campaigns.expiration_seconds IS 'How long a push is worth delivering; 0: one attempt, not stored by Apple.';
COMMENT ON COLUMN campaigns.grace_seconds IS 'How late a missed occurrence may start without asking.';
COMMENT ON COLUMN campaigns.unknown_policy IS 'Whether pushes with an unknown outcome are sent again, once.';
COMMENT ON COLUMN campaigns.collapse_id IS 'Null: Belfry sets one per run, so that a push that is sent again replaces the first.';
COMMENT ON COLUMN campaigns.rejection_threshold_percent IS 'Rejections per 100 answers that pause the run; null: no threshold.';
COMMENT ON COLUMN campaigns.reason IS 'Why the campaign is paused or failed, or why an occurrence was skipped.';
COMMENT ON TABLE runs IS 'One sending of a campaign, with content and options frozen when it began.';
COMMENT ON COLUMN runs.planned_at IS 'When the last recipient was planned.';
COMMENT ON COLUMN runs.verified_at IS 'When the recount of the outcome bytes agreed with the counters.';
COMMENT ON COLUMN runs.message_number IS 'Part of each message id of the run.';
COMMENT ON COLUMN runs.device_ceiling IS 'Devices registered later are not in the run.';
COMMENT ON COLUMN runs.plan_cursor IS 'The last device id that was scanned.';
COMMENT ON COLUMN runs.estimated IS 'The estimated number of recipients when the run began.';
COMMENT ON COLUMN runs.targeted IS 'This and the terms after it: the recount, null until the run has finished.';
COMMENT ON COLUMN runs.system_identifier IS 'The PostgreSQL server that the run began on; see timeline and database_oid.';
COMMENT ON COLUMN runs.destination IS 'Null for runs from before this was recorded.';
COMMENT ON COLUMN runs.occurrence IS 'The occurrence of the schedule: {"kind": "at", …} or {"kind": "local", …}.';
COMMENT ON COLUMN runs.audience IS 'The audience with its segments resolved.';
COMMENT ON COLUMN runs.trigger_key IS 'The idempotency key of the request that triggered the run.';
COMMENT ON TABLE outcome_codes IS 'The meaning of outcome bytes: see outcome_code() and outcome_is_resent().';
COMMENT ON COLUMN outcome_codes.reason IS 'Apple''s reason word for word, or Belfry''s.';
COMMENT ON TABLE batches IS 'The ledger: up to 5,000 recipients with one outcome byte each.';
COMMENT ON COLUMN batches.due_at IS 'Claimed from then on.';
COMMENT ON COLUMN batches.not_after IS 'If not sent by then, its recipients are re-evaluated: quiet hours began, or the local time passed.';
COMMENT ON COLUMN batches.deferred_from IS 'The batch that these recipients were deferred from.';
COMMENT ON COLUMN batches.attempt IS 'Raised by each claim: writes of an earlier owner are ignored.';
COMMENT ON COLUMN batches.flush_seq IS 'Numbers the flushes, to tell a flush whose answer was lost from one that was not stored.';
COMMENT ON COLUMN batches.sent_through IS 'Recipients before this index may have been sent to. Never decreases.';
COMMENT ON COLUMN batches.resent IS 'The number of recipients who were unknown and were sent to again.';
COMMENT ON COLUMN batches.environment IS '0 production, 1 development';
COMMENT ON COLUMN batches.retries IS 'How often its recipients were deferred.';
COMMENT ON COLUMN batches.planned_after IS 'The device id after which the planning step began.';
COMMENT ON COLUMN batches.is_environment_probe IS 'Tokens that one environment did not know, tried in the other.';
COMMENT ON COLUMN batches.message_number IS 'For transactional pushes; batches of runs use the run''s.';
COMMENT ON COLUMN batches.recipients IS 'Device ids, sorted for runs.';
COMMENT ON COLUMN batches.outcomes IS 'One byte per recipient.';
COMMENT ON TABLE rate_limits IS
    'When the next push of a run, or of an app (run_id 0), may be sent. Unlogged: recreated after a crash of PostgreSQL.';
COMMENT ON TABLE push_recipients IS 'The batches of transactional pushes that a device is in.';
COMMENT ON TABLE push_keys IS 'Idempotency keys of transactional pushes, kept for a day.';
COMMENT ON TABLE events IS 'Acknowledgements, once per message, kind and action.';
COMMENT ON COLUMN events.happened_at IS 'On the device''s clock.';
COMMENT ON COLUMN events.kind IS '1 delivered, 2 presented, 3 opened, 4 action, 5 dismissed, 6 text';
COMMENT ON VIEW deliveries IS
    'One row per recipient. Deferred recipients have a row here and another in the later batch. Filter by run_id.';
COMMENT ON FUNCTION device_history IS 'All pushes to a device, newest first.';
