-- Retention: an app can have events, replies and lists of recipients deleted after some days. Totals stay.

ALTER TABLE apps
    ADD COLUMN event_days smallint CHECK (event_days BETWEEN 31 AND 3650),
    ADD COLUMN reply_days smallint CHECK (reply_days BETWEEN 1 AND 3650),
    ADD COLUMN recipient_days smallint CHECK (recipient_days BETWEEN 91 AND 3650);

COMMENT ON COLUMN apps.event_days IS
    'Events of pushes are deleted this many days after their range of message numbers ended; null: never. Repeated events are refused after 30 days, so none is counted twice.';
COMMENT ON COLUMN apps.reply_days IS 'The texts of replies are erased this many days after their receipt; null: never.';
COMMENT ON COLUMN apps.recipient_days IS
    'The recipients and outcomes of batches are deleted this many days after their run ended; null: never. Frequency caps look back 90 days.';

ALTER TABLE runs
    ADD COLUMN recipients_deleted_at timestamptz,
    -- Counts of events are read from message_totals now.
    DROP COLUMN delivered,
    DROP COLUMN opened,
    DROP COLUMN responses_counted_at;

COMMENT ON COLUMN runs.recipients_deleted_at IS 'When the lists of its recipients were deleted; null: they are there.';

-- Recipients that are due for deletion are found by the end of their run.
CREATE INDEX runs_finished ON runs (app_id, finished_at) WHERE finished_at IS NOT NULL AND recipients_deleted_at IS NULL;
-- The same for transactional pushes.
CREATE INDEX batches_of_pushes_ended ON batches (app_id, ended_at) WHERE run_id IS NULL AND octet_length(outcomes) > 0;

ALTER TABLE batches
    DROP CONSTRAINT batches_have_an_outcome_per_recipient,
    DROP CONSTRAINT batches_have_a_profile_per_recipient,
    ADD CONSTRAINT batches_have_an_outcome_per_recipient CHECK (
        octet_length(outcomes) = cardinality(recipients)
        AND (cardinality(recipients) = size OR cardinality(recipients) = 0 AND state = 'done')),
    ADD CONSTRAINT batches_have_a_profile_per_recipient CHECK (
        profiles IS NULL
        OR octet_length(profiles) IN (cardinality(recipients), 2 * cardinality(recipients), 3 * cardinality(recipients)));

COMMENT ON COLUMN batches.recipients IS 'Device ids, sorted for runs. Empty once they were deleted, see apps.recipient_days.';
COMMENT ON COLUMN batches.outcomes IS 'One byte per recipient. Empty once they were deleted.';

CREATE OR REPLACE VIEW counted_outcomes AS
SELECT b.id AS batch_id, b.run_id, b.app_id, coalesce(u.campaign_id, 0) AS campaign_id,
    coalesce(u.message_number, 0) AS message_number,
    (coalesce(u.started_at, b.due_at) AT TIME ZONE 'UTC')::date AS sent_on,
    date_trunc('minute', coalesce(b.ended_at, b.due_at), 'UTC') AS minute, measure_of(c.kind) AS measure, c.reason,
    r.profile, r.count
FROM batches b
LEFT JOIN runs u ON u.id = b.run_id
CROSS JOIN LATERAL (
    SELECT b.outcomes || ''::bytea AS outcomes, b.profiles || ''::bytea AS profiles,
        octet_length(b.profiles) / b.size AS width
    OFFSET 0
) AS flat
CROSS JOIN LATERAL (
    SELECT outcome_code(get_byte(flat.outcomes, index)) AS code,
        coalesce(profile_code(flat.profiles, flat.width, index), 0) AS profile, count(*) AS count
    FROM generate_series(0, octet_length(flat.outcomes) - 1) AS index GROUP BY 1, 2
) AS r
JOIN outcome_codes c ON c.code = r.code
WHERE c.kind NOT IN ('deferred', 'pending')
    AND (u.finished_at IS NOT NULL OR b.run_id IS NULL AND b.state = 'done');

-- Replies are listed by their receipt, the newest first, and erased when they are old.
CREATE INDEX events_inbox ON events (app_id, received_at, message_number, device_id, action) WHERE text IS NOT NULL;
