-- Acknowledgements of devices.

-- Message numbers grow with time: once a week they continue in the next range, so old partitions can be dropped.
CREATE TABLE message_ranges (
    first_number bigint PRIMARY KEY,
    last_number bigint NOT NULL UNIQUE,
    opened_at timestamptz,
    has_events boolean NOT NULL DEFAULT true,
    has_recipients boolean NOT NULL DEFAULT true,
    CHECK (first_number <= last_number),
    CONSTRAINT message_ranges_has_a_partition CHECK (has_events OR has_recipients)
);

COMMENT ON TABLE message_ranges IS
    'The partitions of events and push_recipients: events_<first_number> and push_recipients_<first_number>.';
COMMENT ON COLUMN message_ranges.opened_at IS
    'When message numbers of this range were drawn first; null: not yet. All numbers of earlier ranges are older.';
COMMENT ON COLUMN message_ranges.has_events IS
    'Whether the partition of events exists. Without it, events of the range are refused.';
COMMENT ON COLUMN message_ranges.has_recipients IS 'Whether the partition of push_recipients exists.';

CREATE TABLE events (
    app_id bigint NOT NULL,
    message_number bigint NOT NULL,
    device_id bigint NOT NULL,
    happened_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    kind smallint NOT NULL CHECK (kind BETWEEN 1 AND 9),
    is_time_corrected boolean NOT NULL DEFAULT false,
    is_implied boolean NOT NULL DEFAULT false,
    action text NOT NULL DEFAULT '' CHECK (octet_length(action) <= 200),
    text text,
    value numeric(18, 6),
    profile integer NOT NULL DEFAULT 0,
    delay_seconds integer,
    PRIMARY KEY (app_id, message_number, device_id, kind, action),
    CONSTRAINT events_text_check CHECK (octet_length(text) <= 8000 AND (text IS NULL OR kind = 6)),
    CONSTRAINT events_value_check CHECK (value IS NULL OR kind = 7)
) PARTITION BY RANGE (message_number);
-- Replies are listed by their receipt, the newest first, and erased when they are old.
CREATE INDEX events_inbox ON events (app_id, received_at, message_number, device_id, action) WHERE text IS NOT NULL;

COMMENT ON TABLE events IS 'Acknowledgements, once per message, kind and action.';
COMMENT ON COLUMN events.happened_at IS 'On the device''s clock, unless is_time_corrected.';
COMMENT ON COLUMN events.kind IS
    '1 delivered, 2 presented, 3 opened, 4 action, 5 dismissed, 6 text, 7 converted, 8 influenced, 9 engaged (implied by 3, 4 and 6)';
COMMENT ON COLUMN events.is_time_corrected IS
    'happened_at is not the device''s time: the device''s clock was wrong (its offset is taken into account, or the time of receipt is stored), or its time was unreadable.';
COMMENT ON COLUMN events.is_implied IS
    'The device has not reported this delivery, but another event of the push, which proves it.';
COMMENT ON COLUMN events.action IS 'Identifier of the action, or name of the conversion; empty for other kinds.';
COMMENT ON COLUMN events.text IS 'The reply that a person typed. Null once the person was erased.';
COMMENT ON COLUMN events.value IS 'The value of a conversion, in the unit that the app chose.';
COMMENT ON COLUMN events.profile IS 'The device''s profile when the push was sent; 0: not known.';
COMMENT ON COLUMN events.delay_seconds IS 'From the push to its opening; null for other kinds.';

-- A person's replies are erased without a look at every partition of events.
CREATE TABLE device_replies (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    message_number bigint NOT NULL,
    PRIMARY KEY (app_id, device_id, message_number)
);

COMMENT ON TABLE device_replies IS 'The pushes that a device replied to with a text, which may have been erased since.';

-- The first ranges. The partition of the first one includes all lower numbers.
DO $$
DECLARE
    width CONSTANT bigint := 1 << 27;
    range record;
    parent text;
