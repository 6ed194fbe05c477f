-- The history of a device, and audiences by events, cost the same, however long the history of the app is.

-- Finds the runs whose events can be recent.
CREATE INDEX runs_started ON runs (app_id, started_at) INCLUDE (message_number);

-- The batches whose range of ids includes a device are found as boxes that include a point, without reading those whose
-- range only begins before it.
DROP INDEX batches_range;
CREATE INDEX batches_range ON batches USING gist (box(point(app_id, first_id), point(app_id, last_id)))
    WHERE run_id IS NOT NULL;

-- The devices of transactional pushes are partitioned by the same ranges of message numbers as events.
ALTER TABLE event_ranges RENAME TO message_ranges;
ALTER TABLE message_ranges RENAME CONSTRAINT event_ranges_pkey TO message_ranges_pkey;
ALTER TABLE message_ranges RENAME CONSTRAINT event_ranges_last_number_key TO message_ranges_last_number_key;
ALTER TABLE message_ranges RENAME CONSTRAINT event_ranges_check TO message_ranges_check;
ALTER TABLE message_ranges
    ADD COLUMN has_events boolean NOT NULL DEFAULT true,
    ADD COLUMN has_recipients boolean NOT NULL DEFAULT true,
    ADD CONSTRAINT message_ranges_has_a_partition CHECK (has_events OR has_recipients);

COMMENT ON TABLE message_ranges IS 'The partitions of events and push_recipients: events_<first_number> and push_recipients_<first_number>.';
COMMENT ON COLUMN message_ranges.has_events IS 'Whether the partition of events exists. Without it, events of the range are refused.';
COMMENT ON COLUMN message_ranges.has_recipients IS 'Whether the partition of push_recipients exists.';

ALTER TABLE push_recipients RENAME TO push_recipients_before;
ALTER TABLE push_recipients_before RENAME CONSTRAINT push_recipients_pkey TO push_recipients_before_pkey;

CREATE TABLE push_recipients (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    message_number bigint NOT NULL,
    PRIMARY KEY (app_id, device_id, message_number)
) PARTITION BY RANGE (message_number);

COMMENT ON TABLE push_recipients IS 'The transactional pushes to a device, by the message number of their batch.';

DO $$
DECLARE
    range record;
    reader record;
BEGIN
    -- The first partition also has the pushes of ranges whose events were dropped.
    FOR range IN
        SELECT first_number, last_number, row_number() OVER (ORDER BY first_number) = 1 AS is_first
        FROM message_ranges ORDER BY first_number
    LOOP
        EXECUTE format('CREATE TABLE push_recipients_%s PARTITION OF push_recipients FOR VALUES FROM (%s) TO (%s)',
            range.first_number, CASE WHEN range.is_first THEN 'MINVALUE' ELSE range.first_number::text END,
            range.last_number + 1);
    END LOOP;
    FOR reader IN
        SELECT DISTINCT a.grantee::regrole AS name FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) AS a
        WHERE c.oid = 'push_recipients_before'::regclass AND a.grantee <> c.relowner AND a.grantee <> 0
    LOOP
        EXECUTE format('GRANT SELECT ON push_recipients TO %s', reader.name);
    END LOOP;
END
$$;

INSERT INTO push_recipients (app_id, device_id, message_number)
SELECT p.app_id, p.device_id, b.message_number FROM push_recipients_before p JOIN batches b ON b.id = p.batch_id;

DROP TABLE push_recipients_before;

CREATE OR REPLACE FUNCTION device_history(of_app bigint, of_device bigint)
RETURNS TABLE(campaign_id bigint, run_id bigint, message_number bigint, outcome text, reason text, is_resent boolean,
    was_deferred boolean, due_at timestamptz, batch_id bigint)
LANGUAGE sql STABLE AS $$
    SELECT u.campaign_id, b.run_id, coalesce(b.message_number, u.message_number), c.kind, c.reason,
        outcome_is_resent(o.byte), b.deferred_from IS NOT NULL, b.due_at, b.id
    FROM (
        SELECT * FROM batches
        WHERE box(point(app_id, first_id), point(app_id, last_id))
                @> box(point(of_app, of_device), point(of_app, of_device))
            AND batches.run_id IS NOT NULL
        UNION ALL
        SELECT p.* FROM push_recipients r
        JOIN batches p ON p.app_id = r.app_id AND p.message_number = r.message_number
        WHERE r.app_id = of_app AND r.device_id = of_device
    ) AS b
    LEFT JOIN runs u ON u.id = b.run_id
    CROSS JOIN LATERAL (SELECT array_position(b.recipients, of_device) AS position) AS p
    CROSS JOIN LATERAL (SELECT get_byte(b.outcomes, p.position - 1) AS byte) AS o
    JOIN outcome_codes c ON c.code = outcome_code(o.byte)
    WHERE p.position IS NOT NULL AND c.kind <> 'deferred'
    ORDER BY b.id DESC
$$;
