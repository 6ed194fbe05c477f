-- Counts for statistics, kept in the transactions that store what they count.
--
-- Measures: 1 to 9 the kinds of events; 11 accepted, 12 rejected, 13 suppressed, 14 expired, 15 cancelled, 16 unknown;
-- events that were refused: 21 not a message of the app, 22 before the start, 23 too late.

-- A count is the sum over shards: a session adds to the rows of its own shard, so processes seldom wait for each other.
CREATE TABLE run_minutes (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    message_number bigint NOT NULL,
    minute timestamptz NOT NULL,
    count bigint NOT NULL,
    measure smallint NOT NULL,
    shard smallint NOT NULL,
    amount numeric NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, message_number, measure, minute, shard)
) WITH (fillfactor = 70);

COMMENT ON TABLE run_minutes IS 'Counts of what happened to the pushes of a run, by minute (UTC).';
COMMENT ON COLUMN run_minutes.amount IS 'The sum of the values of conversions.';

CREATE TABLE app_quarters (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    quarter timestamptz NOT NULL,
    campaign_id bigint NOT NULL,
    count bigint NOT NULL,
    amount numeric NOT NULL DEFAULT 0,
    measure smallint NOT NULL,
    shard smallint NOT NULL,
    PRIMARY KEY (app_id, measure, quarter, campaign_id, shard)
) WITH (fillfactor = 70);

COMMENT ON TABLE app_quarters IS
    'Counts by quarter of an hour, the largest unit that the hours of all time zones consist of.';
COMMENT ON COLUMN app_quarters.campaign_id IS '0 for transactional pushes and refused events.';
COMMENT ON COLUMN app_quarters.amount IS 'The sum of the values of conversions.';

CREATE TABLE message_totals (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    message_number bigint NOT NULL,
    campaign_id bigint NOT NULL,
    count bigint NOT NULL,
    amount numeric NOT NULL DEFAULT 0,
    sent_on date NOT NULL,
    dimension smallint NOT NULL,
    measure smallint NOT NULL,
    shard smallint NOT NULL,
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, dimension, measure, sent_on, message_number, value, shard)
) WITH (fillfactor = 70);
-- Not merged yet: recent days, and events that came late.
CREATE INDEX message_totals_unmerged ON message_totals (app_id, dimension, measure, sent_on) WHERE shard > 0;

COMMENT ON TABLE message_totals IS
    'Outcomes and events of the pushes that were sent on a day (UTC), in total and by their properties.';
COMMENT ON COLUMN message_totals.message_number IS 'Of a variant of a run; 0 for all transactional pushes of the day.';
COMMENT ON COLUMN message_totals.campaign_id IS '0 for transactional pushes.';
COMMENT ON COLUMN message_totals.dimension IS
    '0 the total; 1 locale, 2 version of iOS, 3 version of the app, 4 tag, as they were when the push was sent; 5 action or conversion; 6 reason; 7 seconds from the push to the opening, rounded down to a step';
COMMENT ON COLUMN message_totals.shard IS '0 for merged rows, which day_totals includes.';
COMMENT ON COLUMN message_totals.value IS 'Of the dimension; empty for totals, and for what is not known.';

-- When people open pushes, by the hours of their own clocks, for pushes at each person's best time.
CREATE TABLE response_hours (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    first_id bigint NOT NULL,
    last_id bigint NOT NULL,
    counted_until timestamptz NOT NULL,
    response bytea NOT NULL DEFAULT '',
    evidence double precision[] NOT NULL DEFAULT '{}',
    people bytea NOT NULL DEFAULT '',
    PRIMARY KEY (app_id, first_id),
    CONSTRAINT response_hours_range CHECK (first_id <= last_id)
);
CREATE INDEX response_hours_due ON response_hours (counted_until);

COMMENT ON TABLE response_hours IS 'Pushes of campaigns and their openings by hour, for ranges of devices.';
COMMENT ON COLUMN response_hours.response IS
    'Of all devices of the range: pushes by the hour at which they were due, and for each of these, openings by hour. ResponsesOfPeople has the form.';
COMMENT ON COLUMN response_hours.evidence IS 'How well each degree of caution has foretold openings, as logarithms of likelihoods.';
COMMENT ON COLUMN response_hours.people IS 'The same numbers for each device that has opened pushes.';

