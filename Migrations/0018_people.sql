-- What belongs to a person and what belongs to an installation are stored apart: when somebody logs out, nothing
-- personal stays on the device, and what a person opted out of holds on all of their devices and after a reinstall.
--
-- The columns attributes, tags and opt_outs of a device remain the ones that audiences, templates and consent use: they
-- are the installation's own values together with those of its present user. The installation's own values are in
-- own_attributes, own_tags and own_opt_outs while they differ.

CREATE TABLE people (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    user_id text COLLATE "C" NOT NULL CHECK (octet_length(user_id) BETWEEN 1 AND 200),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    attributes jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(attributes) = 'object'),
    tags text[] COLLATE "C" NOT NULL DEFAULT '{}' CONSTRAINT people_tags_count CHECK (cardinality(tags) <= 100),
    opt_outs text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (cardinality(opt_outs) <= 100),
    PRIMARY KEY (app_id, user_id),
    CONSTRAINT people_attributes_size CHECK (pg_column_size(attributes) <= 16384)
);

ALTER TABLE devices
    ADD COLUMN own_attributes jsonb,
    ADD COLUMN own_tags text[] COLLATE "C",
    ADD COLUMN own_opt_outs text[] COLLATE "C",
    DROP CONSTRAINT devices_tags_check,
    DROP CONSTRAINT devices_opt_outs_check,
    ADD CONSTRAINT devices_own_tags_count CHECK (cardinality(coalesce(own_tags, tags)) <= 100),
    ADD CONSTRAINT devices_own_opt_outs_count CHECK (cardinality(coalesce(own_opt_outs, opt_outs)) <= 100),
    ADD CONSTRAINT devices_own_attributes_size
        CHECK (pg_column_size(coalesce(own_attributes, attributes)) <= 16384) NOT VALID;

COMMENT ON TABLE people IS
    'What is known about the users of an app, on whatever device: values that devices or servers stated as person.';
COMMENT ON COLUMN devices.attributes IS 'The installation''s own attributes, and over them those of its user.';
COMMENT ON COLUMN devices.tags IS 'The installation''s own tags and those of its user.';
COMMENT ON COLUMN devices.opt_outs IS 'Keys of topics: what the installation or its user opted out of.';
COMMENT ON COLUMN devices.own_attributes IS 'The installation''s own attributes; null: the same as attributes.';
COMMENT ON COLUMN devices.own_tags IS 'The installation''s own tags; null: the same as tags.';
COMMENT ON COLUMN devices.own_opt_outs IS 'The installation''s own opt-outs; null: the same as opt_outs.';

-- All texts of both sets, each once and sorted.
CREATE FUNCTION texts_union(one text[], other text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN cardinality(other) = 0 THEN one
    ELSE ARRAY(SELECT DISTINCT t COLLATE "C" AS t FROM unnest(one || other) AS t ORDER BY t)
END;

-- The texts of a set that are not in the other.
CREATE FUNCTION texts_except(one text[], other text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN cardinality(other) = 0 THEN one
    ELSE ARRAY(SELECT t COLLATE "C" AS t FROM unnest(one) AS t WHERE t <> ALL (other) ORDER BY t)
END;

-- An object with the members of another one added or replaced; a member that is null there is removed.
CREATE FUNCTION attributes_merged(stored jsonb, given jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (stored || given) - ARRAY(SELECT key FROM jsonb_each(given) WHERE value = 'null');
