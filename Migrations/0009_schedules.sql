-- Who and when: audiences, schedules, quiet hours, frequency caps, and what to do about a missed start.

ALTER TABLE apps
    -- {"from": "22:00", "to": "08:00", "policy": "hold"}, on each recipient's own clock.
    ADD COLUMN quiet_hours json CHECK (json_typeof(quiet_hours) = 'object'),
    -- At most so many pushes for one device in so many days.
    ADD COLUMN cap_count smallint CHECK (cap_count BETWEEN 1 AND 100),
    ADD COLUMN cap_days smallint CHECK (cap_days BETWEEN 1 AND 90),
    ADD CONSTRAINT apps_cap CHECK ((cap_count IS NULL) = (cap_days IS NULL));

ALTER TABLE campaigns
    ADD COLUMN archived_at timestamptz,
    -- Occurrences of the schedule that begin up to then have been started, or left out.
    ADD COLUMN handled_until timestamptz,
    ADD COLUMN ignores_quiet_hours boolean NOT NULL DEFAULT false,
    ADD COLUMN ignores_cap boolean NOT NULL DEFAULT false,
    ADD COLUMN missed_policy text NOT NULL DEFAULT 'skip' CHECK (missed_policy IN ('skip', 'send', 'ask')),
    -- Null: it is started by hand. send_at is when the starter has to look at it next.
    ADD COLUMN schedule json CHECK (json_typeof(schedule) = 'object'),
    ADD COLUMN audience json NOT NULL DEFAULT '{}' CHECK (json_typeof(audience) = 'object');
UPDATE campaigns
SET schedule = json_build_object('kind', 'at', 'at', to_char(send_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
    handled_until = date_trunc('second', least(now(), send_at)) - interval '1 second'
WHERE send_at IS NOT NULL;
ALTER TABLE campaigns
    DROP CONSTRAINT campaigns_check,
    ADD CONSTRAINT campaigns_scheduled CHECK (
        state <> 'scheduled' OR schedule IS NOT NULL AND handled_until IS NOT NULL
            AND (send_at IS NOT NULL OR schedule ->> 'kind' = 'triggered'));
-- For lists.
CREATE INDEX campaigns_current ON campaigns (app_id, id) WHERE archived_at IS NULL;

ALTER TABLE runs
    -- When it is for: {"kind": "at", …} or {"kind": "local", …}; null: when it began.
    ADD COLUMN occurrence json,
    ADD COLUMN quiet_hours json,
    ADD COLUMN cap_count smallint,
    ADD COLUMN cap_days smallint,
    -- Without saved segments: they stand in it as they were.
    ADD COLUMN audience json NOT NULL DEFAULT '{}';
-- Processes of an older version know nothing of audiences and times: they are kept from making runs, and from planning
-- those of others.
ALTER TABLE runs ALTER COLUMN audience DROP DEFAULT;
ALTER TABLE runs RENAME COLUMN plan_owner TO planner;