-- The people of an A/B test, counted from time to time.
CREATE TABLE test_counts (
    app_id bigint NOT NULL,
    campaign_id bigint NOT NULL,
    counted_at timestamptz NOT NULL DEFAULT now(),
    count_next_at timestamptz,
    decides_at timestamptz,
    value_cap double precision,
    PRIMARY KEY (app_id, campaign_id),
    FOREIGN KEY (app_id, campaign_id) REFERENCES campaigns ON DELETE CASCADE
);
CREATE INDEX test_counts_due ON test_counts (count_next_at) WHERE count_next_at IS NOT NULL;

COMMENT ON TABLE test_counts IS 'A/B tests that were sent, and when their people were counted.';
COMMENT ON COLUMN test_counts.count_next_at IS 'Null: the count is final.';
COMMENT ON COLUMN test_counts.decides_at IS
    'When everybody''s time to reach the goal has passed. Null: that is not known yet, or the campaign goes on.';

COMMENT ON COLUMN test_counts.value_cap IS
    'With a goal of values: what a person counts at most, so that a few large ones do not hide a difference. Fixed by the first count that can. Null: not yet.';

CREATE TABLE test_people (
    app_id bigint NOT NULL,
    campaign_id bigint NOT NULL,
    planned bigint NOT NULL,
    people bigint NOT NULL,
    opened bigint NOT NULL,
    engaged bigint NOT NULL,
    converted bigint NOT NULL,
    mixed bigint NOT NULL,
    capped bigint NOT NULL,
    amount double precision NOT NULL,
    amount_squares double precision NOT NULL,
    amount_uncapped double precision NOT NULL,
    variant smallint NOT NULL CHECK (variant BETWEEN 0 AND 9),
    PRIMARY KEY (app_id, campaign_id, variant),
    FOREIGN KEY (app_id, campaign_id) REFERENCES test_counts ON DELETE CASCADE,
    CONSTRAINT test_people_are_part_of_the_planned
        CHECK (0 <= least(opened, engaged, converted, mixed) AND greatest(opened, engaged, converted) <= people AND people <= planned)
);

COMMENT ON TABLE test_people IS
    'People of each variant; somebody without a user ID is an installation. Those whose bucket has changed since the newest variant was added are left out.';
COMMENT ON COLUMN test_people.planned IS 'People who got only this variant.';
COMMENT ON COLUMN test_people.people IS 'The part of planned that was sent a push, or was not because of its content.';
COMMENT ON COLUMN test_people.opened IS 'The part of people that opened one within a day.';
COMMENT ON COLUMN test_people.converted IS 'The part of people that had the custom event of the goal within three days.';
COMMENT ON COLUMN test_people.capped IS 'The part of converted that counts as test_counts.value_cap, with a larger value.';
COMMENT ON COLUMN test_people.amount IS
    'With a goal of values, the sum of what each of people had within three days, at most value_cap; 0 otherwise.';
COMMENT ON COLUMN test_people.amount_squares IS 'The sum of the squares of the same.';
COMMENT ON COLUMN test_people.mixed IS 'People who also got another variant, because they signed in between two pushes. They are not counted elsewhere.';

-- The people of a campaign with a control group, counted from time to time.
CREATE TABLE effect_counts (
    app_id bigint NOT NULL,
    campaign_id bigint NOT NULL,
    counted_at timestamptz NOT NULL DEFAULT now(),
    count_next_at timestamptz,
    decides_at timestamptz,
    treated bigint NOT NULL,
    treated_converted bigint NOT NULL,
    treated_capped bigint NOT NULL DEFAULT 0,
    control bigint NOT NULL,
    control_converted bigint NOT NULL,
    control_capped bigint NOT NULL DEFAULT 0,
    treated_amount double precision NOT NULL DEFAULT 0,
    treated_amount_squares double precision NOT NULL DEFAULT 0,
    treated_amount_uncapped double precision NOT NULL DEFAULT 0,
    control_amount double precision NOT NULL DEFAULT 0,
    control_amount_squares double precision NOT NULL DEFAULT 0,
    control_amount_uncapped double precision NOT NULL DEFAULT 0,
    value_cap double precision,
    PRIMARY KEY (app_id, campaign_id),
    FOREIGN KEY (app_id, campaign_id) REFERENCES campaigns ON DELETE CASCADE,
    CONSTRAINT effect_counts_are_parts
        CHECK (treated_converted BETWEEN 0 AND treated AND control_converted BETWEEN 0 AND control)
);
CREATE INDEX effect_counts_due ON effect_counts (count_next_at) WHERE count_next_at IS NOT NULL;

