-- The last count of a run's acknowledgements, so that a list of campaigns can show it without counting.

ALTER TABLE runs
    ADD COLUMN delivered bigint,
    ADD COLUMN opened bigint,
    ADD COLUMN responses_counted_at timestamptz,
    ADD CONSTRAINT runs_responses CHECK (
        (delivered IS NULL) = (opened IS NULL) AND (delivered IS NULL) = (responses_counted_at IS NULL)
            AND delivered >= opened AND opened >= 0
    );
CREATE INDEX runs_of_app ON runs (app_id, id);

COMMENT ON COLUMN runs.delivered IS 'Devices that showed the push, at responses_counted_at; those that opened it are included.';
COMMENT ON COLUMN runs.responses_counted_at IS 'When acknowledgements were last counted; null: never.';
