-- Who may do what. A key that names a request belongs to its sender: another sender's key is another key, so nobody is
-- answered with what somebody else did. Keys from before name no sender; they are forgotten.
DELETE FROM idempotency_keys;
ALTER TABLE idempotency_keys
    DROP CONSTRAINT idempotency_keys_pkey,
    ADD COLUMN owner text COLLATE "C" NOT NULL CHECK (owner ~ '^(key|user):[0-9]+$'),
    ADD COLUMN permissions text[] NOT NULL DEFAULT '{}',
    ADD PRIMARY KEY (app_id, owner, key);
DELETE FROM push_keys;
ALTER TABLE push_keys
    DROP CONSTRAINT push_keys_pkey,
    ADD COLUMN owner text COLLATE "C" NOT NULL CHECK (owner ~ '^(key|user):[0-9]+$'),
    ADD PRIMARY KEY (app_id, owner, key);
UPDATE runs SET trigger_key = NULL, trigger_body_hash = NULL WHERE trigger_key IS NOT NULL;
DROP INDEX runs_trigger_key;
ALTER TABLE runs
    ADD COLUMN trigger_owner text COLLATE "C" CHECK (trigger_owner ~ '^(key|user):[0-9]+$'),
    ADD CONSTRAINT runs_trigger_key_has_its_owner CHECK ((trigger_key IS NULL) = (trigger_owner IS NULL));
CREATE UNIQUE INDEX runs_trigger_key ON runs (campaign_id, trigger_owner, trigger_key) WHERE trigger_key IS NOT NULL;

COMMENT ON COLUMN idempotency_keys.owner IS 'The sender of the request: an API key or a person.';
COMMENT ON COLUMN idempotency_keys.permissions IS 'What the sender was permitted to do when the request was carried out.';
COMMENT ON COLUMN idempotency_keys.sealed_body IS 'The body of the answer, sealed; empty for an answer that held a secret.';
COMMENT ON COLUMN push_keys.owner IS 'The sender of the request: an API key or a person.';
COMMENT ON COLUMN runs.trigger_owner IS 'The sender of the request that triggered the run: an API key or a person.';

-- Rows that transactions lock FOR UPDATE, in place of advisory locks: every role of the server may take those, and an
-- analyst could stop registrations and the audit log with one.
CREATE TABLE locks (
    app_id bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, name)
);
COMMENT ON TABLE locks IS 'Rows that are locked and never changed.';
COMMENT ON COLUMN locks.app_id IS '0: of all apps.';
INSERT INTO locks (app_id, name)
VALUES (0, 'audit'), (0, 'event ranges'), (0, 'event retention'), (0, 'merged counts'), (0, 'reader'),
    (0, 'recipient retention'), (0, 'reply retention');
INSERT INTO locks (app_id, name)
SELECT a.id, l.name FROM apps a, unnest(ARRAY['frequency cap', 'profiles', 'registrations', 'repeated events']) AS l (name);

CREATE FUNCTION add_locks_of_apps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO locks (app_id, name)
    SELECT a.id, l.name
    FROM added a, unnest(ARRAY['frequency cap', 'profiles', 'registrations', 'repeated events']) AS l (name);
    RETURN NULL;
END
$$;
CREATE TRIGGER add_locks AFTER INSERT ON apps REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION add_locks_of_apps();

-- Not when the app is deleted: a registration that has the lock may wait for the app's row.
CREATE FUNCTION forget_locks_of_app() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM locks WHERE app_id = OLD.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER forget_locks AFTER DELETE ON deleted_apps FOR EACH ROW EXECUTE FUNCTION forget_locks_of_app();

CREATE OR REPLACE FUNCTION add_profiles(
    of_app bigint, locales text[], os_versions text[], app_versions text[], bits integer[]
)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM locks WHERE app_id = of_app AND name = 'profiles' FOR UPDATE;
    INSERT INTO profiles (app_id, code, locale, os_version, app_version, tag_bits)
    SELECT of_app, coalesce((SELECT max(code) FROM profiles WHERE app_id = of_app), 0) + new.number,
        new.locale, new.os_version, new.app_version, new.tag_bits
    FROM (
        SELECT *, row_number() OVER (ORDER BY locale, os_version, app_version, tag_bits) AS number
        FROM (
            SELECT DISTINCT * FROM unnest(locales, os_versions, app_versions, bits)
                AS c (locale, os_version, app_version, tag_bits)
        ) AS named
        WHERE NOT EXISTS (
            SELECT FROM profiles p
            WHERE p.app_id = of_app AND p.locale = named.locale AND p.os_version = named.os_version
                AND p.app_version = named.app_version AND p.tag_bits = named.tag_bits)
    ) AS new
    WHERE coalesce((SELECT max(code) FROM profiles WHERE app_id = of_app), 0) + new.number <= 16777215;
END
$$;

-- Ends what a role that reads could use to stop the server, as far as Belfry's role may: defaults that its sessions have,
-- limits that it can't change, and functions that need no table. Returns what could not be limited.
CREATE FUNCTION limit_reading(reader name) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    missing text[] := '{}';
    -- Belfry's role, which need not be the one that makes roles.
    owner name := (SELECT relowner::regrole::name FROM pg_class WHERE oid = 'locks'::regclass);
    setting record;
    command text;
