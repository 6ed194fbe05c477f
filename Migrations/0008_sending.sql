-- How fast, how carefully, and what is put off: pacing, the brake, later batches, the other environment.

-- Pushes a second over all processes; null: as fast as it goes.
ALTER TABLE apps ADD COLUMN pushes_per_second integer CHECK (pushes_per_second BETWEEN 1 AND 1000000);
ALTER TABLE campaigns
    ADD COLUMN pushes_per_second integer CHECK (pushes_per_second BETWEEN 1 AND 1000000),
    -- Rejections in a hundred answers beyond which sending stops; null: it never does.
    ADD COLUMN brake_percent smallint DEFAULT 50 CHECK (brake_percent BETWEEN 1 AND 100);
ALTER TABLE runs
    ADD COLUMN pushes_per_second integer CHECK (pushes_per_second BETWEEN 1 AND 1000000),
    ADD COLUMN brake_percent smallint CHECK (brake_percent BETWEEN 1 AND 100);

-- When the next push of a run, or of an app (run_id 0), may go: who sends so many moves it on by their time. On
-- PostgreSQL's clock. Lost with a crash of PostgreSQL, and made anew by the next who asks.
CREATE UNLOGGED TABLE paces (
    app_id bigint NOT NULL,
    run_id bigint NOT NULL,
    next_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, run_id)
) WITH (fillfactor = 10);

ALTER TABLE batches
    -- From then on its recipients are to be judged anew: it would be quiet where they are, or too late.
    ADD COLUMN not_after timestamptz,
    -- The id behind which its planning step began: no two steps look at the same device.
    ADD COLUMN planned_after bigint,
    -- Tokens that one environment did not know, tried in the other.
    ADD COLUMN is_trial boolean NOT NULL DEFAULT false;
-- For those that have become too late.
CREATE INDEX batches_too_late ON batches (not_after) WHERE state = 0 AND not_after IS NOT NULL;
-- For the frequency cap: a run's batches that hold ids of a range. Batches of one step span no more than it looked at.
CREATE INDEX batches_of_run_by_range ON batches (run_id, last_id, first_id);

INSERT INTO outcome_codes (code, kind, reason) VALUES
    (16, 'suppressed', 'frequency cap'), (17, 'suppressed', 'quiet hours'), (18, 'suppressed', 'local time past');