COMMENT ON TABLE effect_counts IS 'Conversions of campaigns with a control group: of the recipients, and of the control group.';
COMMENT ON COLUMN effect_counts.count_next_at IS 'Null: the count is final.';
COMMENT ON COLUMN effect_counts.decides_at IS
    'When everybody''s time to reach the goal has passed. Null: that is not known yet, or the campaign goes on.';
COMMENT ON COLUMN effect_counts.treated IS
    'People who were sent to, or were to be. Who got nothing for a reason that was known when the run was planned is not counted.';
COMMENT ON COLUMN effect_counts.treated_converted IS 'The part that had the custom event of the goal within three days.';
COMMENT ON COLUMN effect_counts.treated_amount IS 'As in test_people, as are the others.';
COMMENT ON COLUMN effect_counts.value_cap IS 'As in test_counts.';

-- Counts of past days are merged, so that statistics of a year are read in milliseconds: the shards of a row become
-- one, the totals of all messages of a day are added up, and the quarters of a day become one row.
CREATE TABLE day_totals (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    count bigint NOT NULL,
    amount numeric NOT NULL DEFAULT 0,
    sent_on date NOT NULL,
    dimension smallint NOT NULL,
    measure smallint NOT NULL,
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, dimension, measure, sent_on, value)
);

COMMENT ON TABLE day_totals IS 'The sums of message_totals of the shard 0 over all messages of a day.';

CREATE TABLE quarter_days (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    campaign_id bigint NOT NULL,
    day date NOT NULL,
    measure smallint NOT NULL,
    counts bigint[] NOT NULL CHECK (cardinality(counts) = 96),
    amounts numeric[] CHECK (cardinality(amounts) = 96),
    PRIMARY KEY (app_id, campaign_id, measure, day)
);

COMMENT ON TABLE quarter_days IS
    'Counts in the quarters of an hour of a past day (UTC). app_quarters has those that are not merged yet.';
COMMENT ON COLUMN quarter_days.campaign_id IS '0 for transactional pushes and refused events, -1 for all together.';
COMMENT ON COLUMN quarter_days.amounts IS 'The sums of the values of conversions; null for other measures.';

