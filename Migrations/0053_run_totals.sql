-- The totals of runs that have ended are read from their rows, not summed over their batches: a list of runs costs the
-- same, however many recipients they had.

ALTER TABLE runs ADD COLUMN deferred bigint, ADD COLUMN resent bigint;

UPDATE runs r SET deferred = b.deferred, resent = b.resent
FROM (
    SELECT run_id, sum(deferred)::bigint AS deferred, sum(resent)::bigint AS resent
    FROM batches WHERE run_id IS NOT NULL GROUP BY run_id
) AS b
WHERE b.run_id = r.id AND r.finished_at IS NOT NULL;

-- Runs that ended without a recipient.
UPDATE runs SET deferred = 0, resent = 0 WHERE finished_at IS NOT NULL AND deferred IS NULL;

ALTER TABLE runs
    ADD CONSTRAINT runs_verified_with_all_totals CHECK (verified_at IS NULL OR deferred IS NOT NULL AND resent IS NOT NULL);

COMMENT ON COLUMN runs.deferred IS 'How often recipients were moved to a later batch. They are in the other terms, too.';
COMMENT ON COLUMN runs.resent IS 'The number of recipients who were unknown and were sent to again.';
