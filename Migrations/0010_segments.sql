-- Parts of an audience under a name: looked up again whenever somebody is sent to.
CREATE TABLE segments (
    id bigint GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    archived_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    -- json and not jsonb: conditions keep their members' order, and numbers their digits.
    audience json NOT NULL CHECK (json_typeof(audience) = 'object'),
    PRIMARY KEY (app_id, id)
);

-- Which segments are used by which segments and campaigns: one that is used stays.
CREATE TABLE segment_uses (
    app_id bigint NOT NULL,
    segment_id bigint NOT NULL,
    -- One of the two.
    by_segment_id bigint,
    by_campaign_id bigint,
    CHECK ((by_segment_id IS NULL) <> (by_campaign_id IS NULL)),
    CHECK (by_segment_id <> segment_id),
    UNIQUE (app_id, by_segment_id, segment_id),
    UNIQUE (app_id, by_campaign_id, segment_id),
    FOREIGN KEY (app_id, segment_id) REFERENCES segments,
    FOREIGN KEY (app_id, by_segment_id) REFERENCES segments ON DELETE CASCADE,
    FOREIGN KEY (app_id, by_campaign_id) REFERENCES campaigns ON DELETE CASCADE
);
-- For "used by", and for the look that deleting a segment takes.
CREATE INDEX segment_uses_of ON segment_uses (app_id, segment_id);

-- With an app goes everything of it; what keeps a segment would else keep its app.
CREATE FUNCTION forget_segment_uses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM segment_uses WHERE app_id = OLD.id;
    RETURN OLD;
END
$$;

CREATE TRIGGER forget_segment_uses BEFORE DELETE ON apps FOR EACH ROW EXECUTE FUNCTION forget_segment_uses();

-- The parts of a version, to be compared: {4,2} for 4.2, 4.2-beta and 4.2 (12). Null for what does not begin with a
-- number, has more than 32 parts or one of more than 18 digits; it raises on no text. The first branch is the quick one
-- for what versions look like (0.8 µs against 4, measured).
CREATE FUNCTION version_parts(version text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN octet_length(version) <= 18 AND version ~ '^[0-9]+(?:\.[0-9]+)*$' THEN string_to_array(version, '.')::bigint[]
    ELSE string_to_array(
        substring(version FROM '^[0-9]{1,18}(?:\.[0-9]{1,18}){0,31}(?![0-9])(?!\.[0-9])'), '.')::bigint[]
END;
