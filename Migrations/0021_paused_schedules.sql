-- A recurring or triggered campaign can be paused: it stays scheduled, and nothing starts until it is resumed.

ALTER TABLE campaigns
    ADD COLUMN schedule_paused_at timestamptz,
    DROP CONSTRAINT campaigns_scheduled,
    ADD CONSTRAINT campaigns_scheduled CHECK (
        state <> 'scheduled' OR schedule IS NOT NULL AND handled_until IS NOT NULL
            AND (next_check_at IS NOT NULL OR schedule ->> 'kind' = 'triggered' OR schedule_paused_at IS NOT NULL)
    ),
    ADD CONSTRAINT campaigns_paused_schedule CHECK (schedule_paused_at IS NULL OR state = 'scheduled');

COMMENT ON COLUMN campaigns.schedule_paused_at IS 'When the schedule was paused; null: it is not.';
