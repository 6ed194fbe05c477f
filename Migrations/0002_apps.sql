-- Apps with their keys, topics and webhooks.

CREATE TABLE apps (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL DEFAULT 1,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    bundle_id text NOT NULL UNIQUE CHECK (octet_length(bundle_id) BETWEEN 1 AND 155),
    message_id_key text NOT NULL DEFAULT 'i'
        CHECK (char_length(message_id_key) BETWEEN 1 AND 32 AND message_id_key <> 'aps'),
    default_locale text NOT NULL DEFAULT 'en',
    default_time_zone text NOT NULL DEFAULT 'UTC',
    -- The payload keys beside aps that have the URL and the type of media.
    attachment_url_key text NOT NULL DEFAULT 'attachment-url'
        CHECK (octet_length(attachment_url_key) BETWEEN 1 AND 32 AND attachment_url_key <> 'aps'),
    -- Null: the type follows from the URL.
    attachment_type_key text DEFAULT 'attachment-type'
        CHECK (octet_length(attachment_type_key) BETWEEN 1 AND 32 AND attachment_type_key <> 'aps'),
    pushes_per_second integer CHECK (pushes_per_second BETWEEN 1 AND 1000000),
    quiet_hours json CHECK (json_typeof(quiet_hours) = 'object'),
    frequency_cap_count smallint,
    frequency_cap_days smallint,
    identity_verification boolean NOT NULL DEFAULT false,
    new_installations_per_minute integer CHECK (new_installations_per_minute > 0),
    event_days smallint CHECK (event_days BETWEEN 31 AND 3650),
    reply_days smallint CHECK (reply_days BETWEEN 1 AND 3650),
    recipient_days smallint CHECK (recipient_days BETWEEN 91 AND 3650),
    custom_event_days smallint CHECK (custom_event_days BETWEEN 31 AND 3650),
    approval_above integer CHECK (approval_above >= 0),
    global_control json CHECK (json_typeof(global_control) = 'object'),
    control_salt bigint NOT NULL DEFAULT hashtextextended(gen_random_uuid()::text, 0),
    CONSTRAINT apps_keys_differ CHECK (
        attachment_type_key <> attachment_url_key AND message_id_key <> attachment_url_key
        AND message_id_key <> attachment_type_key
    ),
    CONSTRAINT apps_cap_count_check CHECK (frequency_cap_count BETWEEN 1 AND 100),
    CONSTRAINT apps_cap_days_check CHECK (frequency_cap_days BETWEEN 1 AND 90),
    CONSTRAINT apps_cap CHECK ((frequency_cap_count IS NULL) = (frequency_cap_days IS NULL))
);

COMMENT ON TABLE apps IS 'Apps that pushes are sent to.';
COMMENT ON COLUMN apps.message_id_key IS 'The payload key beside aps that has the message id.';
COMMENT ON COLUMN apps.pushes_per_second IS 'Over all processes; null: no limit.';
COMMENT ON COLUMN apps.quiet_hours IS '{"from": "22:00", "to": "08:00", "policy": "hold"}, on the recipient''s clock.';
COMMENT ON COLUMN apps.frequency_cap_count IS 'At most this many pushes to a device in frequency_cap_days.';
COMMENT ON COLUMN apps.identity_verification IS
    'Whether a registration with a publishable key must carry its user ID''s signature by the app''s server.';
COMMENT ON COLUMN apps.new_installations_per_minute IS
    'How many new installations publishable keys may register in a minute, per process; null: the default.';
COMMENT ON COLUMN apps.event_days IS
    'Events of pushes are deleted this many days after their range of message numbers ended; null: never. Repeated events are refused after 30 days, so none is counted twice.';
COMMENT ON COLUMN apps.reply_days IS 'The texts of replies are erased this many days after their receipt; null: never.';
COMMENT ON COLUMN apps.recipient_days IS
    'The recipients and outcomes of batches are deleted this many days after their run ended; null: never. Frequency caps look back 90 days.';
COMMENT ON COLUMN apps.custom_event_days IS
    'Custom events are deleted this many days after the week of their receipt; null: never. Events older than 30 days are refused, so none is counted twice.';
