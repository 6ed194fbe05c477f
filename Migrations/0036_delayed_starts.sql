-- A person's start can be delayed by some seconds, in which it can be undone: the campaign is scheduled meanwhile.

ALTER TABLE campaigns
    ADD COLUMN starts_at timestamptz,
    DROP CONSTRAINT campaigns_scheduled,
    ADD CONSTRAINT campaigns_scheduled CHECK (
        state <> 'scheduled' OR starts_at IS NOT NULL OR schedule IS NOT NULL AND handled_until IS NOT NULL
            AND (next_check_at IS NOT NULL OR schedule ->> 'kind' = 'triggered' OR schedule_paused_at IS NOT NULL)
    ),
    ADD CONSTRAINT campaigns_delayed_start CHECK (
        starts_at IS NULL OR state = 'scheduled' AND next_check_at IS NOT NULL
    );

COMMENT ON COLUMN campaigns.starts_at IS 'When a start by hand takes effect; null: no start is delayed.';
