-- The series of a run has the values of conversions, as all other statistics do.

ALTER TABLE run_minutes ADD amount numeric NOT NULL DEFAULT 0;

COMMENT ON COLUMN run_minutes.amount IS 'The sum of the values of conversions.';

DROP VIEW recounted_run_minutes;
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

UPDATE run_minutes m SET amount = e.amount
FROM (
    SELECT message_number, minute, sum(amount) AS amount FROM counted_events WHERE measure = 7 AND message_number > 0
    GROUP BY message_number, minute
) AS e
WHERE m.message_number = e.message_number AND m.minute = e.minute AND m.measure = 7
    AND m.shard = (
        SELECT min(shard) FROM run_minutes o
        WHERE o.message_number = m.message_number AND o.measure = 7 AND o.minute = m.minute);