COMMENT ON COLUMN apps.approval_above IS
    'Campaigns with more recipients than this need the approval of a second person; 0: all. Null: none.';
COMMENT ON COLUMN apps.global_control IS
    'The part of the people who get no campaigns for a while: {"share": 50, "days": 90, "event_name": "purchase"}. Null: none.';
COMMENT ON COLUMN apps.control_salt IS 'Draws who belongs to the global control group.';

CREATE FUNCTION add_locks_of_apps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO locks (app_id, name)
    SELECT a.id, l.name
    FROM added a, unnest(ARRAY['event names', 'frequency cap', 'profiles', 'registrations', 'repeated events']) AS l (name);
    RETURN NULL;
END
$$;
CREATE TRIGGER add_locks AFTER INSERT ON apps REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION add_locks_of_apps();

CREATE TABLE message_keys (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    version smallint NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (app_id, version)
);

COMMENT ON TABLE message_keys IS 'Keys that sign an app''s message ids. Old versions stay valid.';

CREATE TABLE identity_keys (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    version smallint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    sealed bytea NOT NULL CHECK (octet_length(sealed) <= 200),
    PRIMARY KEY (app_id, version)
);

COMMENT ON TABLE identity_keys IS
    'The secrets with which an app''s server signs user IDs, sealed. The newest two are valid.';

CREATE TABLE credentials (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(),
    production boolean NOT NULL,
    development boolean NOT NULL,
    key_id text NOT NULL CHECK (key_id ~ '^[A-Z0-9]{10}$'),
    team_id text NOT NULL CHECK (team_id ~ '^[A-Z0-9]{10}$'),
    sealed_key bytea NOT NULL,
    PRIMARY KEY (app_id, id),
    UNIQUE (app_id, key_id),
    CHECK (production OR development)
);

COMMENT ON TABLE credentials IS 'Apple''s token signing keys (.p8), sealed.';

-- Apple wants few of them.
CREATE TABLE provider_tokens (
    issued_at timestamptz NOT NULL,
    key_id text NOT NULL,
    team_id text NOT NULL,
    sealed_token bytea NOT NULL,
    key_hash text NOT NULL,
    PRIMARY KEY (team_id, key_id, key_hash)
);

COMMENT ON TABLE provider_tokens IS 'The provider token of each signing key, shared by all processes.';
COMMENT ON COLUMN provider_tokens.key_hash IS 'The SHA-256 of the public key, PEM-encoded.';

