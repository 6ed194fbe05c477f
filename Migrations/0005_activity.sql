-- When devices were seen, and what they and their users were when a push was sent: a report does not change when a
-- device does. A profile is locale, versions and tags, as a code of a dictionary; a batch has the codes of its
-- recipients.

-- Apart from devices, whose rows are wide. No foreign key to devices: each row would be looked up, and a trigger
-- deletes these rows once per statement.
CREATE TABLE device_activity (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    last_seen_at timestamptz NOT NULL,
    profile_since timestamptz NOT NULL DEFAULT '-infinity',
    profile integer NOT NULL DEFAULT 0,
    sent_at timestamptz,
    opt_outs_sent_at timestamptz,
    user_sent_at timestamptz,
    consented text[] DEFAULT '{}',
    PRIMARY KEY (app_id, device_id)
) WITH (fillfactor = 80);

COMMENT ON TABLE device_activity IS
    'When a device was last seen, at most one write per device and day; and its present profile.';
COMMENT ON COLUMN device_activity.profile_since IS 'device_past has what held before.';
COMMENT ON COLUMN device_activity.sent_at IS
    'When the app sent its newest statement about the device, by the clock of the device; null: it never said.';
COMMENT ON COLUMN device_activity.opt_outs_sent_at IS 'The same for its newest statement about opt-outs.';
COMMENT ON COLUMN device_activity.user_sent_at IS
    'The same for its newest statement about user and token: a registration, a login, a logout, a removal.';
COMMENT ON COLUMN device_activity.consented IS
    'The topics whose opt-outs such statements have removed: an older opt-out that arrives late adds the others. Null: all.';

CREATE TABLE device_past (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    until timestamptz NOT NULL,
    profile integer NOT NULL,
    user_id text COLLATE "C",
    PRIMARY KEY (app_id, device_id, until)
);
CREATE INDEX device_past_user ON device_past (app_id, user_id) WHERE user_id IS NOT NULL;

COMMENT ON TABLE device_past IS 'The profiles and users that devices had until they changed.';
COMMENT ON COLUMN device_past.user_id IS 'Null: no user, or one who was erased.';

CREATE FUNCTION forget_device_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM device_activity a USING gone g WHERE a.app_id = g.app_id AND a.device_id = g.id;
    DELETE FROM device_past p USING gone g WHERE p.app_id = g.app_id AND p.device_id = g.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER forget_device_activity AFTER DELETE ON devices
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_device_activity();

CREATE FUNCTION user_at(of_app bigint, of_device bigint, moment timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN past.device_id IS NULL
        THEN (SELECT user_id FROM devices WHERE app_id = of_app AND id = of_device) ELSE past.user_id END
    FROM (SELECT) AS one
    LEFT JOIN LATERAL (
        SELECT device_id, user_id FROM device_past
        WHERE app_id = of_app AND device_id = of_device AND until > moment ORDER BY until LIMIT 1
    ) AS past ON true
$$;
COMMENT ON FUNCTION user_at IS 'The user whose device it was at this time; null: nobody, or a person who was erased.';

CREATE TABLE counted_tags (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    bit smallint NOT NULL CHECK (bit BETWEEN 0 AND 29),
    tag text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, bit),
    UNIQUE (app_id, tag)
);

COMMENT ON TABLE counted_tags IS 'The tags that statistics tell apart: the first 30 of an app.';
COMMENT ON COLUMN counted_tags.bit IS 'The bit of profiles.tag_bits.';

CREATE TABLE profiles (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    code integer NOT NULL CHECK (code BETWEEN 1 AND 16777215),
    tag_bits integer NOT NULL,
    locale text COLLATE "C" NOT NULL,
    os_version text COLLATE "C" NOT NULL,
    app_version text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, code),
    UNIQUE (app_id, locale, os_version, app_version, tag_bits)
);

COMMENT ON TABLE profiles IS
    'Each combination of locale, versions and counted tags that a device of the app has or had. Empty texts: not known.';
COMMENT ON COLUMN profiles.code IS 'Counts from 1. 0 elsewhere: no profile is known.';

CREATE FUNCTION tag_bits(of_app bigint, of_tags text[]) RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce(bit_or(1 << bit), 0) FROM counted_tags WHERE app_id = of_app AND tag = ANY (of_tags)
$$;
COMMENT ON FUNCTION tag_bits IS 'The counted tags among these, as profiles.tag_bits.';

