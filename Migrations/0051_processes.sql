-- Processes remember what was confirmed to them, so that a backup that is put back and a failover that lost commits are
-- noticed, whatever their kind, and a failover that lost nothing needs no person.

-- A process writes its beat again and again. Backups, snapshots and failovers keep the first part of the commits: if a
-- beat is there, all that was confirmed to anybody before the process began to write it is there too.
CREATE TABLE processes (
    id uuid PRIMARY KEY,
    beat bigint NOT NULL CHECK (beat > 0),
    beaten_at timestamptz NOT NULL,
    server_started_at timestamptz NOT NULL,
    is_synchronous boolean NOT NULL,
    ended_at timestamptz
) WITH (fillfactor = 50);

COMMENT ON TABLE processes IS 'Processes of Belfry that send, and those of the last weeks.';
COMMENT ON COLUMN processes.beat IS
    'Counts up while the process works. It remembers the last one that was confirmed to it: if the row has less, commits are lost.';
COMMENT ON COLUMN processes.server_started_at IS
    'The start of the PostgreSQL server whose contents the process has compared with what it remembers.';
COMMENT ON COLUMN processes.is_synchronous IS 'Whether a standby server had each commit before it was confirmed.';
COMMENT ON COLUMN processes.ended_at IS 'When the process ended cleanly: nothing was confirmed to it afterwards.';

-- After each start of PostgreSQL nobody sends until a process has compared the contents with what it remembers.
ALTER TABLE database_identity
    ADD COLUMN server_started_at timestamptz NOT NULL DEFAULT pg_postmaster_start_time(),
    ADD COLUMN confirmed_at timestamptz NOT NULL DEFAULT now();

COMMENT ON COLUMN database_identity.server_started_at IS
    'The start of the PostgreSQL server for which the identity was last confirmed.';
COMMENT ON COLUMN database_identity.confirmed_at IS 'When it was.';

-- A process may find the memory of one that worked with another database.
ALTER TABLE database_identity ADD COLUMN origin bigint NOT NULL DEFAULT 0;
UPDATE database_identity SET origin = random_generation(),
    written_by = CASE WHEN written_by::xid = xmin THEN pg_current_xact_id() ELSE written_by END;
ALTER TABLE database_identity ALTER COLUMN origin DROP DEFAULT;

COMMENT ON COLUMN database_identity.origin IS
    'A random number that the database keeps for ever, and that its backups share.';
