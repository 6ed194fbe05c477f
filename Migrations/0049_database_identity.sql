-- Runs belong to a generation of the database. A restore or a failover begins another one, and runs of earlier
-- generations wait until a person decides. Before, a run named the server, its timeline and the database, which are the
-- same after a dump was restored into the database that it came from.

-- The timeline that is being written to; null where the server doesn't tell it.
CREATE FUNCTION present_timeline() RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
EXCEPTION WHEN insufficient_privilege OR undefined_function OR object_not_in_prerequisite_state THEN
    RETURN NULL;
END
$$;

CREATE TABLE database_identity (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    generation bigint NOT NULL,
    timeline integer,
    database_oid bigint NOT NULL,
    batches_oid bigint NOT NULL,
    runs_oid bigint NOT NULL,
    written_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
    changed_at timestamptz
);

COMMENT ON TABLE database_identity IS
    'One row: what the database was when the identity was last confirmed. If it is not so now, the database was restored from a backup, or another server took over.';
COMMENT ON COLUMN database_identity.generation IS 'A random number, replaced after each restore or failover.';
COMMENT ON COLUMN database_identity.written_by IS
    'The transaction that wrote this row, which is also its xmin. In a row that comes from a dump they differ.';
COMMENT ON COLUMN database_identity.changed_at IS 'When the last restore or failover was noticed.';

CREATE FUNCTION random_generation() RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT ('x' || left(replace(gen_random_uuid()::text, '-', ''), 15))::bit(60)::bigint
$$;

-- A database without processes of Belfry has no row in instance; its first process is not a restore.
INSERT INTO database_identity (generation, timeline, database_oid, batches_oid, runs_oid, changed_at)
SELECT random_generation(), coalesce(i.timeline, present_timeline()),
    CASE WHEN i.system_identifier <> (SELECT system_identifier FROM pg_control_system()) THEN 0
        ELSE coalesce(i.database_oid, d.oid::bigint) END,
    'batches'::regclass::oid, 'runs'::regclass::oid, i.identity_changed_at
FROM pg_database d LEFT JOIN instance i ON true WHERE d.datname = current_database();

CREATE FUNCTION present_generation() RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT generation FROM database_identity
$$;

ALTER TABLE runs ADD COLUMN generation bigint NOT NULL DEFAULT 0;
-- Runs that began on another server or timeline, and have not asked yet, keep generation 0.
UPDATE runs r SET generation = present_generation()
FROM instance i
WHERE (r.system_identifier, r.timeline, r.database_oid) = (i.system_identifier, i.timeline, i.database_oid)
    AND r.finished_at IS NULL;
ALTER TABLE runs ALTER COLUMN generation SET DEFAULT present_generation();
COMMENT ON COLUMN runs.generation IS 'The generation of the database in which the run began, or was resumed.';

ALTER TABLE runs DROP COLUMN system_identifier, DROP COLUMN timeline, DROP COLUMN database_oid;
ALTER TABLE instance DROP COLUMN system_identifier, DROP COLUMN timeline, DROP COLUMN database_oid,
    DROP COLUMN identity_changed_at;
