-- The whole notification: what devices say about themselves, topics, categories, templates, media, local plans.

-- What an app's people may opt out of, such as "offers". Campaigns carry one.
CREATE TABLE topics (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Never changes: devices name it.
    key text COLLATE "C" NOT NULL CHECK (key ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    description text NOT NULL DEFAULT '' CHECK (char_length(description) <= 500),
    PRIMARY KEY (app_id, key)
);

-- Under which keys beside aps a payload carries its media; without the second, the type is left to the URL.
ALTER TABLE apps
    ADD COLUMN attachment_url_key text NOT NULL DEFAULT 'attachment-url'
        CHECK (octet_length(attachment_url_key) BETWEEN 1 AND 32 AND attachment_url_key <> 'aps'),
    ADD COLUMN attachment_type_key text DEFAULT 'attachment-type'
        CHECK (octet_length(attachment_type_key) BETWEEN 1 AND 32 AND attachment_type_key <> 'aps'),
    ADD CONSTRAINT apps_keys_differ CHECK (
        attachment_type_key <> attachment_url_key AND message_id_key <> attachment_url_key
        AND message_id_key <> attachment_type_key);

-- kind: 0 alert, 1 VoIP, 2 Live Activity start, 3 Live Activity update (activity names it), 4 widget, 5 control,
-- 6 complication, 7 location, 8 push to talk, 9 file provider.
ALTER TABLE devices
    DROP CONSTRAINT devices_kind_check,
    ADD CONSTRAINT devices_kind_check CHECK (kind BETWEEN 0 AND 9),
    ADD CONSTRAINT devices_activity_names_an_update CHECK ((kind = 3) = (activity <> '')),
    ADD COLUMN is_test boolean NOT NULL DEFAULT false,
    ADD COLUMN nickname text CHECK (char_length(nickname) BETWEEN 1 AND 100),
    -- UNNotificationSettings: what of a notification is shown, by name.
    ADD COLUMN settings jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(settings) = 'object'),
    ADD COLUMN tags text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (cardinality(tags) <= 100),
    -- Keys of topics.
    ADD COLUMN opt_outs text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (cardinality(opt_outs) <= 100);
-- For test pushes: an app has few.
CREATE INDEX devices_test ON devices (app_id, id) WHERE is_test;

-- The attributes that an app's devices have, with their longest values: what a payload may grow to.
CREATE TABLE known_attributes (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    -- Bytes of the longest text that ever was, as JSON has it; it does not shrink.
    longest integer NOT NULL CHECK (longest >= 0),
    name text COLLATE "C" NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 200),
    PRIMARY KEY (app_id, name)
);

-- Notification categories with their actions, as the app registers them.
CREATE TABLE categories (
    id bigint GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL DEFAULT 1,
    identifier text COLLATE "C" NOT NULL CHECK (octet_length(identifier) BETWEEN 1 AND 128),
    -- json and not jsonb: actions keep their order, and texts their keys'.
    definition json NOT NULL CHECK (json_typeof(definition) = 'object'),
    PRIMARY KEY (app_id, id),
    UNIQUE (app_id, identifier)
);

-- Content with its variants per locale. Each save makes a version, and versions stay: what was sent can be shown.
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

CREATE TABLE template_versions (
    app_id bigint NOT NULL,
    template_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL CHECK (version > 0),
    content json NOT NULL CHECK (json_typeof(content) = 'object'),
    PRIMARY KEY (app_id, template_id, version),
    FOREIGN KEY (app_id, template_id) REFERENCES templates ON DELETE CASCADE
);

-- A campaign's content is a payload of its own or a template's version; a run keeps which version it sends.
ALTER TABLE campaigns
    ALTER COLUMN payload DROP NOT NULL,
    ADD COLUMN template_id bigint,
    ADD COLUMN template_version integer,
    ADD COLUMN topic text COLLATE "C",
    ADD CONSTRAINT campaigns_content CHECK ((payload IS NULL) = (template_id IS NOT NULL)),
    ADD CONSTRAINT campaigns_template_version CHECK ((template_id IS NULL) = (template_version IS NULL)),
    ADD FOREIGN KEY (app_id, template_id, template_version) REFERENCES template_versions,
    ADD FOREIGN KEY (app_id, topic) REFERENCES topics;
CREATE INDEX campaigns_of_template ON campaigns (app_id, template_id) WHERE template_id IS NOT NULL;
ALTER TABLE runs
    ALTER COLUMN payload DROP NOT NULL,
    ADD COLUMN template_id bigint,
    ADD COLUMN template_version integer,
    ADD COLUMN topic text COLLATE "C",
    ADD CONSTRAINT runs_content CHECK ((payload IS NULL) = (template_id IS NOT NULL)),
    ADD CONSTRAINT runs_template_version CHECK ((template_id IS NULL) = (template_version IS NULL)),
    ADD FOREIGN KEY (app_id, template_id, template_version) REFERENCES template_versions;

INSERT INTO outcome_codes (code, kind, reason) VALUES
    (14, 'suppressed', 'value missing'), (15, 'suppressed', 'opted out of the topic');

-- Images, sounds and films of notifications: stored here, in a directory, or elsewhere on the web.
CREATE TABLE media (
    id bigint GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Bytes; null where nobody has said it.
    size bigint CHECK (size >= 0),
    -- Whoever knows it may fetch the file: 128 random bits, in the URL.
    capability bytea NOT NULL UNIQUE CHECK (octet_length(capability) = 16),
    -- SHA-256 of the content; null for what lies elsewhere.
    hash bytea CHECK (octet_length(hash) = 32),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    -- What the content is, by its first bytes; null for what could not be reached.
    type text CHECK (char_length(type) BETWEEN 1 AND 100),
    storage text NOT NULL CHECK (storage IN ('database', 'directory', 'external')),
    external_url text CHECK (octet_length(external_url) <= 2000),
    PRIMARY KEY (app_id, id),
    UNIQUE (app_id, hash),
    UNIQUE (app_id, external_url),
    CHECK (storage = 'external' OR (type IS NOT NULL AND size IS NOT NULL)),
    CHECK ((storage = 'external') = (external_url IS NOT NULL) AND (storage = 'external') = (hash IS NULL))
);

-- The content of what is stored in the database, in pieces of 1 MiB, so that a film is never in memory whole.
CREATE TABLE media_pieces (
    app_id bigint NOT NULL,
    media_id bigint NOT NULL,
    place integer NOT NULL CHECK (place >= 0),
    bytes bytea NOT NULL,
    PRIMARY KEY (app_id, media_id, place),
    FOREIGN KEY (app_id, media_id) REFERENCES media ON DELETE CASCADE
);
ALTER TABLE media_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Local notifications that an app fetches and schedules by itself.
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
-- For phones, which get those that are not archived.
CREATE INDEX local_plans_current ON local_plans (app_id, id) WHERE archived_at IS NULL;
