-- The instance: its sealing key, the identity of its database, its processes, and locks.
--
-- Constraints hold the rules; code only explains them. Columns are ordered by width, so that rows have no padding.
-- Tables of an app lead their key with app_id.

CREATE TABLE instance (
    only_row boolean DEFAULT true PRIMARY KEY CHECK (only_row),
    created_at timestamptz NOT NULL DEFAULT now(),
    sealing_check bytea NOT NULL
);

COMMENT ON TABLE instance IS 'One row: the identity of this database, and a check of the sealing key.';
COMMENT ON COLUMN instance.sealing_check IS 'A known text sealed with the sealing key.';

-- The timeline that is being written to; null where the server does not tell it.
CREATE FUNCTION present_timeline() RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
EXCEPTION WHEN insufficient_privilege OR undefined_function OR object_not_in_prerequisite_state THEN
    RETURN NULL;
END
$$;

CREATE FUNCTION random_generation() RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT ('x' || left(replace(gen_random_uuid()::text, '-', ''), 15))::bit(60)::bigint
$$;

-- A restore or a failover begins another generation, and runs of earlier generations wait until a person decides.
CREATE TABLE database_identity (
    only_row boolean DEFAULT true PRIMARY KEY CHECK (only_row),
    generation bigint NOT NULL,
    timeline integer,
    database_oid bigint NOT NULL,
    batches_oid bigint NOT NULL,
    runs_oid bigint NOT NULL,
    written_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
    changed_at timestamptz,
    server_started_at timestamptz NOT NULL DEFAULT pg_postmaster_start_time(),
    confirmed_at timestamptz NOT NULL DEFAULT now(),
    origin bigint NOT NULL
);

COMMENT ON TABLE database_identity IS
    'One row: what the database was when the identity was last confirmed. If it is not so now, the database was restored from a backup, or another server took over.';
COMMENT ON COLUMN database_identity.generation IS 'A random number, replaced after each restore or failover.';
COMMENT ON COLUMN database_identity.written_by IS
    'The transaction that wrote this row, which is also its xmin. In a row that comes from a dump they differ.';
COMMENT ON COLUMN database_identity.changed_at IS 'When the last restore or failover was noticed.';
COMMENT ON COLUMN database_identity.server_started_at IS
    'The start of the PostgreSQL server for which the identity was last confirmed.';
COMMENT ON COLUMN database_identity.confirmed_at IS 'When it was.';
COMMENT ON COLUMN database_identity.origin IS
    'A random number that the database keeps for ever, and that its backups share.';

CREATE FUNCTION present_generation() RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT generation FROM database_identity
$$;

-- Backups, snapshots and failovers keep the first part of the commits: if a beat is there, all that was confirmed to
-- anybody before the worker began to write it is there too.
CREATE TABLE workers (
    id uuid PRIMARY KEY,
    beat bigint NOT NULL CHECK (beat > 0),
    beaten_at timestamptz NOT NULL,
    server_started_at timestamptz NOT NULL,
    is_synchronous boolean NOT NULL,
    ended_at timestamptz
) WITH (fillfactor = 50);

COMMENT ON TABLE workers IS
    'The send loops of processes, and those of the last weeks: what tells whether a restored database lacks commits.';
COMMENT ON COLUMN workers.beat IS
    'Counts up while the worker runs. It remembers the last one that was confirmed to it: if the row has less, commits are lost.';
COMMENT ON COLUMN workers.server_started_at IS
    'The start of the PostgreSQL server whose contents the worker has compared with what it remembers.';
COMMENT ON COLUMN workers.is_synchronous IS 'Whether a standby server had each commit before it was confirmed.';
COMMENT ON COLUMN workers.ended_at IS 'When the worker ended cleanly: nothing was confirmed to it afterwards.';

-- For people, and for the end of an upgrade. A process has several workers, and a row here decides no sending: takeovers
-- and restores look at workers alone.
CREATE TABLE processes (
    id uuid PRIMARY KEY,
    started_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL,
    ended_at timestamptz,
    pid integer NOT NULL,
    schema integer NOT NULL,
    kind text NOT NULL CHECK (kind IN ('serve', 'work', 'demo')),
    name text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 64),
    host text NOT NULL,
    version text NOT NULL,
    owners uuid[] NOT NULL
);

COMMENT ON TABLE processes IS 'Processes of Belfry that run, and those of the last weeks: what "belfry status" lists.';
COMMENT ON COLUMN processes.seen_at IS 'Written every few seconds while the process runs.';
COMMENT ON COLUMN processes.ended_at IS 'When the process said that it ended; null while it runs, and if it was lost.';
COMMENT ON COLUMN processes.schema IS
    'The number of migrations that its program has. "belfry migrate --finish" takes nothing away from a process that runs.';
COMMENT ON COLUMN processes.owners IS 'Under these it holds batches: one for each worker, and one for transactional pushes.';

-- Not advisory locks: every role of the server may take those, and an analyst could stop registrations and the audit
-- log with one.
CREATE TABLE locks (
    app_id bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, name)
);

COMMENT ON TABLE locks IS 'Rows that are locked and never changed.';
COMMENT ON COLUMN locks.app_id IS '0: of all apps.';

INSERT INTO locks (app_id, name)
VALUES (0, 'audit'), (0, 'event ranges'), (0, 'event retention'), (0, 'merged counts'), (0, 'reader'),
    (0, 'recipient retention'), (0, 'reply retention'), (0, 'test counts'),
    (0, 'effect counts'), (0, 'response hours'), (0, 'conversions'), (0, 'deleted event names');
