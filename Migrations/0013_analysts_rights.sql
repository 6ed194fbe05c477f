-- Privileges and limits of a role for analysts. `belfry analyst-role` creates the role.

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA bi FROM PUBLIC;

CREATE FUNCTION grant_reading(reader name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA public FROM %I', reader);
    EXECUTE format('REVOKE ALL ON SCHEMA public FROM %I', reader);
    EXECUTE format('GRANT USAGE ON SCHEMA bi TO %I', reader);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA bi TO %I', reader);
    EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA bi TO %I', reader);
END
$$;
COMMENT ON FUNCTION grant_reading IS 'Lets a role read the schema bi, and no table.';

-- Ends what a role that reads could use to stop the server, as far as the caller may: defaults that its sessions have,
-- limits that it can't change, and functions that need no table.
CREATE FUNCTION limit_reading(reader name) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    missing text[] := '{}';
    -- Belfry's role, which need not be the one that makes roles.
    owner name := (SELECT relowner::regrole::name FROM pg_class WHERE oid = 'locks'::regclass);
    setting record;
    command text;
BEGIN
    -- A limit that an administrator has set stays. Compiled expressions cost more than they save, because PostgreSQL expects
    -- more rows of the views than there are.
    FOR setting IN
        SELECT * FROM (VALUES
            ('default_transaction_read_only', 'on'), ('statement_timeout', '5min'), ('lock_timeout', '5s'),
            ('idle_in_transaction_session_timeout', '1min'), ('idle_session_timeout', '1h'), ('temp_file_limit', '2GB'),
            ('search_path', 'bi'), ('jit', 'off')
        ) AS s (name, value)
        WHERE NOT EXISTS (
            SELECT FROM pg_db_role_setting r, unnest(r.setconfig) AS c
            WHERE r.setrole = (SELECT oid FROM pg_roles WHERE rolname = reader) AND starts_with(c, s.name || '='))
    LOOP
        BEGIN
            EXECUTE format('ALTER ROLE %I SET %I = %L', reader, setting.name, setting.value);
        EXCEPTION WHEN insufficient_privilege THEN missing := missing || setting.name;
        END;
    END LOOP;
    IF (SELECT rolconnlimit < 0 FROM pg_roles WHERE rolname = reader) THEN
        EXECUTE format('ALTER ROLE %I CONNECTION LIMIT 10', reader);
    END IF;
    -- Belfry ends transactions of the role that last too long; for that it must be a member of it.
    IF NOT pg_has_role(owner, reader, 'USAGE') THEN
        BEGIN
            EXECUTE format('GRANT %I TO %I', reader, owner);
        EXCEPTION WHEN insufficient_privilege OR invalid_grant_operation THEN missing := missing || 'ending transactions';
        END;
    END IF;
    -- Roles with rights on tables, such as one that makes backups, keep the schema public. Analysts do not see it.
    FOR command IN
        SELECT DISTINCT format('GRANT USAGE ON SCHEMA public TO %I', r.rolname)
        FROM pg_class c, aclexplode(c.relacl) AS a JOIN pg_roles r ON r.oid = a.grantee
        WHERE c.relnamespace = 'public'::regnamespace
        UNION ALL SELECT format('GRANT USAGE ON SCHEMA public TO %I', owner)
        UNION ALL SELECT 'REVOKE USAGE ON SCHEMA public FROM PUBLIC'
    LOOP
        BEGIN
            EXECUTE command;
        EXCEPTION WHEN insufficient_privilege THEN NULL;
        END;
    END LOOP;
    FOREACH command IN ARRAY ARRAY[
        format('GRANT TEMPORARY, CREATE ON DATABASE %I TO %I', current_database(), owner),
        format('GRANT CREATE ON SCHEMA public TO %I', owner),
        format('REVOKE TEMPORARY, CREATE ON DATABASE %I FROM PUBLIC', current_database()),
        'REVOKE CREATE ON SCHEMA public FROM PUBLIC'
    ] LOOP
        BEGIN
            EXECUTE command;
        EXCEPTION WHEN insufficient_privilege THEN NULL;
        END;
    END LOOP;
    IF has_database_privilege(reader, current_database(), 'TEMPORARY, CREATE') THEN
        missing := missing || 'temporary tables'::text;
    END IF;
    -- Advisory locks, large objects, and messages in the write-ahead log. Belfry's role uses none of them.
    FOR command IN
        SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', oid::regprocedure) FROM pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace
            AND (proname ~ '^pg_(try_)?advisory_' OR proname ~ '^lo_'
                OR proname IN ('lowrite', 'loread', 'pg_logical_emit_message'))
            AND has_function_privilege(reader, oid, 'EXECUTE') AND pg_has_role(current_user, proowner, 'USAGE')
    LOOP
        EXECUTE command;
    END LOOP;
    IF has_function_privilege(reader, 'pg_advisory_lock(bigint)', 'EXECUTE') THEN
        missing := missing || 'functions of advisory locks and large objects'::text;
    END IF;
    RETURN missing;
END
$$;
COMMENT ON FUNCTION limit_reading IS
    'Limits a role of analysts, as far as the caller may. Returns what could not be limited.';
