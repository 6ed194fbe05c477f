-- Changes to the tags of everybody in an audience, made step by step by the workers.

CREATE TABLE tag_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'finished', 'cancelled', 'failed')),
    reason text,
    audience json NOT NULL CHECK (json_typeof(audience) = 'object'),
    resolved_audience json NOT NULL CHECK (json_typeof(resolved_audience) = 'object'),
    add_tags text[] COLLATE "C" NOT NULL,
    remove_tags text[] COLLATE "C" NOT NULL,
    person_add_tags text[] COLLATE "C" NOT NULL,
    person_remove_tags text[] COLLATE "C" NOT NULL,
    first_device bigint NOT NULL,
    device_ceiling bigint NOT NULL,
    cursor bigint NOT NULL,
    devices_matched bigint NOT NULL DEFAULT 0,
    devices_changed bigint NOT NULL DEFAULT 0,
    people_changed bigint NOT NULL DEFAULT 0,
    skipped bigint NOT NULL DEFAULT 0,
    CONSTRAINT tag_changes_end CHECK ((state = 'running') = (finished_at IS NULL)),
    CONSTRAINT tag_changes_cursor CHECK (first_device <= cursor AND cursor <= device_ceiling),
    CONSTRAINT tag_changes_tags CHECK (
        cardinality(add_tags || remove_tags || person_add_tags || person_remove_tags) BETWEEN 1 AND 400
    )
);
CREATE INDEX tag_changes_of_app ON tag_changes (app_id, id);
CREATE INDEX tag_changes_running ON tag_changes (updated_at) WHERE state = 'running';

COMMENT ON TABLE tag_changes IS 'Changes to the tags of everybody in an audience, with their progress.';
COMMENT ON COLUMN tag_changes.resolved_audience IS 'The audience with its segments replaced by their conditions when the change was created.';
COMMENT ON COLUMN tag_changes.cursor IS 'The last device that was looked at, from first_device to device_ceiling.';
COMMENT ON COLUMN tag_changes.skipped IS 'Devices and people who would have had more than 100 tags.';

CREATE OR REPLACE FUNCTION grant_reading(reader name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', reader);
    EXECUTE format('GRANT SELECT ON deliveries, deferrals, acknowledgements, device_list, apps, topics, people, '
        'device_activity, known_attributes, templates, template_versions, segments, segment_uses, campaigns, runs, '
        'batches, outcome_codes, events, push_recipients, categories, local_plans, tag_changes TO %I', reader);
    EXECUTE format('GRANT SELECT (id, app_id, created_at, updated_at, token_registered_at, retired_at, kind, '
        'environment, authorization_status, retired_reason, activity, installation, user_id, locale, time_zone, '
        'os_version, app_version, model, attributes, is_test, nickname, settings, tags, opt_outs, own_attributes, '
        'own_tags, own_opt_outs) ON devices TO %I', reader);
    EXECUTE format('GRANT SELECT (id, app_id, created_at, size, name, type, storage, external_url) ON media TO %I',
        reader);
    EXECUTE format('ALTER ROLE %I SET default_transaction_read_only = on', reader);
END
$$;