-- Counts tags that are new, while there is room: less for a transaction with registrations of a publishable key.
CREATE FUNCTION count_tags(of_app bigint, of_tags text[]) RETURNS void LANGUAGE plpgsql AS $$
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

-- Adds combinations to the dictionary. At 16,777,215 it is full, and further combinations have the code 0.
CREATE FUNCTION add_profiles(
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

CREATE TYPE device_look AS (
    app_id bigint, device_id bigint, locale text, os_version text, app_version text, tags text[]
);

COMMENT ON TYPE device_look IS 'The values of a device that make up its profile.';

-- A statement that adds or changes devices calls it: a function sees what it adds itself, which the statement would not.
CREATE FUNCTION profile_codes(looks device_look[]) RETURNS TABLE (app_id bigint, device_id bigint, profile integer)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    of_app bigint;
BEGIN
    FOR of_app IN SELECT DISTINCT app_id FROM unnest(looks) LOOP
        PERFORM count_tags(of_app, ARRAY(
            SELECT DISTINCT tag FROM unnest(looks) AS l, unnest(l.tags) AS tag WHERE l.app_id = of_app));
        PERFORM add_profiles(
            of_app, array_agg(n.locale), array_agg(n.os_version), array_agg(n.app_version), array_agg(n.tag_bits))
        FROM (
            SELECT DISTINCT coalesce(locale, '') AS locale, coalesce(os_version, '') AS os_version,
                coalesce(app_version, '') AS app_version,
                CASE WHEN tags = '{}' THEN 0 ELSE tag_bits(of_app, tags) END AS tag_bits
            FROM unnest(looks) WHERE app_id = of_app
        ) AS n
        LEFT JOIN profiles p ON p.app_id = of_app AND p.locale = n.locale AND p.os_version = n.os_version
            AND p.app_version = n.app_version AND p.tag_bits = n.tag_bits
        WHERE p.code IS NULL HAVING count(*) > 0;
    END LOOP;
    RETURN QUERY
    SELECT l.app_id, l.device_id, coalesce(p.code, 0)
    FROM unnest(looks) AS l
    LEFT JOIN profiles p ON p.app_id = l.app_id AND p.locale = coalesce(l.locale, '')
        AND p.os_version = coalesce(l.os_version, '') AND p.app_version = coalesce(l.app_version, '')
        AND p.tag_bits = CASE WHEN l.tags = '{}' THEN 0 ELSE tag_bits(l.app_id, l.tags) END;
END
$$;
COMMENT ON FUNCTION profile_codes IS
    'The codes of devices'' profiles. Tags and combinations that are new are added to the dictionaries.';

CREATE FUNCTION profile_at(of_app bigint, of_device bigint, moment timestamptz) RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce(
        (SELECT profile FROM device_past
         WHERE app_id = of_app AND device_id = of_device AND until > moment ORDER BY until LIMIT 1),
        (SELECT profile FROM device_activity WHERE app_id = of_app AND device_id = of_device), 0)
$$;
COMMENT ON FUNCTION profile_at IS 'The profile that a device had at this time; 0: not known.';

CREATE FUNCTION profile_bytes(code integer, width integer) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN substring(int4send(code) FROM 5 - width);
COMMENT ON FUNCTION profile_bytes IS 'The lowest bytes of a profile''s code, for batches.profiles.';

CREATE FUNCTION profile_code(profiles bytea, width integer, index integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE width
    WHEN 1 THEN get_byte(profiles, index)
    WHEN 2 THEN get_byte(profiles, 2 * index) << 8 | get_byte(profiles, 2 * index + 1)
    ELSE get_byte(profiles, 3 * index) << 16 | get_byte(profiles, 3 * index + 1) << 8 | get_byte(profiles, 3 * index + 2)
END;
COMMENT ON FUNCTION profile_code IS 'The code of the recipient at this index of batches.profiles, from 0.';

CREATE FUNCTION profiles_of(chosen bigint[], recipients bigint[], profiles bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT string_agg(substring(profiles FROM (r.position::integer - 1) * w.width + 1 FOR w.width), '' ORDER BY c.position)
    FROM unnest(chosen) WITH ORDINALITY AS c (id, position)
    JOIN unnest(recipients) WITH ORDINALITY AS r (id, position) ON r.id = c.id
    CROSS JOIN (SELECT octet_length(profiles) / cardinality(recipients) AS width) AS w
$$;
COMMENT ON FUNCTION profiles_of IS 'The profiles of these recipients of a batch, for another batch.';