CREATE TABLE topics (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Never changes: devices name it.
    key text COLLATE "C" NOT NULL CHECK (key ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    description text NOT NULL DEFAULT '' CHECK (char_length(description) <= 500),
    version integer NOT NULL DEFAULT 1,
    translations jsonb NOT NULL DEFAULT '{}',
    archived_at timestamptz,
    PRIMARY KEY (app_id, key),
    CONSTRAINT topics_translations_are_an_object CHECK (
        jsonb_typeof(translations) = 'object' AND pg_column_size(translations) <= 262144
    )
);

COMMENT ON TABLE topics IS 'Topics that recipients can opt out of.';
COMMENT ON COLUMN topics.translations IS
    'Names and descriptions by language: {"de": {"name": "Angebote", "description": null}}.';

CREATE TABLE webhooks (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    disabled_at timestamptz,
    failing_since timestamptz,
    version integer NOT NULL DEFAULT 1,
    failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    url text NOT NULL CHECK (octet_length(url) BETWEEN 1 AND 2000),
    description text NOT NULL DEFAULT '' CHECK (char_length(description) <= 200),
    kinds text[] COLLATE "C" NOT NULL CHECK (cardinality(kinds) BETWEEN 1 AND 100),
    disabled_reason text CHECK (disabled_reason IN ('gone', 'failing', 'full')),
    PRIMARY KEY (app_id, id),
    CHECK (disabled_reason IS NULL OR disabled_at IS NOT NULL),
    CHECK ((failures = 0) = (failing_since IS NULL))
);

COMMENT ON TABLE webhooks IS 'Addresses of receivers that are told what happens in an app.';
COMMENT ON COLUMN webhooks.kinds IS 'The kinds of events that it wants.';
COMMENT ON COLUMN webhooks.failures IS 'Attempts that have failed in a row, the first of them at failing_since.';
COMMENT ON COLUMN webhooks.disabled_reason IS 'Null: a person disabled it.';

CREATE TABLE webhook_secrets (
    app_id bigint NOT NULL,
    webhook_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    version smallint NOT NULL CHECK (version > 0),
    sealed bytea NOT NULL CHECK (octet_length(sealed) <= 200),
    PRIMARY KEY (app_id, webhook_id, version),
    FOREIGN KEY (app_id, webhook_id) REFERENCES webhooks ON DELETE CASCADE
);

COMMENT ON TABLE webhook_secrets IS 'The secrets that sign deliveries, sealed: the newest, and the one before for a day.';

-- Written in the transaction of the fact, so that what is told has happened, and what has happened is told. No foreign
-- keys: each row would lock its app's. The rows of a deleted app go with the next step of the sender.
CREATE TABLE webhook_events (
    app_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    happened_at timestamptz NOT NULL DEFAULT now(),
    kind text COLLATE "C" NOT NULL,
    data jsonb NOT NULL,
    PRIMARY KEY (app_id, id)
);

COMMENT ON TABLE webhook_events IS 'Events that no delivery contains yet: for about a second.';

CREATE TABLE webhook_deliveries (
    app_id bigint NOT NULL,
    webhook_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(),
    next_attempt_at timestamptz DEFAULT now(),
    attempted_at timestamptz,
    delivered_at timestamptz,
    message_id uuid NOT NULL DEFAULT gen_random_uuid(),
    attempts smallint NOT NULL DEFAULT 0,
    status smallint,
    kind text COLLATE "C" NOT NULL,
    error text CHECK (char_length(error) <= 500),
    body text NOT NULL,
    device_ids bigint[],
    PRIMARY KEY (app_id, webhook_id, id),
    FOREIGN KEY (app_id, webhook_id) REFERENCES webhooks ON DELETE CASCADE,
    CHECK (delivered_at IS NULL OR next_attempt_at IS NULL)
);
-- Those that are due.
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (app_id, webhook_id, next_attempt_at)
    WHERE next_attempt_at IS NOT NULL;
-- Those that were given up, for the list.
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (app_id, webhook_id, id)
    WHERE next_attempt_at IS NULL AND delivered_at IS NULL;

COMMENT ON TABLE webhook_deliveries IS 'Messages to webhooks: those of the last week, and those that still have to be delivered.';
COMMENT ON COLUMN webhook_deliveries.next_attempt_at IS
    'Null: delivered or given up. While an attempt is made, the time after which another process makes one.';
COMMENT ON COLUMN webhook_deliveries.message_id IS
    'The header webhook-id. Random: after a restore from a backup no receiver takes a new message for a repeated one.';
COMMENT ON COLUMN webhook_deliveries.attempts IS 'Since it was created or resent.';
COMMENT ON COLUMN webhook_deliveries.status IS 'Of the last answer; null if there was none.';
COMMENT ON COLUMN webhook_deliveries.device_ids IS
    'The devices that the items are about, so that an erasure finds them; null for a message without items.';

-- Events have no foreign key to apps, because deleting an app would wait for millions of them. Maintenance deletes them
-- step by step.
CREATE TABLE deleted_apps (
    id bigint PRIMARY KEY,
    deleted_at timestamptz NOT NULL DEFAULT now()
);

COMMENT ON TABLE deleted_apps IS 'Apps whose events are still to be deleted.';

CREATE FUNCTION remember_deleted_app() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO deleted_apps (id) VALUES (OLD.id);
    RETURN NULL;
END
$$;
CREATE TRIGGER remember_deleted_app AFTER DELETE ON apps FOR EACH ROW EXECUTE FUNCTION remember_deleted_app();

-- Not when the app is deleted: a registration that has the lock may wait for the app's row.
CREATE FUNCTION forget_locks_of_app() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM locks WHERE app_id = OLD.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER forget_locks AFTER DELETE ON deleted_apps FOR EACH ROW EXECUTE FUNCTION forget_locks_of_app();
