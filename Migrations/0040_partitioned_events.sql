-- Acknowledgements are partitioned by ranges of message numbers, so that old ones can be dropped. Message numbers grow
-- with time: once a week, Belfry lets them continue in the next range. A range has 2^27 numbers.

CREATE TABLE event_ranges (
    first_number bigint PRIMARY KEY,
    last_number bigint NOT NULL UNIQUE,
    opened_at timestamptz,
    CHECK (first_number <= last_number)
);

COMMENT ON TABLE event_ranges IS 'The partitions of events: events_<first_number>.';
COMMENT ON COLUMN event_ranges.opened_at IS
    'When message numbers of this range were drawn first; null: not yet. All numbers of earlier ranges are older.';

ALTER TABLE events RENAME TO events_1;
ALTER TABLE events_1 RENAME CONSTRAINT events_pkey TO events_1_pkey;
ALTER TABLE events_1
    ADD COLUMN is_implied boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT events_kind_check,
    ADD CONSTRAINT events_kind_check CHECK (kind BETWEEN 1 AND 8);

CREATE TABLE events (
    app_id bigint NOT NULL,
    message_number bigint NOT NULL,
    device_id bigint NOT NULL,
    happened_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    kind smallint NOT NULL,
    is_time_corrected boolean NOT NULL DEFAULT false,
    is_implied boolean NOT NULL DEFAULT false,
    action text NOT NULL DEFAULT '',
    text text,
    value numeric(18, 6),
    PRIMARY KEY (app_id, message_number, device_id, kind, action),
    CONSTRAINT events_action_check CHECK (octet_length(action) <= 200),
    CONSTRAINT events_kind_check CHECK (kind BETWEEN 1 AND 8),
    CONSTRAINT events_text_check CHECK (octet_length(text) <= 8000 AND (text IS NULL OR kind = 6)),
    CONSTRAINT events_value_check CHECK (value IS NULL OR kind = 7)
) PARTITION BY RANGE (message_number);

COMMENT ON TABLE events IS 'Acknowledgements, once per message, kind and action.';
COMMENT ON COLUMN events.happened_at IS 'On the device''s clock, unless is_time_corrected.';
COMMENT ON COLUMN events.kind IS
    '1 delivered, 2 presented, 3 opened, 4 action, 5 dismissed, 6 text, 7 converted, 8 influenced';
COMMENT ON COLUMN events.is_time_corrected IS
    'happened_at is not the device''s time: the device''s clock was wrong (its offset is taken into account, or the time of receipt is stored), or its time was unreadable.';
COMMENT ON COLUMN events.is_implied IS
    'The device has not reported this delivery, but another event of the push, which proves it.';
COMMENT ON COLUMN events.action IS 'Identifier of the action, or name of the conversion; empty for other kinds.';
COMMENT ON COLUMN events.text IS 'The reply that a person typed. Null once the person was erased.';
COMMENT ON COLUMN events.value IS 'The value of a conversion, in the unit that the app chose.';

-- Replies are erased by device.
CREATE INDEX events_replies ON events (app_id, device_id) WHERE text IS NOT NULL;

-- The first partition has all numbers that were drawn so far; the next two are empty.
DO $$
DECLARE
    width CONSTANT bigint := 1 << 27;
    drawn bigint := (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM message_numbers);
    next_first bigint := (greatest(drawn, (SELECT coalesce(max(message_number), 0) FROM events_1)) / width + 1) * width;
BEGIN
    EXECUTE format('ALTER TABLE events ATTACH PARTITION events_1 FOR VALUES FROM (MINVALUE) TO (%s)', next_first);
    INSERT INTO event_ranges VALUES (1, next_first - 1, now());
    FOR number IN 1..2 LOOP
        EXECUTE format('CREATE TABLE events_%s PARTITION OF events FOR VALUES FROM (%s) TO (%s)',
            next_first, next_first, next_first + width);
        INSERT INTO event_ranges VALUES (next_first, next_first + width - 1);
        next_first := next_first + width;
    END LOOP;
END
$$;

-- A push with any event was delivered: from now on each has an event of that kind, so that deliveries can be counted.
INSERT INTO events (app_id, message_number, device_id, happened_at, received_at, kind, is_implied)
SELECT app_id, message_number, device_id, min(happened_at), min(received_at), 1, true
FROM events GROUP BY app_id, message_number, device_id HAVING bool_and(kind <> 1);

CREATE OR REPLACE VIEW acknowledgements AS
SELECT e.app_id, u.campaign_id, u.id AS run_id, e.message_number, e.device_id,
    (ARRAY['delivered', 'presented', 'opened', 'action', 'dismissed', 'text', 'converted', 'influenced'])[e.kind]
        AS kind,
    e.action, e.text, e.happened_at, e.is_time_corrected, e.received_at, e.value, e.is_implied
FROM events e
LEFT JOIN runs u ON u.app_id = e.app_id AND u.message_number = e.message_number;

COMMENT ON COLUMN acknowledgements.kind IS
    'delivered, presented, opened, action, dismissed, text, converted or influenced. Each push with any of them has one of the kind delivered.';
COMMENT ON COLUMN acknowledgements.is_implied IS
    'The device has not reported this delivery, but another event of the push, which proves it.';
