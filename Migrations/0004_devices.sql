-- Devices and the people who use them.

-- No index contains a column that sending or seeing a device changes, so that these updates stay in their page.
-- No foreign key to apps: triggers check it once per statement, not once per row (19,700 registrations a second
-- became 24,600).
CREATE TABLE devices (
    id bigint GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    token_registered_at timestamptz NOT NULL DEFAULT now(),
    retired_at timestamptz,
    kind smallint NOT NULL DEFAULT 0 CHECK (kind BETWEEN 0 AND 9),
    environment smallint NOT NULL CHECK (environment IN (0, 1)),
    authorization_status smallint NOT NULL DEFAULT 2 CHECK (authorization_status BETWEEN 0 AND 4),
    retired_reason smallint CHECK (retired_reason BETWEEN 1 AND 5),
    activity text COLLATE "C" NOT NULL DEFAULT '' CHECK (octet_length(activity) <= 200),
    installation text COLLATE "C" NOT NULL CHECK (octet_length(installation) BETWEEN 1 AND 200),
    token bytea CHECK (octet_length(token) BETWEEN 1 AND 200),
    user_id text COLLATE "C" CHECK (octet_length(user_id) BETWEEN 1 AND 200),
    locale text,
    time_zone text,
    os_version text,
    app_version text,
    model text,
    attributes jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(attributes) = 'object'),
    is_test boolean NOT NULL DEFAULT false,
    nickname text CHECK (char_length(nickname) BETWEEN 1 AND 100),
    -- UNNotificationSettings: what is shown of a notification, by name.
    settings jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(settings) = 'object'),
    tags text[] COLLATE "C" NOT NULL DEFAULT '{}',
    opt_outs text[] COLLATE "C" NOT NULL DEFAULT '{}',
    own_attributes jsonb,
    own_tags text[] COLLATE "C",
    own_opt_outs text[] COLLATE "C",
    imported_as_of timestamptz,
    stated_at timestamptz,
    inherited_attributes jsonb,
    PRIMARY KEY (app_id, id),
    UNIQUE (token, app_id),
    -- The selective column first: see "Unique keys of devices lead with the selective column" in Docs/decisions/database.md.
    UNIQUE (installation, app_id, kind, activity),
    CHECK ((retired_at IS NULL) = (retired_reason IS NULL)),
    CHECK (token IS NOT NULL OR retired_at IS NOT NULL),
    CONSTRAINT devices_activity_names_an_update CHECK ((kind = 3) = (activity <> '')),
    CONSTRAINT devices_own_tags_count CHECK (cardinality(coalesce(own_tags, tags)) <= 100),
    CONSTRAINT devices_own_opt_outs_count CHECK (cardinality(coalesce(own_opt_outs, opt_outs)) <= 100),
    CONSTRAINT devices_own_attributes_size CHECK (pg_column_size(coalesce(own_attributes, attributes)) <= 16384)
) WITH (fillfactor = 85);
-- Recipients of test pushes: an app has few.
CREATE INDEX devices_test ON devices (app_id, id) WHERE is_test;
-- The devices of a person.
CREATE INDEX devices_user ON devices (app_id, user_id, id) WHERE user_id IS NOT NULL;

COMMENT ON TABLE devices IS 'One row per token. Retired devices stay.';
COMMENT ON COLUMN devices.token_registered_at IS 'A 410 of Apple with an earlier time does not retire the device.';
COMMENT ON COLUMN devices.kind IS
    '0 alert, 1 VoIP, 2 Live Activity start, 3 Live Activity update, 4 widget, 5 control, 6 complication, 7 location, 8 push to talk, 9 file provider';
COMMENT ON COLUMN devices.environment IS '0 production, 1 development';
COMMENT ON COLUMN devices.authorization_status IS
    '0 not determined, 1 denied, 2 authorized, 3 provisional, 4 ephemeral (UNAuthorizationStatus)';
COMMENT ON COLUMN devices.retired_reason IS
    '1 unregistered, 2 token expired, 3 bad token, 4 the token moved to another installation, 5 removed by the app';
COMMENT ON COLUMN devices.activity IS 'The Live Activity, for kind 3; otherwise empty.';
COMMENT ON COLUMN devices.token IS 'Null only for a retired device whose token another installation has.';
COMMENT ON COLUMN devices.attributes IS 'The installation''s own attributes, and over them those of its user.';
COMMENT ON COLUMN devices.tags IS 'The installation''s own tags and those of its user.';
COMMENT ON COLUMN devices.opt_outs IS
    'What the installation or its user opted out of: keys of topics, and * for all campaigns.';
COMMENT ON COLUMN devices.own_attributes IS 'The installation''s own attributes; null: the same as attributes.';
COMMENT ON COLUMN devices.own_tags IS 'The installation''s own tags; null: the same as tags.';
COMMENT ON COLUMN devices.own_opt_outs IS 'The installation''s own opt-outs; null: the same as opt_outs.';
COMMENT ON COLUMN devices.imported_as_of IS
    'The time of the newest file that names the device, as long as nothing but files does; -infinity: a file without a time.';
