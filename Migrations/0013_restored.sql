-- Which PostgreSQL this was when somebody last looked, and since when it is another: after a restore from a backup, or a
-- failover, what was to start before that moment may have been sent already.
ALTER TABLE instance
    ADD COLUMN system_identifier bigint,
    ADD COLUMN timeline integer,
    ADD COLUMN database_oid bigint,
    ADD COLUMN moved_at timestamptz;
UPDATE instance SET (system_identifier, timeline, database_oid) = (SELECT
    (SELECT system_identifier FROM pg_control_system()),
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer,
    (SELECT oid::bigint FROM pg_database WHERE datname = current_database()));
ALTER TABLE instance
    ALTER COLUMN system_identifier SET NOT NULL,
    ALTER COLUMN timeline SET NOT NULL,
    ALTER COLUMN database_oid SET NOT NULL;
