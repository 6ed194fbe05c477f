-- What apps state about their devices is ordered by the clock of the device, and a file loses against what is newer.

ALTER TABLE device_activity ADD COLUMN sent_at timestamptz;
COMMENT ON COLUMN device_activity.sent_at IS
    'When the app sent its newest statement about the device, by the clock of the device; null: it never said.';

ALTER TABLE device_activity ADD COLUMN opt_outs_sent_at timestamptz;
COMMENT ON COLUMN device_activity.opt_outs_sent_at IS
    'The same for its newest statement about opt-outs: an older statement that arrives late still counts for them.';

ALTER TABLE devices ADD COLUMN imported_as_of timestamptz;
COMMENT ON COLUMN devices.imported_as_of IS
    'The time of the newest file that names the device, as long as nothing but files does; -infinity: a file without a time.';

ALTER TABLE people ADD COLUMN imported_as_of timestamptz;
COMMENT ON COLUMN people.imported_as_of IS
    'The time of the newest file that names the person, as long as nothing but files does; -infinity: a file without a time.';