BEGIN
    FOR range IN
        SELECT greatest(1, n * width) AS first_number, (n + 1) * width AS next_first FROM generate_series(0, 2) AS n
    LOOP
        INSERT INTO message_ranges (first_number, last_number, opened_at)
        VALUES (range.first_number, range.next_first - 1, CASE WHEN range.first_number = 1 THEN now() END);
        FOREACH parent IN ARRAY ARRAY['events', 'push_recipients'] LOOP
            EXECUTE format('CREATE TABLE %1$s_%2$s PARTITION OF %1$s FOR VALUES FROM (%3$s) TO (%4$s)', parent,
                range.first_number, CASE WHEN range.first_number = 1 THEN 'MINVALUE' ELSE range.first_number::text END,
                range.next_first);
        END LOOP;
    END LOOP;
END
$$;

CREATE TABLE local_events (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    event_id uuid NOT NULL,
    plan_id bigint NOT NULL,
    plan_version integer NOT NULL,
    happened_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    kind smallint NOT NULL CHECK (kind BETWEEN 2 AND 5),
    is_time_corrected boolean NOT NULL DEFAULT false,
    notification text NOT NULL CHECK (octet_length(notification) BETWEEN 1 AND 128),
    action text NOT NULL DEFAULT '' CHECK (octet_length(action) <= 200),
    PRIMARY KEY (app_id, device_id, event_id),
    FOREIGN KEY (app_id, device_id) REFERENCES devices ON DELETE CASCADE
);
-- The oldest are deleted first.
CREATE INDEX local_events_received ON local_events (app_id, received_at);

COMMENT ON TABLE local_events IS 'Events of local notifications, once per device and ID of the app.';
COMMENT ON COLUMN local_events.plan_id IS 'The plan may have been deleted since.';
COMMENT ON COLUMN local_events.plan_version IS 'The version that the device had scheduled.';
COMMENT ON COLUMN local_events.kind IS 'As in events: 2 presented, 3 opened, 4 action, 5 dismissed';

CREATE TABLE local_counts (
    app_id bigint NOT NULL,
    plan_id bigint NOT NULL,
    notification text NOT NULL,
    kind smallint NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (app_id, plan_id, notification, kind),
    FOREIGN KEY (app_id, plan_id) REFERENCES local_plans ON DELETE CASCADE
);

COMMENT ON TABLE local_counts IS 'The number of local_events, also of those that were deleted since.';

-- Custom events: actions of people in an app, under names that the app chooses.

CREATE TABLE custom_event_names (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz,
    id integer GENERATED ALWAYS AS IDENTITY,
    version integer NOT NULL DEFAULT 1,
    name text COLLATE "C" NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 100),
    description text NOT NULL DEFAULT '' CHECK (char_length(description) <= 500),
    conversion_days smallint CHECK (conversion_days BETWEEN 1 AND 7),
    PRIMARY KEY (app_id, id),
    UNIQUE (app_id, name)
);

CREATE INDEX custom_event_names_deleted ON custom_event_names (deleted_at) WHERE deleted_at IS NOT NULL;

COMMENT ON TABLE custom_event_names IS 'The names of custom events: each event has the short id in place of its name.';
COMMENT ON COLUMN custom_event_names.deleted_at IS
    'When the name was deleted. The row is deleted after its events. It no longer holds the name, which can be reported again.';
COMMENT ON COLUMN custom_event_names.description IS 'Text that explains the event to people who select it.';
COMMENT ON COLUMN custom_event_names.conversion_days IS
    'Days after a push within which an event counts as a conversion. Null: events of this name are not conversions.';

CREATE TABLE custom_event_properties (
    app_id bigint NOT NULL,
    name_id integer NOT NULL,
    property text COLLATE "C" NOT NULL CHECK (octet_length(property) BETWEEN 1 AND 100),
    PRIMARY KEY (app_id, name_id, property),
    FOREIGN KEY (app_id, name_id) REFERENCES custom_event_names ON DELETE CASCADE
);

COMMENT ON TABLE custom_event_properties IS 'The properties that events of a name have had.';

