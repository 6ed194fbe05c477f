-- The time of an acknowledgement is the device's, unless that can't be right: before the push was sent, or in the
-- future. Such a time is replaced by the time of receipt.

ALTER TABLE events ADD COLUMN is_time_corrected boolean NOT NULL DEFAULT false;

COMMENT ON COLUMN events.happened_at IS 'On the device''s clock, unless is_time_corrected.';
COMMENT ON COLUMN events.is_time_corrected IS
    'The device''s time was before the push, in the future, or unreadable; happened_at is the time of receipt.';