BEGIN
    -- A limit that an administrator has set stays.
    FOR setting IN
        SELECT * FROM (VALUES
            ('default_transaction_read_only', 'on'), ('statement_timeout', '5min'), ('lock_timeout', '5s'),
            ('idle_in_transaction_session_timeout', '1min'), ('idle_session_timeout', '1h'), ('temp_file_limit', '2GB')
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
COMMENT ON FUNCTION limit_reading IS 'Limits a role of analysts, as far as the caller may. Returns what could not be limited.';

-- A secret key works as long as the person who answers for it can sign in.
ALTER TABLE api_keys ADD COLUMN created_by bigint REFERENCES users;
-- For the keys that stop when a person is disabled.
CREATE INDEX api_keys_of_person ON api_keys (created_by) WHERE created_by IS NOT NULL;
COMMENT ON COLUMN api_keys.created_by IS
    'The person who created the key or took it over, or who created the key that created it; null for one of the console.';

-- Counts tags that are new, while there is room: less for a transaction with registrations of a publishable key.
CREATE OR REPLACE FUNCTION count_tags(of_app bigint, of_tags text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    room integer := coalesce(nullif(current_setting('belfry.counted_tags', true), ''), '30')::integer;
BEGIN
    IF cardinality(of_tags) = 0 OR NOT EXISTS (
        SELECT FROM unnest(of_tags) AS t (tag)
        WHERE NOT EXISTS (SELECT FROM counted_tags c WHERE c.app_id = of_app AND c.tag = t.tag)
    ) OR (SELECT count(*) FROM counted_tags WHERE app_id = of_app) >= room THEN RETURN; END IF;
    PERFORM FROM locks WHERE app_id = of_app AND name = 'profiles' FOR UPDATE;
    room := room - (SELECT count(*) FROM counted_tags WHERE app_id = of_app);
    INSERT INTO counted_tags (app_id, bit, tag)
    SELECT of_app, free.bit, new.tag
    FROM (
        SELECT tag, row_number() OVER (ORDER BY tag COLLATE "C") AS number
        FROM (SELECT DISTINCT tag FROM unnest(of_tags) AS t (tag)) AS named
        WHERE NOT EXISTS (SELECT FROM counted_tags c WHERE c.app_id = of_app AND c.tag = named.tag)
    ) AS new
    JOIN (
        SELECT b.bit, row_number() OVER (ORDER BY b.bit) AS number FROM generate_series(0, 29) AS b (bit)
        WHERE NOT EXISTS (SELECT FROM counted_tags c WHERE c.app_id = of_app AND c.bit = b.bit)
    ) AS free USING (number)
    WHERE number <= room;
END
$$;

-- An installation is the secret of a device, which analysts need not know: they get the name that the API gives them.
CREATE OR REPLACE VIEW devices_current AS
SELECT d.app_id, d.id AS device_id, ('~' || d.id) COLLATE "C" AS installation,
    (ARRAY['alert', 'voip', 'live_activity_start', 'live_activity_update', 'widget', 'control', 'complication', 'location',
        'push_to_talk', 'file_provider'])[d.kind + 1] AS kind,
    d.activity, (ARRAY['production', 'development'])[d.environment + 1] AS environment,
    (ARRAY['not_determined', 'denied', 'authorized', 'provisional', 'ephemeral'])[d.authorization_status + 1]
        AS authorization_status,
    d.retired_at IS NULL AS registered, d.retired_at,
    (ARRAY['unregistered', 'token_expired', 'bad_token', 'token_moved', 'removed'])[d.retired_reason] AS retired_reason,
    d.user_id, d.locale, d.time_zone, d.os_version, d.app_version, d.model, d.attributes, d.tags, d.opt_outs, d.is_test,
    d.nickname, d.created_at, d.updated_at, d.token_registered_at, a.last_seen_at
FROM devices d LEFT JOIN device_activity a ON a.app_id = d.app_id AND a.device_id = d.id;
COMMENT ON COLUMN devices_current.installation IS 'The handle of the device: ~ and its number. The installation itself is secret.';

CREATE OR REPLACE FUNCTION grant_reading(reader name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', reader);
    EXECUTE format('GRANT SELECT ON deliveries, deferrals, acknowledgements, devices_current, campaign_funnel, '
        'events_by_quarter, events_daily, breakdowns, devices_daily, apps, topics, people, '
        'device_activity, device_past, profiles, counted_tags, known_attributes, templates, template_versions, '
        'segments, segment_uses, campaigns, runs, batches, outcome_codes, events, push_recipients, categories, '
        'local_plans, tag_changes TO %I', reader);
    EXECUTE format('REVOKE SELECT (installation) ON devices FROM %I', reader);
    EXECUTE format('GRANT SELECT (id, app_id, created_at, updated_at, token_registered_at, retired_at, kind, '
        'environment, authorization_status, retired_reason, activity, user_id, locale, time_zone, '
        'os_version, app_version, model, attributes, is_test, nickname, settings, tags, opt_outs, own_attributes, '
        'own_tags, own_opt_outs) ON devices TO %I', reader);
    EXECUTE format('GRANT SELECT (id, app_id, created_at, size, name, type, storage, external_url) ON media TO %I',
        reader);
    EXECUTE format('ALTER ROLE %I SET default_transaction_read_only = on', reader);
END
$$;
