-- Days of campaigns at a fixed time.

ALTER TABLE runs ADD COLUMN schedule_time_zone text;
COMMENT ON COLUMN runs.schedule_time_zone IS
    'The zone of the schedule''s clock, by which conditions about days mean today; null: default_time_zone.';