CREATE FUNCTION measure_name(measure smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE measure
    WHEN 1 THEN 'delivered' WHEN 2 THEN 'presented' WHEN 3 THEN 'opened' WHEN 4 THEN 'actions'
    WHEN 5 THEN 'dismissed' WHEN 6 THEN 'replies' WHEN 7 THEN 'conversions' WHEN 8 THEN 'influenced'
    WHEN 9 THEN 'engaged'
    WHEN 11 THEN 'accepted' WHEN 12 THEN 'rejected' WHEN 13 THEN 'suppressed' WHEN 14 THEN 'expired'
    WHEN 15 THEN 'cancelled' WHEN 16 THEN 'unknown'
    WHEN 21 THEN 'refused_message' WHEN 22 THEN 'refused_before_start' WHEN 23 THEN 'refused_too_late'
END;

-- The same the other way round. With a constant, it is one when the statement is planned.
CREATE FUNCTION measure_of(name text) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE name
    WHEN 'delivered' THEN 1 WHEN 'presented' THEN 2 WHEN 'opened' THEN 3 WHEN 'actions' THEN 4
    WHEN 'dismissed' THEN 5 WHEN 'replies' THEN 6 WHEN 'conversions' THEN 7 WHEN 'influenced' THEN 8
    WHEN 'engaged' THEN 9
    WHEN 'accepted' THEN 11 WHEN 'rejected' THEN 12 WHEN 'suppressed' THEN 13 WHEN 'expired' THEN 14
    WHEN 'cancelled' THEN 15 WHEN 'unknown' THEN 16
    WHEN 'refused_message' THEN 21 WHEN 'refused_before_start' THEN 22 WHEN 'refused_too_late' THEN 23
END::smallint;

-- The measures that count events. Each has the number of its kind of events (`EventKind`).
CREATE FUNCTION event_measures() RETURNS smallint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY[1, 2, 3, 4, 5, 6, 7, 8, 9]::smallint[];

CREATE FUNCTION measure_of_event(kind smallint) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN kind = ANY (event_measures()) THEN kind END;

CREATE FUNCTION to_quarter(moment timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN date_bin('15 minutes', moment, TIMESTAMPTZ '2000-01-01 00:00:00+00');

-- The lowest value of each step in which delays are counted.
CREATE FUNCTION delay_step(seconds integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (ARRAY[0, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 43200, 86400, 172800, 345600, 604800, 1209600])[
    width_bucket(seconds, ARRAY[0, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 43200, 86400, 172800, 345600, 604800, 1209600])];

CREATE FUNCTION sums_of_arrays(one numeric[], other numeric[]) RETURNS numeric[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT array_agg(coalesce(a, 0) + coalesce(b, 0) ORDER BY i)
    FROM unnest(one, other) WITH ORDINALITY AS u (a, b, i));

-- An array of a day's quarters from the sums of some.
CREATE FUNCTION quarters_of_day(indexes integer[], sums numeric[]) RETURNS numeric[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT array_agg(coalesce(s.sum, 0) ORDER BY i)
    FROM generate_series(1, 96) AS i
    LEFT JOIN (SELECT index, sum(value) AS sum FROM unnest(indexes, sums) AS u (index, value) GROUP BY index) AS s
        ON s.index = i);

CREATE VIEW quarter_counts AS
SELECT app_id, quarter, campaign_id, measure, count, amount FROM app_quarters
UNION ALL
SELECT q.app_id, (q.day + (c.index - 1) * interval '15 minutes') AT TIME ZONE 'UTC', q.campaign_id, q.measure, c.count,
    coalesce(q.amounts[c.index], 0)
FROM quarter_days q CROSS JOIN LATERAL unnest(q.counts) WITH ORDINALITY AS c (count, index)
WHERE q.campaign_id >= 0 AND c.count <> 0;
COMMENT ON VIEW quarter_counts IS 'All counts by quarter of an hour, merged or not.';

CREATE TABLE device_days (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    count bigint NOT NULL,
    day date NOT NULL,
    measure smallint NOT NULL CHECK (measure BETWEEN 1 AND 4),
    shard smallint NOT NULL,
    PRIMARY KEY (app_id, day, measure, shard)
) WITH (fillfactor = 70);

COMMENT ON TABLE device_days IS 'Devices by day (UTC).';
COMMENT ON COLUMN device_days.measure IS '1 new, 2 retired, 3 registered again, 4 active: seen on that day';

-- The same counts from the rows themselves: what the counts are tested against, and rebuilt from.


CREATE VIEW profile_values AS
SELECT app_id, code AS profile, 1::smallint AS dimension, locale AS value FROM profiles
UNION ALL SELECT app_id, code, 2::smallint, os_version FROM profiles
UNION ALL SELECT app_id, code, 3::smallint, app_version FROM profiles
UNION ALL
SELECT p.app_id, p.code, 4::smallint, t.tag
FROM profiles p JOIN counted_tags t ON t.app_id = p.app_id AND p.tag_bits & (1 << t.bit) <> 0
UNION ALL SELECT id, 0, dimension, '' FROM apps, unnest(ARRAY[1, 2, 3]::smallint[]) AS dimension;
COMMENT ON VIEW profile_values IS
    'The value of each profile in each dimension of message_totals. Profile 0 is not known.';

-- "flat" copies the bytes of a batch once; otherwise they would be unpacked again for each recipient.
CREATE VIEW counted_outcomes AS
SELECT b.id AS batch_id, b.run_id, b.app_id, coalesce(u.campaign_id, 0) AS campaign_id,
    coalesce(v.message_number, 0) AS message_number,
    (coalesce(u.started_at, b.due_at) AT TIME ZONE 'UTC')::date AS sent_on,
    date_trunc('minute', coalesce(b.ended_at, b.due_at), 'UTC') AS minute, measure_of(c.kind) AS measure, c.reason,
    r.profile, r.count
FROM batches b
LEFT JOIN runs u ON u.app_id = b.app_id AND u.id = b.run_id
LEFT JOIN run_variants v ON v.app_id = b.app_id AND v.run_id = b.run_id AND v.variant = b.variant
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
COMMENT ON VIEW counted_outcomes IS
    'The outcomes of finished runs and transactional pushes, by batch, reason and profile.';

CREATE VIEW counted_events AS
SELECT e.app_id, e.message_number AS message, coalesce(u.campaign_id, 0) AS campaign_id,
    coalesce(v.message_number, 0) AS message_number,
    (coalesce(u.started_at, b.due_at) AT TIME ZONE 'UTC')::date AS sent_on,
    date_trunc('minute', e.happened_at, 'UTC') AS minute, measure_of_event(e.kind) AS measure, e.action,
    coalesce(e.value, 0) AS amount, e.delay_seconds, e.profile
FROM events e
LEFT JOIN run_variants v ON v.app_id = e.app_id AND v.message_number = e.message_number
LEFT JOIN runs u ON u.app_id = v.app_id AND u.id = v.run_id
LEFT JOIN batches b ON b.app_id = e.app_id AND b.message_number = e.message_number
WHERE u.id IS NOT NULL OR b.id IS NOT NULL;
COMMENT ON VIEW counted_events IS 'The events of runs and transactional pushes. Those of test pushes are not counted.';

CREATE VIEW recounted_run_minutes AS
SELECT app_id, campaign_id, message_number, measure, minute, sum(count)::bigint AS count, sum(amount) AS amount
FROM (
    SELECT app_id, campaign_id, message_number, measure, minute, count, 0 AS amount FROM counted_outcomes
    WHERE message_number > 0
    UNION ALL
    SELECT app_id, campaign_id, message_number, measure, minute, 1, amount FROM counted_events WHERE message_number > 0
) AS facts
GROUP BY app_id, campaign_id, message_number, measure, minute;
COMMENT ON VIEW recounted_run_minutes IS 'run_minutes, counted again from batches and events.';

CREATE VIEW recounted_app_quarters AS
SELECT app_id, measure, to_quarter(minute) AS quarter, campaign_id, sum(count)::bigint AS count, sum(amount) AS amount
FROM (
    SELECT app_id, measure, minute, campaign_id, count, 0 AS amount FROM counted_outcomes
    UNION ALL
    SELECT app_id, measure, minute, campaign_id, 1, amount FROM counted_events
) AS facts
GROUP BY app_id, measure, to_quarter(minute), campaign_id;
COMMENT ON VIEW recounted_app_quarters IS 'app_quarters, counted again from batches and events.';

CREATE VIEW recounted_message_totals AS
WITH facts AS (
    SELECT app_id, campaign_id, message_number, sent_on, measure, reason, '' AS action, NULL::integer AS delay,
        profile, count, 0 AS amount
    FROM counted_outcomes
    UNION ALL
    SELECT app_id, campaign_id, message_number, sent_on, measure, '', action, delay_seconds, profile, 1, amount
    FROM counted_events
)
SELECT f.app_id, f.campaign_id, f.message_number, f.sent_on, d.dimension, f.measure, d.value,
    sum(f.count)::bigint AS count, sum(f.amount) AS amount
FROM facts f
CROSS JOIN LATERAL (
    SELECT 0::smallint AS dimension, '' AS value
    UNION ALL
    SELECT v.dimension, v.value FROM profile_values v WHERE v.app_id = f.app_id AND v.profile = f.profile
    UNION ALL SELECT 5::smallint, f.action WHERE f.action <> ''
    UNION ALL SELECT 6::smallint, f.reason WHERE f.reason <> ''
    UNION ALL SELECT 7::smallint, delay_step(f.delay)::text WHERE f.delay IS NOT NULL
) AS d
GROUP BY f.app_id, f.campaign_id, f.message_number, f.sent_on, d.dimension, f.measure, d.value;
COMMENT ON VIEW recounted_message_totals IS 'message_totals, counted again from batches and events.';