COMMENT ON COLUMN devices.stated_at IS
    'When an app, a server or a person changed the device last; null: only files did. An older file leaves it as it is.';
COMMENT ON COLUMN devices.inherited_attributes IS
    'Attributes from a file that the app has never stated: a registration that leaves them out keeps them. Null: none.';

CREATE FUNCTION require_apps_of_devices() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asked bigint[] := ARRAY(SELECT DISTINCT app_id FROM added);
    found bigint;
BEGIN
    -- Like a foreign key: an app with this lock is not deleted before this transaction has committed.
    SELECT count(*) INTO found FROM (SELECT FROM apps WHERE id = ANY (asked) FOR KEY SHARE) locked;
    IF found < cardinality(asked) THEN
        RAISE foreign_key_violation USING
            MESSAGE = 'the app of a device does not exist', TABLE = 'devices', CONSTRAINT = 'devices_app_id_fkey';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER require_apps_of_devices AFTER INSERT ON devices
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_apps_of_devices();

CREATE FUNCTION keep_app_of_device() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE foreign_key_violation USING
        MESSAGE = 'the app of a device can''t be changed', TABLE = 'devices', CONSTRAINT = 'devices_app_id_fkey';
END
$$;
CREATE TRIGGER keep_app_of_device BEFORE UPDATE OF app_id ON devices
    FOR EACH ROW EXECUTE FUNCTION keep_app_of_device();

CREATE FUNCTION forget_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM devices WHERE app_id = OLD.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER forget_devices AFTER DELETE ON apps FOR EACH ROW EXECUTE FUNCTION forget_devices();

CREATE TABLE people (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    user_id text COLLATE "C" NOT NULL CHECK (octet_length(user_id) BETWEEN 1 AND 200),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    attributes jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(attributes) = 'object'),
    tags text[] COLLATE "C" NOT NULL DEFAULT '{}',
    opt_outs text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (cardinality(opt_outs) <= 100),
    imported_as_of timestamptz,
    PRIMARY KEY (app_id, user_id),
    CONSTRAINT people_tags_count CHECK (cardinality(tags) <= 100),
    CONSTRAINT people_attributes_size CHECK (pg_column_size(attributes) <= 16384)
);

COMMENT ON TABLE people IS
    'Attributes, tags and opt-outs of an app''s users, which apply to all of their devices.';
COMMENT ON COLUMN people.imported_as_of IS
    'The time of the newest file that names the person, as long as nothing but files does; -infinity: a file without a time.';

-- The person that a device belongs to, as a number: its user, or without one the installation. The unit is the one of `UnitPoint` in
-- Sources/Experiments, with the salt 0. Among ten million people, two have the same number with a chance of one in 200,000.
CREATE FUNCTION person_number(user_id text, installation text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(coalesce('u' || user_id, 'i' || installation) COLLATE "C", 0) & 9223372036854775807;

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

-- The parts of a version, to be compared: {4,2} for 4.2, 4.2-beta and 4.2 (12). Null for what does not begin with a
-- number, has more than 32 parts or one of more than 18 digits; it raises on no text. The first branch is the quick one
-- for what versions look like (0.8 µs against 4, measured).
CREATE FUNCTION version_parts(version text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN octet_length(version) <= 18 AND version ~ '^[0-9]+(?:\.[0-9]+)*$' THEN string_to_array(version, '.')::bigint[]
    ELSE string_to_array(
        substring(version FROM '^[0-9]{1,18}(?:\.[0-9]{1,18}){0,31}(?![0-9])(?!\.[0-9])'), '.')::bigint[]
END;

CREATE TABLE known_attributes (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    -- Of the text in JSON. It does not shrink.
    longest integer NOT NULL CHECK (longest >= 0),
    name text COLLATE "C" NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 200),
    PRIMARY KEY (app_id, name)
);

COMMENT ON TABLE known_attributes IS 'The attributes of an app''s devices and the bytes of their longest values.';

-- A token can be of another app by mistake of one run. Apple punishes senders that keep pushing to bad tokens.
CREATE TABLE suspect_tokens (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    run_id bigint NOT NULL,
    reported_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, device_id),
    FOREIGN KEY (app_id, device_id) REFERENCES devices ON DELETE CASCADE
);

COMMENT ON TABLE suspect_tokens IS
    'Tokens that Apple rejected in one run whose other pushes were accepted. Another such run retires their devices.';
COMMENT ON COLUMN suspect_tokens.run_id IS
    'The run in which the token was rejected; or an hour of transactional pushes: minus the hours since 1970.';

CREATE TABLE erasures (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
    erased_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, digest)
);

COMMENT ON TABLE erasures IS
    'The names of erased people and the tokens of removed devices, as digests: imports of older files leave their lines out.';
COMMENT ON COLUMN erasures.digest IS
    'SHA-256 of "user:" and the user ID, of "installation:" and an installation of theirs, or of "token:" and its token.';
COMMENT ON COLUMN erasures.erased_at IS 'When it was erased last: a file that is newer may name the person again.';