-- The monday of the week, in UTC.
CREATE FUNCTION week_of(moment timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN date_trunc('week', moment AT TIME ZONE 'UTC')::date;

-- One index serves both purposes: the events of a person by name are counted from it alone, and a repeated event is
-- found by it. An id need therefore only be unique among a person's events of one name.
CREATE TABLE custom_events (
    app_id bigint NOT NULL,
    person bigint NOT NULL,
    device_id bigint,
    happened_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    event_id uuid NOT NULL,
    week date NOT NULL DEFAULT week_of(now()),
    name_id integer NOT NULL,
    is_time_corrected boolean NOT NULL DEFAULT false,
    user_id text COLLATE "C" CHECK (octet_length(user_id) BETWEEN 1 AND 200),
    value numeric(18, 6),
    properties jsonb,
    PRIMARY KEY (app_id, name_id, person, event_id, week) INCLUDE (happened_at),
    CHECK (num_nonnulls(device_id, user_id) > 0)
) PARTITION BY RANGE (week);

COMMENT ON TABLE custom_events IS
    'Events that apps and servers report, once per person, name and ID, in a partition for each week of receipt: custom_events_<monday>.';
COMMENT ON COLUMN custom_events.person IS 'The person_number of the user, or without one of the installation.';
COMMENT ON COLUMN custom_events.device_id IS 'Null: a server reported it of a user.';
COMMENT ON COLUMN custom_events.user_id IS 'The user of the device when the event arrived, or the one that a server named.';
COMMENT ON COLUMN custom_events.week IS 'The monday (UTC) of the week in which it was received.';
COMMENT ON COLUMN custom_events.is_time_corrected IS 'As in events.';

-- The first weeks. Maintenance creates those that follow, see CustomEventWeekStore.
DO $$
DECLARE
    first_day date;
BEGIN
    FOR number IN 0..5 LOOP
        first_day := week_of(now()) + 7 * number;
        EXECUTE format('CREATE TABLE custom_events_%s PARTITION OF custom_events FOR VALUES FROM (%L) TO (%L)',
            to_char(first_day, 'YYYYMMDD'), first_day, first_day + 7);
    END LOOP;
END
$$;

-- Copies, because the events of an app are in no order of arrival. No foreign keys: they would cost more than the row.
CREATE TABLE conversion_queue (
    app_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    person bigint NOT NULL,
    device_id bigint,
    happened_at timestamptz NOT NULL,
    queued_at timestamptz NOT NULL DEFAULT now(),
    name_id integer NOT NULL,
    user_id text COLLATE "C",
    value numeric(18, 6),
    PRIMARY KEY (app_id, id)
);

COMMENT ON TABLE conversion_queue IS 'Events that count as conversions and are not attributed to a push yet.';

CREATE TABLE conversions (
    app_id bigint NOT NULL,
    message_number bigint NOT NULL,
    direct bigint NOT NULL,
    influenced bigint NOT NULL,
    name_id integer NOT NULL,
    direct_amount numeric NOT NULL,
    influenced_amount numeric NOT NULL,
    PRIMARY KEY (app_id, message_number, name_id),
    FOREIGN KEY (app_id, name_id) REFERENCES custom_event_names ON DELETE CASCADE
);

COMMENT ON TABLE conversions IS 'Custom events that pushes of campaigns led to: each event counts for one push at most.';
COMMENT ON COLUMN conversions.direct IS 'The person engaged with this push last, and then had the event.';
COMMENT ON COLUMN conversions.influenced IS
    'The person was sent this push last and had the event, without having engaged with a push.';
COMMENT ON COLUMN conversions.direct_amount IS 'The sum of the values of these events.';

CREATE TABLE custom_event_quarters (
    app_id bigint NOT NULL,
    quarter timestamptz NOT NULL,
    count bigint NOT NULL,
    name_id integer NOT NULL,
    shard smallint NOT NULL,
    amount numeric NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, name_id, quarter, shard),
    FOREIGN KEY (app_id, name_id) REFERENCES custom_event_names ON DELETE CASCADE
) WITH (fillfactor = 70);

COMMENT ON TABLE custom_event_quarters IS
    'Counts of custom events by the quarter of an hour in which they happened, also of those that were deleted since. A count is the sum over shards, as in app_quarters.';
COMMENT ON COLUMN custom_event_quarters.amount IS 'The sum of the values.';
