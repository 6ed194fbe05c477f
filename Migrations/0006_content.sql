-- Content: media, categories, templates, local plans.

CREATE TABLE media (
    id bigint GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- In bytes; null if nobody said it.
    size bigint CHECK (size >= 0),
    capability bytea NOT NULL UNIQUE CHECK (octet_length(capability) = 16),
    -- SHA-256 of the content; null for external media.
    hash bytea CHECK (octet_length(hash) = 32),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    -- By the first bytes of the content; null if it could not be reached.
    type text CHECK (char_length(type) BETWEEN 1 AND 100),
    storage text NOT NULL CHECK (storage IN ('database', 'directory', 'external')),
    external_url text CHECK (octet_length(external_url) <= 2000),
    PRIMARY KEY (app_id, id),
    UNIQUE (app_id, hash),
    UNIQUE (app_id, external_url),
    CHECK (storage = 'external' OR type IS NOT NULL AND size IS NOT NULL),
    CHECK ((storage = 'external') = (external_url IS NOT NULL) AND (storage = 'external') = (hash IS NULL))
);

COMMENT ON TABLE media IS 'Images, sounds and videos for notifications.';
COMMENT ON COLUMN media.capability IS 'Random bytes in the URL: whoever has the URL can fetch the file.';

-- In pieces, so that a video is never in memory as a whole.
CREATE TABLE media_pieces (
    app_id bigint NOT NULL,
    media_id bigint NOT NULL,
    index integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (app_id, media_id, index),
    FOREIGN KEY (app_id, media_id) REFERENCES media ON DELETE CASCADE,
    CONSTRAINT media_pieces_place_check CHECK (index >= 0)
);

COMMENT ON TABLE media_pieces IS 'The content of media stored in the database, in pieces of 1 MiB.';

ALTER TABLE media_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE categories (
    id bigint GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL DEFAULT 1,
    identifier text COLLATE "C" NOT NULL CHECK (octet_length(identifier) BETWEEN 1 AND 128),
    -- json and not jsonb: actions keep their order.
    definition json NOT NULL CHECK (json_typeof(definition) = 'object'),
    archived_at timestamptz,
    PRIMARY KEY (app_id, id),
    UNIQUE (app_id, identifier)
);

COMMENT ON TABLE categories IS 'Notification categories with their actions.';

CREATE TABLE templates (
    id bigint GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    archived_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    PRIMARY KEY (app_id, id)
);

COMMENT ON TABLE templates IS 'Content with variants per locale. Each edit adds a row to template_versions.';

-- The number of the media that a content names; null: none of the app's.
CREATE FUNCTION media_of(content json) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    -- PostgreSQL reads no further in a text that contains U+0000.
    WHEN strpos(content::text, '\u0000') > 0 THEN NULL
    WHEN content -> 'media' ->> 'id' ~ '^[0-9]{1,18}$' THEN (content -> 'media' ->> 'id')::bigint
END;

-- They stay, so that what was sent can be shown.
CREATE TABLE template_versions (
    app_id bigint NOT NULL,
    template_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL CHECK (version > 0),
    content json NOT NULL CHECK (json_typeof(content) = 'object'),
    -- Media stay as long as a version of a template names them.
    media_id bigint GENERATED ALWAYS AS (media_of(content)) STORED,
    PRIMARY KEY (app_id, template_id, version),
    FOREIGN KEY (app_id, template_id) REFERENCES templates ON DELETE CASCADE,
    CONSTRAINT template_versions_media_fkey FOREIGN KEY (app_id, media_id) REFERENCES media
);
CREATE INDEX template_versions_media ON template_versions (app_id, media_id) WHERE media_id IS NOT NULL;

COMMENT ON TABLE template_versions IS 'Versions of templates, never changed.';

CREATE TABLE local_plans (
    id bigint GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    archived_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    plan json NOT NULL CHECK (json_typeof(plan) = 'object'),
    PRIMARY KEY (app_id, id)
);
-- Apps fetch those that are not archived.
CREATE INDEX local_plans_current ON local_plans (app_id, id) WHERE archived_at IS NULL;

COMMENT ON TABLE local_plans IS 'Local notifications that an app fetches and schedules itself.';
