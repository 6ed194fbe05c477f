-- The number of recipients of a run, counted while it is planned: a batch that is lost later shows in it.

ALTER TABLE runs ADD COLUMN planned_total bigint CHECK (planned_total >= 0);
ALTER TABLE runs ALTER COLUMN planned_total SET DEFAULT 0;
COMMENT ON COLUMN runs.planned_total IS
    'The number of recipients planned so far, raised with plan_cursor. Null for runs from before this was recorded.';
