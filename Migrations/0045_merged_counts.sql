-- Counts of past days are merged, so that statistics of a year are read in milliseconds: the shards of a row become one, the
-- totals of all messages of a day are added up, and the quarters of a day become one row.

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

COMMENT ON TABLE quarter_days IS 'What happened in the quarters of an hour of a past day (UTC). app_quarters has what was not merged yet.';
COMMENT ON COLUMN quarter_days.campaign_id IS '0 for transactional pushes and refused events, -1 for all together.';
COMMENT ON COLUMN quarter_days.amounts IS 'The sums of the values of conversions; null for other measures.';

-- 0 is the shard of merged rows from now on.
UPDATE message_totals SET shard = 9 WHERE shard = 0;

COMMENT ON COLUMN message_totals.shard IS '0 for merged rows, which day_totals includes.';

-- What is not merged yet: recent days, and events that came late.
CREATE INDEX message_totals_unmerged ON message_totals (app_id, dimension, measure, sent_on) WHERE shard > 0;

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

CREATE OR REPLACE VIEW events_by_quarter AS
SELECT app_id, nullif(campaign_id, 0) AS campaign_id, quarter, measure_name(measure) AS measure,
    sum(count)::bigint AS count, trim_scale(sum(amount)) AS amount
FROM quarter_counts
GROUP BY app_id, campaign_id, quarter, measure;

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
    coalesce(sum(count) FILTER (WHERE measure > 20), 0)::bigint AS refused_events
FROM quarter_counts
GROUP BY app_id, day, campaign_id;
