-- The current schema. Generated from the migrations by `make schema`; a test compares it with them.
-- Comments are stored in the database, so \d+ in psql shows them.

CREATE SEQUENCE message_numbers AS bigint MINVALUE 1 MAXVALUE 1099511627775;

-- One row: the identity of this database, and a check of the sealing key.
CREATE TABLE instance (
    only_row boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- A known text sealed with the sealing key.
    sealing_check bytea NOT NULL,
    PRIMARY KEY (only_row),
    CONSTRAINT instance_only_row_check CHECK (only_row)
);

-- One row: what the database was when the identity was last confirmed. If it is not so now, the database was restored from a backup, or another server took over.
CREATE TABLE database_identity (
    only_row boolean NOT NULL DEFAULT true,
    -- A random number, replaced after each restore or failover.
    generation bigint NOT NULL,
    timeline integer,
    database_oid bigint NOT NULL,
    batches_oid bigint NOT NULL,
    runs_oid bigint NOT NULL,
    -- The transaction that wrote this row, which is also its xmin. In a row that comes from a dump they differ.
    written_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
    -- When the last restore or failover was noticed.
    changed_at timestamptz,
    -- The start of the PostgreSQL server for which the identity was last confirmed.
    server_started_at timestamptz NOT NULL DEFAULT pg_postmaster_start_time(),
    -- When it was.
    confirmed_at timestamptz NOT NULL DEFAULT now(),
    -- A random number that the database keeps for ever, and that its backups share.
    origin bigint NOT NULL,
    PRIMARY KEY (only_row),
    CONSTRAINT database_identity_only_row_check CHECK (only_row)
);

-- The send loops of processes, and those of the last weeks: what tells whether a restored database lacks commits.
CREATE TABLE workers (
    id uuid NOT NULL,
    -- Counts up while the worker runs. It remembers the last one that was confirmed to it: if the row has less, commits are lost.
    beat bigint NOT NULL,
    beaten_at timestamptz NOT NULL,
    -- The start of the PostgreSQL server whose contents the worker has compared with what it remembers.
    server_started_at timestamptz NOT NULL,
    -- Whether a standby server had each commit before it was confirmed.
    is_synchronous boolean NOT NULL,
    -- When the worker ended cleanly: nothing was confirmed to it afterwards.
    ended_at timestamptz,
    PRIMARY KEY (id),
    CONSTRAINT workers_beat_check CHECK (beat > 0)
) WITH (fillfactor=50);

-- Processes of Belfry that run, and those of the last weeks: what "belfry status" lists.
CREATE TABLE processes (
    id uuid NOT NULL,
    started_at timestamptz NOT NULL,
    -- Written every few seconds while the process runs.
    seen_at timestamptz NOT NULL,
    -- When the process said that it ended; null while it runs, and if it was lost.
    ended_at timestamptz,
    pid integer NOT NULL,
    -- The number of migrations that its program has. "belfry migrate --finish" takes nothing away from a process that runs.
    schema integer NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    host text NOT NULL,
    version text NOT NULL,
    -- Under these it holds batches: one for each worker, and one for transactional pushes.
    owners uuid[] NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT processes_kind_check CHECK (kind = ANY (ARRAY['serve', 'work', 'demo'])),
    CONSTRAINT processes_name_check CHECK (octet_length(name) >= 1 AND octet_length(name) <= 64)
);

-- Rows that are locked and never changed.
CREATE TABLE locks (
    -- 0: of all apps.
    app_id bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, name)
);

-- Apps that pushes are sent to.
CREATE TABLE apps (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL DEFAULT 1,
    name text NOT NULL,
    bundle_id text NOT NULL,
    -- The payload key beside aps that has the message id.
    message_id_key text NOT NULL DEFAULT 'i',
    default_locale text NOT NULL DEFAULT 'en',
    default_time_zone text NOT NULL DEFAULT 'UTC',
    attachment_url_key text NOT NULL DEFAULT 'attachment-url',
    attachment_type_key text DEFAULT 'attachment-type',
    -- Over all processes; null: no limit.
    pushes_per_second integer,
    -- {"from": "22:00", "to": "08:00", "policy": "hold"}, on the recipient's clock.
    quiet_hours json,
    -- At most this many pushes to a device in frequency_cap_days.
    frequency_cap_count smallint,
    frequency_cap_days smallint,
    -- Whether a registration with a publishable key must carry its user ID's signature by the app's server.
    identity_verification boolean NOT NULL DEFAULT false,
    -- How many new installations publishable keys may register in a minute, per process; null: the default.
    new_installations_per_minute integer,
    -- Events of pushes are deleted this many days after their range of message numbers ended; null: never. Repeated events are refused after 30 days, so none is counted twice.
    event_days smallint,
    -- The texts of replies are erased this many days after their receipt; null: never.
    reply_days smallint,
    -- The recipients and outcomes of batches are deleted this many days after their run ended; null: never. Frequency caps look back 90 days.
    recipient_days smallint,
    -- Custom events are deleted this many days after the week of their receipt; null: never. Events older than 30 days are refused, so none is counted twice.
    custom_event_days smallint,
    -- Campaigns with more recipients than this need the approval of a second person; 0: all. Null: none.
    approval_above integer,
    -- The part of the people who get no campaigns for a while: {"share": 50, "days": 90, "event_name": "purchase"}. Null: none.
    global_control json,
    -- Draws who belongs to the global control group.
    control_salt bigint NOT NULL DEFAULT hashtextextended(gen_random_uuid()::text, 0::bigint),
    PRIMARY KEY (id),
    CONSTRAINT apps_bundle_id_key UNIQUE (bundle_id),
    CONSTRAINT apps_approval_above_check CHECK (approval_above >= 0),
    CONSTRAINT apps_attachment_type_key_check CHECK (octet_length(attachment_type_key) >= 1 AND octet_length(attachment_type_key) <= 32 AND attachment_type_key <> 'aps'),
    CONSTRAINT apps_attachment_url_key_check CHECK (octet_length(attachment_url_key) >= 1 AND octet_length(attachment_url_key) <= 32 AND attachment_url_key <> 'aps'),
    CONSTRAINT apps_bundle_id_check CHECK (octet_length(bundle_id) >= 1 AND octet_length(bundle_id) <= 155),
    CONSTRAINT apps_cap CHECK ((frequency_cap_count IS NULL) = (frequency_cap_days IS NULL)),
    CONSTRAINT apps_cap_count_check CHECK (frequency_cap_count >= 1 AND frequency_cap_count <= 100),
    CONSTRAINT apps_cap_days_check CHECK (frequency_cap_days >= 1 AND frequency_cap_days <= 90),
    CONSTRAINT apps_custom_event_days_check CHECK (custom_event_days >= 31 AND custom_event_days <= 3650),
    CONSTRAINT apps_event_days_check CHECK (event_days >= 31 AND event_days <= 3650),
    CONSTRAINT apps_global_control_check CHECK (json_typeof(global_control) = 'object'),
    CONSTRAINT apps_keys_differ CHECK (attachment_type_key <> attachment_url_key AND message_id_key <> attachment_url_key AND message_id_key <> attachment_type_key),
    CONSTRAINT apps_message_id_key_check CHECK (char_length(message_id_key) >= 1 AND char_length(message_id_key) <= 32 AND message_id_key <> 'aps'),
    CONSTRAINT apps_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 100),
    CONSTRAINT apps_new_installations_per_minute_check CHECK (new_installations_per_minute > 0),
    CONSTRAINT apps_pushes_per_second_check CHECK (pushes_per_second >= 1 AND pushes_per_second <= 1000000),
    CONSTRAINT apps_quiet_hours_check CHECK (json_typeof(quiet_hours) = 'object'),
    CONSTRAINT apps_recipient_days_check CHECK (recipient_days >= 91 AND recipient_days <= 3650),
    CONSTRAINT apps_reply_days_check CHECK (reply_days >= 1 AND reply_days <= 3650)
);

-- Keys that sign an app's message ids. Old versions stay valid.
CREATE TABLE message_keys (
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    version smallint NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (app_id, version),
    CONSTRAINT message_keys_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE
);

-- The secrets with which an app's server signs user IDs, sealed. The newest two are valid.
CREATE TABLE identity_keys (
    app_id bigint NOT NULL,
    version smallint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    sealed bytea NOT NULL,
    PRIMARY KEY (app_id, version),
    CONSTRAINT identity_keys_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT identity_keys_sealed_check CHECK (octet_length(sealed) <= 200),
    CONSTRAINT identity_keys_version_check CHECK (version > 0)
);

-- Apple's token signing keys (.p8), sealed.
CREATE TABLE credentials (
    app_id bigint NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(),
    production boolean NOT NULL,
    development boolean NOT NULL,
    key_id text NOT NULL,
    team_id text NOT NULL,
    sealed_key bytea NOT NULL,
    PRIMARY KEY (app_id, id),
    CONSTRAINT credentials_app_id_key_id_key UNIQUE (app_id, key_id),
    CONSTRAINT credentials_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT credentials_check CHECK (production OR development),
    CONSTRAINT credentials_key_id_check CHECK (key_id ~ '^[A-Z0-9]{10}$'),
    CONSTRAINT credentials_team_id_check CHECK (team_id ~ '^[A-Z0-9]{10}$')
);

-- The provider token of each signing key, shared by all processes.
CREATE TABLE provider_tokens (
    issued_at timestamptz NOT NULL,
    key_id text NOT NULL,
    team_id text NOT NULL,
    sealed_token bytea NOT NULL,
    -- The SHA-256 of the public key, PEM-encoded.
    key_hash text NOT NULL,
    PRIMARY KEY (team_id, key_id, key_hash)
);

-- Topics that recipients can opt out of.
CREATE TABLE topics (
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    key text COLLATE "C" NOT NULL,
    name text NOT NULL,
    description text NOT NULL DEFAULT '',
    version integer NOT NULL DEFAULT 1,
    -- Names and descriptions by language: {"de": {"name": "Angebote", "description": null}}.
    translations jsonb NOT NULL DEFAULT '{}'::jsonb,
    archived_at timestamptz,
    PRIMARY KEY (app_id, key),
    CONSTRAINT topics_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT topics_description_check CHECK (char_length(description) <= 500),
    CONSTRAINT topics_key_check CHECK (key ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
    CONSTRAINT topics_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 100),
    CONSTRAINT topics_translations_are_an_object CHECK (jsonb_typeof(translations) = 'object' AND pg_column_size(translations) <= 262144)
);

-- Addresses of receivers that are told what happens in an app.
CREATE TABLE webhooks (
    app_id bigint NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    disabled_at timestamptz,
    failing_since timestamptz,
    version integer NOT NULL DEFAULT 1,
    -- Attempts that have failed in a row, the first of them at failing_since.
    failures integer NOT NULL DEFAULT 0,
    url text NOT NULL,
    description text NOT NULL DEFAULT '',
    -- The kinds of events that it wants.
    kinds text[] COLLATE "C" NOT NULL,
    -- Null: a person disabled it.
    disabled_reason text,
    PRIMARY KEY (app_id, id),
    CONSTRAINT webhooks_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT webhooks_check CHECK (disabled_reason IS NULL OR disabled_at IS NOT NULL),
    CONSTRAINT webhooks_check1 CHECK ((failures = 0) = (failing_since IS NULL)),
    CONSTRAINT webhooks_description_check CHECK (char_length(description) <= 200),
    CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason = ANY (ARRAY['gone', 'failing', 'full'])),
    CONSTRAINT webhooks_failures_check CHECK (failures >= 0),
    CONSTRAINT webhooks_kinds_check CHECK (cardinality(kinds) >= 1 AND cardinality(kinds) <= 100),
    CONSTRAINT webhooks_url_check CHECK (octet_length(url) >= 1 AND octet_length(url) <= 2000)
);

-- The secrets that sign deliveries, sealed: the newest, and the one before for a day.
CREATE TABLE webhook_secrets (
    app_id bigint NOT NULL,
    webhook_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    version smallint NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (app_id, webhook_id, version),
    CONSTRAINT webhook_secrets_app_id_webhook_id_fkey FOREIGN KEY (app_id, webhook_id) REFERENCES webhooks(app_id, id) ON DELETE CASCADE,
    CONSTRAINT webhook_secrets_sealed_check CHECK (octet_length(sealed) <= 200),
    CONSTRAINT webhook_secrets_version_check CHECK (version > 0)
);

-- Events that no delivery contains yet: for about a second.
CREATE TABLE webhook_events (
    app_id bigint NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    happened_at timestamptz NOT NULL DEFAULT now(),
    kind text COLLATE "C" NOT NULL,
    data jsonb NOT NULL,
    PRIMARY KEY (app_id, id)
);

-- Messages to webhooks: those of the last week, and those that still have to be delivered.
CREATE TABLE webhook_deliveries (
    app_id bigint NOT NULL,
    webhook_id bigint NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Null: delivered or given up. While an attempt is made, the time after which another process makes one.
    next_attempt_at timestamptz DEFAULT now(),
    attempted_at timestamptz,
    delivered_at timestamptz,
    -- The header webhook-id. Random: after a restore from a backup no receiver takes a new message for a repeated one.
    message_id uuid NOT NULL DEFAULT gen_random_uuid(),
    -- Since it was created or resent.
    attempts smallint NOT NULL DEFAULT 0,
    -- Of the last answer; null if there was none.
    status smallint,
    kind text COLLATE "C" NOT NULL,
    error text,
    body text NOT NULL,
    -- The devices that the items are about, so that an erasure finds them; null for a message without items.
    device_ids bigint[],
    PRIMARY KEY (app_id, webhook_id, id),
    CONSTRAINT webhook_deliveries_app_id_webhook_id_fkey FOREIGN KEY (app_id, webhook_id) REFERENCES webhooks(app_id, id) ON DELETE CASCADE,
    CONSTRAINT webhook_deliveries_check CHECK (delivered_at IS NULL OR next_attempt_at IS NULL),
    CONSTRAINT webhook_deliveries_error_check CHECK (char_length(error) <= 500)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (app_id, webhook_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (app_id, webhook_id, id) WHERE ((next_attempt_at IS NULL) AND (delivered_at IS NULL));

-- Apps whose events are still to be deleted.
CREATE TABLE deleted_apps (
    id bigint NOT NULL,
    deleted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (id)
);

-- People who can sign in.
CREATE TABLE users (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    disabled_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    -- In lower case.
    email text COLLATE "C" NOT NULL,
    name text NOT NULL,
    -- scrypt, as a PHC string; null until the person has chosen a password.
    password_hash text,
    PRIMARY KEY (id),
    CONSTRAINT users_email_key UNIQUE (email),
    CONSTRAINT users_email_check CHECK (octet_length(email) >= 3 AND octet_length(email) <= 254),
    CONSTRAINT users_name_check CHECK (char_length(name) <= 100),
    CONSTRAINT users_password_hash_check CHECK (octet_length(password_hash) <= 400)
);

CREATE TABLE user_roles (
    user_id bigint NOT NULL,
    -- Null: in all apps.
    app_id bigint,
    role text NOT NULL,
    CONSTRAINT user_roles_user_id_app_id_role_key UNIQUE NULLS NOT DISTINCT (user_id, app_id, role),
    CONSTRAINT user_roles_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT user_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
    CONSTRAINT user_roles_role_check CHECK (role = ANY (ARRAY['viewer', 'analyst', 'marketer', 'sender', 'developer', 'admin']))
);
CREATE INDEX user_roles_app ON user_roles (app_id);

-- Sign-ins in browsers. They are kept for a month after their end.
CREATE TABLE sessions (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    address text COLLATE "C" NOT NULL,
    user_agent text NOT NULL,
    -- SHA-256 of the cookie.
    hash bytea NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT sessions_hash_key UNIQUE (hash),
    CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
    CONSTRAINT sessions_hash_check CHECK (octet_length(hash) = 32),
    CONSTRAINT sessions_user_agent_check CHECK (char_length(user_agent) <= 300)
);
CREATE INDEX sessions_age ON sessions (expires_at);
CREATE INDEX sessions_user ON sessions (user_id, id);

-- Addresses of IPv4 and /64 networks of IPv6 from which a person has signed in. Wrong passwords from elsewhere do not lock these out.
CREATE TABLE known_networks (
    user_id bigint NOT NULL,
    network text COLLATE "C" NOT NULL,
    last_used_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, network),
    CONSTRAINT known_networks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Addresses that work once: to create the first admin, to choose a password, to sign in.
CREATE TABLE sign_in_links (
    -- SHA-256 of the token in the address.
    hash bytea NOT NULL,
    user_id bigint,
    expires_at timestamptz NOT NULL,
    purpose text NOT NULL,
    PRIMARY KEY (hash),
    CONSTRAINT sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
    CONSTRAINT sign_in_links_check CHECK ((purpose = 'set_up') = (user_id IS NULL)),
    CONSTRAINT sign_in_links_hash_check CHECK (octet_length(hash) = 32),
    CONSTRAINT sign_in_links_purpose_check CHECK (purpose = ANY (ARRAY['set_up', 'password', 'sign_in']))
);
CREATE INDEX sign_in_links_user ON sign_in_links (user_id);

-- API keys. hash is the SHA-256 of the key; app_id is null for keys of all apps.
CREATE TABLE api_keys (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    app_id bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz,
    kind text NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    scopes text[] NOT NULL,
    hash bytea NOT NULL,
    -- From when on the key is refused; null: it does not expire.
    expires_at timestamptz,
    -- To the minute.
    last_used_at timestamptz,
    -- IP addresses and ranges in CIDR notation from which the key works; empty: from everywhere.
    allowed_addresses text[] NOT NULL DEFAULT '{}'[],
    -- The person who created the key or took it over, or who created the key that created it; null for one of the console.
    created_by bigint,
    PRIMARY KEY (id),
    CONSTRAINT api_keys_hash_key UNIQUE (hash),
    CONSTRAINT api_keys_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
    CONSTRAINT api_keys_check CHECK (kind = 'secret' OR app_id IS NOT NULL),
    CONSTRAINT api_keys_hash_check CHECK (octet_length(hash) = 32),
    CONSTRAINT api_keys_kind_check CHECK (kind = ANY (ARRAY['secret', 'publishable'])),
    CONSTRAINT api_keys_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 100)
);
CREATE INDEX api_keys_of_person ON api_keys (created_by) WHERE (created_by IS NOT NULL);

-- Answers to requests with an Idempotency-Key, kept for a day.
CREATE TABLE idempotency_keys (
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    status smallint NOT NULL,
    key text COLLATE "C" NOT NULL,
    -- SHA-256 of method, path and body.
    request_hash bytea NOT NULL,
    etag text,
    location text,
    -- The body of the answer, sealed; empty for an answer that held a secret.
    sealed_body bytea,
    -- The sender of the request: an API key or a person.
    owner text COLLATE "C" NOT NULL,
    -- The permissions of the sender when the request was carried out.
    permissions text[] NOT NULL DEFAULT '{}'[],
    PRIMARY KEY (app_id, owner, key),
    CONSTRAINT idempotency_keys_key_check CHECK (octet_length(key) >= 1 AND octet_length(key) <= 255),
    CONSTRAINT idempotency_keys_owner_check CHECK (owner ~ '^(key|user):[0-9]+$'),
    CONSTRAINT idempotency_keys_request_hash_check CHECK (octet_length(request_hash) = 32),
    CONSTRAINT idempotency_keys_status_check CHECK (status >= 200 AND status <= 299)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- Changes, launches, exports and sign-ins. Rows are added and, by belfry audit prune, deleted.
CREATE TABLE audit_log (
    -- Without gaps, in the order of the commits.
    id bigint NOT NULL,
    at timestamptz NOT NULL,
    -- Also of apps that were deleted.
    app_id bigint,
    actor_id bigint,
    actor_kind text COLLATE "C" NOT NULL,
    actor_name text NOT NULL,
    action text COLLATE "C" NOT NULL,
    resource text NOT NULL,
    address text COLLATE "C" NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    -- The members that changed, as JSON, without secrets.
    before text,
    after text,
    previous_hash bytea NOT NULL,
    -- SHA-256 of the previous hash and all values of this row.
    hash bytea NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT audit_log_actor_kind_check CHECK (actor_kind = ANY (ARRAY['user', 'key', 'console', 'schedule', 'nobody'])),
    CONSTRAINT audit_log_hash_check CHECK (octet_length(hash) = 32),
    CONSTRAINT audit_log_previous_hash_check CHECK (octet_length(previous_hash) = 32)
);
CREATE INDEX audit_log_app ON audit_log (app_id, id);
CREATE INDEX audit_log_resource ON audit_log (resource, id);

-- One row per token. Retired devices stay.
CREATE TABLE devices (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    -- A 410 of Apple with an earlier time does not retire the device.
    token_registered_at timestamptz NOT NULL DEFAULT now(),
    retired_at timestamptz,
    -- 0 alert, 1 VoIP, 2 Live Activity start, 3 Live Activity update, 4 widget, 5 control, 6 complication, 7 location, 8 push to talk, 9 file provider
    kind smallint NOT NULL DEFAULT 0,
    -- 0 production, 1 development
    environment smallint NOT NULL,
    -- 0 not determined, 1 denied, 2 authorized, 3 provisional, 4 ephemeral (UNAuthorizationStatus)
    authorization_status smallint NOT NULL DEFAULT 2,
    -- 1 unregistered, 2 token expired, 3 bad token, 4 the token moved to another installation, 5 removed by the app
    retired_reason smallint,
    -- The Live Activity, for kind 3; otherwise empty.
    activity text COLLATE "C" NOT NULL DEFAULT '',
    installation text COLLATE "C" NOT NULL,
    -- Null only for a retired device whose token another installation has.
    token bytea,
    user_id text COLLATE "C",
    locale text,
    time_zone text,
    os_version text,
    app_version text,
    model text,
    -- The installation's own attributes, and over them those of its user.
    attributes jsonb NOT NULL DEFAULT '{}'::jsonb,
    is_test boolean NOT NULL DEFAULT false,
    nickname text,
    settings jsonb NOT NULL DEFAULT '{}'::jsonb,
    -- The installation's own tags and those of its user.
    tags text[] COLLATE "C" NOT NULL DEFAULT '{}'[],
    -- What the installation or its user opted out of: keys of topics, and * for all campaigns.
    opt_outs text[] COLLATE "C" NOT NULL DEFAULT '{}'[],
    -- The installation's own attributes; null: the same as attributes.
    own_attributes jsonb,
    -- The installation's own tags; null: the same as tags.
    own_tags text[] COLLATE "C",
    -- The installation's own opt-outs; null: the same as opt_outs.
    own_opt_outs text[] COLLATE "C",
    -- The time of the newest file that names the device, as long as nothing but files does; -infinity: a file without a time.
    imported_as_of timestamptz,
    -- When an app, a server or a person changed the device last; null: only files did. An older file leaves it as it is.
    stated_at timestamptz,
    -- Attributes from a file that the app has never stated: a registration that leaves them out keeps them. Null: none.
    inherited_attributes jsonb,
    PRIMARY KEY (app_id, id),
    CONSTRAINT devices_installation_app_id_kind_activity_key UNIQUE (installation, app_id, kind, activity),
    CONSTRAINT devices_token_app_id_key UNIQUE (token, app_id),
    CONSTRAINT devices_activity_check CHECK (octet_length(activity) <= 200),
    CONSTRAINT devices_activity_names_an_update CHECK ((kind = 3) = (activity <> '')),
    CONSTRAINT devices_attributes_check CHECK (jsonb_typeof(attributes) = 'object'),
    CONSTRAINT devices_authorization_status_check CHECK (authorization_status >= 0 AND authorization_status <= 4),
    CONSTRAINT devices_check CHECK ((retired_at IS NULL) = (retired_reason IS NULL)),
    CONSTRAINT devices_check1 CHECK (token IS NOT NULL OR retired_at IS NOT NULL),
    CONSTRAINT devices_environment_check CHECK (environment = ANY (ARRAY[0, 1])),
    CONSTRAINT devices_installation_check CHECK (octet_length(installation) >= 1 AND octet_length(installation) <= 200),
    CONSTRAINT devices_kind_check CHECK (kind >= 0 AND kind <= 9),
    CONSTRAINT devices_nickname_check CHECK (char_length(nickname) >= 1 AND char_length(nickname) <= 100),
    CONSTRAINT devices_own_attributes_size CHECK (pg_column_size(COALESCE(own_attributes, attributes)) <= 16384),
    CONSTRAINT devices_own_opt_outs_count CHECK (cardinality(COALESCE(own_opt_outs, opt_outs)) <= 100),
    CONSTRAINT devices_own_tags_count CHECK (cardinality(COALESCE(own_tags, tags)) <= 100),
    CONSTRAINT devices_retired_reason_check CHECK (retired_reason >= 1 AND retired_reason <= 5),
    CONSTRAINT devices_settings_check CHECK (jsonb_typeof(settings) = 'object'),
    CONSTRAINT devices_token_check CHECK (octet_length(token) >= 1 AND octet_length(token) <= 200),
    CONSTRAINT devices_user_id_check CHECK (octet_length(user_id) >= 1 AND octet_length(user_id) <= 200)
) WITH (fillfactor=85);
CREATE INDEX devices_test ON devices (app_id, id) WHERE is_test;
CREATE INDEX devices_user ON devices (app_id, user_id, id) WHERE (user_id IS NOT NULL);

-- Attributes, tags and opt-outs of an app's users, which apply to all of their devices.
CREATE TABLE people (
    app_id bigint NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    attributes jsonb NOT NULL DEFAULT '{}'::jsonb,
    tags text[] COLLATE "C" NOT NULL DEFAULT '{}'[],
    opt_outs text[] COLLATE "C" NOT NULL DEFAULT '{}'[],
    -- The time of the newest file that names the person, as long as nothing but files does; -infinity: a file without a time.
    imported_as_of timestamptz,
    PRIMARY KEY (app_id, user_id),
    CONSTRAINT people_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT people_attributes_check CHECK (jsonb_typeof(attributes) = 'object'),
    CONSTRAINT people_attributes_size CHECK (pg_column_size(attributes) <= 16384),
    CONSTRAINT people_opt_outs_check CHECK (cardinality(opt_outs) <= 100),
    CONSTRAINT people_tags_count CHECK (cardinality(tags) <= 100),
    CONSTRAINT people_user_id_check CHECK (octet_length(user_id) >= 1 AND octet_length(user_id) <= 200)
);

-- The attributes of an app's devices and the bytes of their longest values.
CREATE TABLE known_attributes (
    app_id bigint NOT NULL,
    longest integer NOT NULL,
    name text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, name),
    CONSTRAINT known_attributes_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT known_attributes_longest_check CHECK (longest >= 0),
    CONSTRAINT known_attributes_name_check CHECK (octet_length(name) >= 1 AND octet_length(name) <= 200)
);

-- Tokens that Apple rejected in one run whose other pushes were accepted. Another such run retires their devices.
CREATE TABLE suspect_tokens (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    -- The run in which the token was rejected; or an hour of transactional pushes: minus the hours since 1970.
    run_id bigint NOT NULL,
    reported_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, device_id),
    CONSTRAINT suspect_tokens_app_id_device_id_fkey FOREIGN KEY (app_id, device_id) REFERENCES devices(app_id, id) ON DELETE CASCADE
);

-- The names of erased people and the tokens of removed devices, as digests: imports of older files leave their lines out.
CREATE TABLE erasures (
    app_id bigint NOT NULL,
    -- SHA-256 of "user:" and the user ID, of "installation:" and an installation of theirs, or of "token:" and its token.
    digest bytea NOT NULL,
    -- When it was erased last: a file that is newer may name the person again.
    erased_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, digest),
    CONSTRAINT erasures_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT erasures_digest_check CHECK (octet_length(digest) = 32)
);

-- When a device was last seen, at most one write per device and day; and its present profile.
CREATE TABLE device_activity (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    last_seen_at timestamptz NOT NULL,
    -- device_past has what held before.
    profile_since timestamptz NOT NULL DEFAULT '-infinity'::timestamptz,
    profile integer NOT NULL DEFAULT 0,
    -- When the app sent its newest statement about the device, by the clock of the device; null: it never said.
    sent_at timestamptz,
    -- The same for its newest statement about opt-outs.
    opt_outs_sent_at timestamptz,
    -- The same for its newest statement about user and token: a registration, a login, a logout, a removal.
    user_sent_at timestamptz,
    -- The topics whose opt-outs such statements have removed: an older opt-out that arrives late adds the others. Null: all.
    consented text[] DEFAULT '{}'[],
    PRIMARY KEY (app_id, device_id)
) WITH (fillfactor=80);

-- The profiles and users that devices had until they changed.
CREATE TABLE device_past (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    until timestamptz NOT NULL,
    profile integer NOT NULL,
    -- Null: no user, or one who was erased.
    user_id text COLLATE "C",
    PRIMARY KEY (app_id, device_id, until)
);
CREATE INDEX device_past_user ON device_past (app_id, user_id) WHERE (user_id IS NOT NULL);

-- The tags that statistics tell apart: the first 30 of an app.
CREATE TABLE counted_tags (
    app_id bigint NOT NULL,
    -- The bit of profiles.tag_bits.
    bit smallint NOT NULL,
    tag text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, "bit"),
    CONSTRAINT counted_tags_app_id_tag_key UNIQUE (app_id, tag),
    CONSTRAINT counted_tags_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT counted_tags_bit_check CHECK ("bit" >= 0 AND "bit" <= 29)
);

-- Each combination of locale, versions and counted tags that a device of the app has or had. Empty texts: not known.
CREATE TABLE profiles (
    app_id bigint NOT NULL,
    -- Counts from 1. 0 elsewhere: no profile is known.
    code integer NOT NULL,
    tag_bits integer NOT NULL,
    locale text COLLATE "C" NOT NULL,
    os_version text COLLATE "C" NOT NULL,
    app_version text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, code),
    CONSTRAINT profiles_app_id_locale_os_version_app_version_tag_bits_key UNIQUE (app_id, locale, os_version, app_version, tag_bits),
    CONSTRAINT profiles_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT profiles_code_check CHECK (code >= 1 AND code <= 16777215)
);

-- Images, sounds and videos for notifications.
CREATE TABLE media (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    size bigint,
    -- Random bytes in the URL: whoever has the URL can fetch the file.
    capability bytea NOT NULL,
    hash bytea,
    name text NOT NULL,
    type text,
    storage text NOT NULL,
    external_url text,
    PRIMARY KEY (app_id, id),
    CONSTRAINT media_app_id_external_url_key UNIQUE (app_id, external_url),
    CONSTRAINT media_app_id_hash_key UNIQUE (app_id, hash),
    CONSTRAINT media_capability_key UNIQUE (capability),
    CONSTRAINT media_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT media_capability_check CHECK (octet_length(capability) = 16),
    CONSTRAINT media_check CHECK (storage = 'external' OR type IS NOT NULL AND size IS NOT NULL),
    CONSTRAINT media_check1 CHECK ((storage = 'external') = (external_url IS NOT NULL) AND (storage = 'external') = (hash IS NULL)),
    CONSTRAINT media_external_url_check CHECK (octet_length(external_url) <= 2000),
    CONSTRAINT media_hash_check CHECK (octet_length(hash) = 32),
    CONSTRAINT media_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 200),
    CONSTRAINT media_size_check CHECK (size >= 0),
    CONSTRAINT media_storage_check CHECK (storage = ANY (ARRAY['database', 'directory', 'external'])),
    CONSTRAINT media_type_check CHECK (char_length(type) >= 1 AND char_length(type) <= 100)
);

-- The content of media stored in the database, in pieces of 1 MiB.
CREATE TABLE media_pieces (
    app_id bigint NOT NULL,
    media_id bigint NOT NULL,
    index integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (app_id, media_id, index),
    CONSTRAINT media_pieces_app_id_media_id_fkey FOREIGN KEY (app_id, media_id) REFERENCES media(app_id, id) ON DELETE CASCADE,
    CONSTRAINT media_pieces_place_check CHECK (index >= 0)
);

-- Notification categories with their actions.
CREATE TABLE categories (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL DEFAULT 1,
    identifier text COLLATE "C" NOT NULL,
    definition json NOT NULL,
    archived_at timestamptz,
    PRIMARY KEY (app_id, id),
    CONSTRAINT categories_app_id_identifier_key UNIQUE (app_id, identifier),
    CONSTRAINT categories_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT categories_definition_check CHECK (json_typeof(definition) = 'object'),
    CONSTRAINT categories_identifier_check CHECK (octet_length(identifier) >= 1 AND octet_length(identifier) <= 128)
);

-- Content with variants per locale. Each edit adds a row to template_versions.
CREATE TABLE templates (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    archived_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    name text NOT NULL,
    PRIMARY KEY (app_id, id),
    CONSTRAINT templates_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT templates_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 200)
);

-- Versions of templates, never changed.
CREATE TABLE template_versions (
    app_id bigint NOT NULL,
    template_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL,
    content json NOT NULL,
    media_id bigint GENERATED ALWAYS AS (…) STORED,
    PRIMARY KEY (app_id, template_id, version),
    CONSTRAINT template_versions_app_id_template_id_fkey FOREIGN KEY (app_id, template_id) REFERENCES templates(app_id, id) ON DELETE CASCADE,
    CONSTRAINT template_versions_media_fkey FOREIGN KEY (app_id, media_id) REFERENCES media(app_id, id),
    CONSTRAINT template_versions_content_check CHECK (json_typeof(content) = 'object'),
    CONSTRAINT template_versions_version_check CHECK (version > 0)
);
CREATE INDEX template_versions_media ON template_versions (app_id, media_id) WHERE (media_id IS NOT NULL);

-- Local notifications that an app fetches and schedules itself.
CREATE TABLE local_plans (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    archived_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    name text NOT NULL,
    plan json NOT NULL,
    PRIMARY KEY (app_id, id),
    CONSTRAINT local_plans_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT local_plans_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 200),
    CONSTRAINT local_plans_plan_check CHECK (json_typeof(plan) = 'object')
);
CREATE INDEX local_plans_current ON local_plans (app_id, id) WHERE (archived_at IS NULL);

-- Named parts of an audience, evaluated when a campaign is sent.
CREATE TABLE segments (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    archived_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    name text NOT NULL,
    audience json NOT NULL,
    PRIMARY KEY (app_id, id),
    CONSTRAINT segments_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT segments_audience_check CHECK (json_typeof(audience) = 'object'),
    CONSTRAINT segments_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 200)
);

-- Campaigns as people edit them.
CREATE TABLE campaigns (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    -- While scheduled: when the campaign is examined next, to start it or plan it.
    next_check_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    -- The number of its runs. A campaign that is sending and has none is started next.
    runs_started integer NOT NULL DEFAULT 0,
    -- How long a push is worth delivering; 0: one attempt, not stored by Apple.
    expiration_seconds integer NOT NULL DEFAULT 86400,
    -- How late a missed occurrence may start without asking.
    grace_seconds integer NOT NULL DEFAULT 1800,
    priority smallint NOT NULL DEFAULT 10,
    state text NOT NULL DEFAULT 'draft',
    name text NOT NULL,
    push_type text NOT NULL DEFAULT 'alert',
    -- Null: Belfry sets one per run, so that a push that is sent again replaces the first.
    collapse_id text,
    -- Whether pushes with an unknown outcome are sent again, once.
    unknown_policy text NOT NULL DEFAULT 'resend',
    -- A payload that is sent unchanged.
    payload json,
    -- The campaign's own text, with languages and Liquid: {"payload": …, "variants": {"ja": …}, "media": …}.
    content json,
    -- The contents of an A/B test: [{"name": …, "content": …}], or with a payload or a template in place of the content. Null: there is one content.
    variants json,
    -- The weights of the variants in thousandths, and after them those of each change since the first run: [[500, 500], [800, 200]].
    variant_weights json,
    -- Why the campaign is paused or failed, or why an occurrence was skipped.
    reason text,
    -- The same as a key and arguments, which pages translate: {"key": "…{}…", "arguments": […]}.
    reason_localization jsonb,
    template_id bigint,
    template_version integer,
    -- Draws who gets which variant.
    salt bigint NOT NULL DEFAULT hashtextextended(gen_random_uuid()::text, 0::bigint),
    topic text COLLATE "C",
    pushes_per_second integer,
    -- Rejections per 100 answers that pause the run; null: no threshold.
    rejection_threshold_percent smallint DEFAULT 50,
    archived_at timestamptz,
    -- Occurrences of the schedule up to this time were started or skipped.
    handled_until timestamptz,
    -- Words by which people find it.
    tags text[] COLLATE "C" NOT NULL DEFAULT '{}'[],
    -- Those of this campaign, as in apps. Null: those of the app.
    quiet_hours json,
    -- With frequency_cap_days the cap of this campaign. Null: that of the app.
    frequency_cap_count smallint,
    frequency_cap_days smallint,
    ignores_quiet_hours boolean NOT NULL DEFAULT false,
    ignores_frequency_cap boolean NOT NULL DEFAULT false,
    ignores_global_control boolean NOT NULL DEFAULT false,
    -- By what an A/B test is decided. Event: the custom event goal_event_name; value: the sum of its values.
    goal text NOT NULL DEFAULT 'engaged',
    goal_event_name text COLLATE "C",
    -- The part of the audience that is tested, and how the variant of the rest is found: {"share": 200, "decision": "automatic", …}. Null: all are tested.
    winner json,
    -- The part of the recipients, in thousandths, who get nothing, so that the effect of the campaign can be seen.
    control_share smallint,
    missed_policy text NOT NULL DEFAULT 'ask',
    schedule json,
    audience json NOT NULL DEFAULT '{}'::json,
    -- When the schedule was paused; null: it is not.
    schedule_paused_at timestamptz,
    -- When a start by hand takes effect; null: no start is delayed.
    starts_at timestamptz,
    PRIMARY KEY (app_id, id),
    CONSTRAINT campaigns_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT campaigns_app_id_template_id_template_version_fkey FOREIGN KEY (app_id, template_id, template_version) REFERENCES template_versions(app_id, template_id, version),
    CONSTRAINT campaigns_app_id_topic_fkey FOREIGN KEY (app_id, topic) REFERENCES topics(app_id, key),
    CONSTRAINT campaigns_audience_check CHECK (json_typeof(audience) = 'object'),
    CONSTRAINT campaigns_collapse_id_check CHECK (octet_length(collapse_id) >= 1 AND octet_length(collapse_id) <= 64),
    CONSTRAINT campaigns_content CHECK (num_nonnulls(payload, content, template_id, variants) = 1),
    CONSTRAINT campaigns_content_check CHECK (json_typeof(content) = 'object'),
    CONSTRAINT campaigns_control_by_an_event CHECK (control_share IS NULL OR (goal = ANY (ARRAY['event', 'value']))),
    CONSTRAINT campaigns_control_share_check CHECK (control_share >= 10 AND control_share <= 500),
    CONSTRAINT campaigns_delayed_start CHECK (starts_at IS NULL OR state = 'scheduled' AND next_check_at IS NOT NULL),
    CONSTRAINT campaigns_expiration_seconds_check CHECK (expiration_seconds >= 0 AND expiration_seconds <= 2592000),
    CONSTRAINT campaigns_frequency_cap CHECK ((num_nonnulls(frequency_cap_count, frequency_cap_days) = ANY (ARRAY[0, 2])) AND (frequency_cap_count IS NULL OR NOT ignores_frequency_cap)),
    CONSTRAINT campaigns_frequency_cap_count_check CHECK (frequency_cap_count >= 1 AND frequency_cap_count <= 100),
    CONSTRAINT campaigns_frequency_cap_days_check CHECK (frequency_cap_days >= 1 AND frequency_cap_days <= 90),
    CONSTRAINT campaigns_goal CHECK ((goal = ANY (ARRAY['event', 'value'])) = (goal_event_name IS NOT NULL)),
    CONSTRAINT campaigns_goal_check CHECK (goal = ANY (ARRAY['opened', 'engaged', 'event', 'value'])),
    CONSTRAINT campaigns_goal_event_name_check CHECK (octet_length(goal_event_name) >= 1 AND octet_length(goal_event_name) <= 400),
    CONSTRAINT campaigns_grace_seconds_check CHECK (grace_seconds >= 0),
    CONSTRAINT campaigns_missed_policy_check CHECK (missed_policy = ANY (ARRAY['skip', 'send', 'ask'])),
    CONSTRAINT campaigns_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 200),
    CONSTRAINT campaigns_paused_schedule CHECK (schedule_paused_at IS NULL OR state = 'scheduled'),
    CONSTRAINT campaigns_priority_check CHECK (priority = ANY (ARRAY[1, 5, 10])),
    CONSTRAINT campaigns_pushes_per_second_check CHECK (pushes_per_second >= 1 AND pushes_per_second <= 1000000),
    CONSTRAINT campaigns_quiet_hours CHECK (quiet_hours IS NULL OR NOT ignores_quiet_hours),
    CONSTRAINT campaigns_quiet_hours_check CHECK (json_typeof(quiet_hours) = 'object'),
    CONSTRAINT campaigns_rejection_threshold_percent_check CHECK (rejection_threshold_percent >= 1 AND rejection_threshold_percent <= 100),
    CONSTRAINT campaigns_schedule_check CHECK (json_typeof(schedule) = 'object'),
    CONSTRAINT campaigns_scheduled CHECK (state <> 'scheduled' OR starts_at IS NOT NULL OR schedule IS NOT NULL AND handled_until IS NOT NULL AND (next_check_at IS NOT NULL OR (schedule ->> 'kind') = 'triggered' OR schedule_paused_at IS NOT NULL)),
    CONSTRAINT campaigns_state_check CHECK (state = ANY (ARRAY['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed'])),
    CONSTRAINT campaigns_tags_check CHECK (cardinality(tags) <= 20),
    CONSTRAINT campaigns_template_version CHECK ((template_id IS NULL) = (template_version IS NULL)),
    CONSTRAINT campaigns_unknown_policy_check CHECK (unknown_policy = ANY (ARRAY['resend', 'leave'])),
    CONSTRAINT campaigns_variant_weights CHECK ((variants IS NULL) = (variant_weights IS NULL)),
    CONSTRAINT campaigns_variant_weights_check CHECK (json_typeof(variant_weights) = 'array'),
    CONSTRAINT campaigns_variants_check CHECK (json_typeof(variants) = 'array' AND json_array_length(variants) >= 2 AND json_array_length(variants) <= 10),
    CONSTRAINT campaigns_winner_check CHECK (json_typeof(winner) = 'object'),
    CONSTRAINT campaigns_winner_of_a_test CHECK (winner IS NULL OR variants IS NOT NULL)
);
CREATE INDEX campaigns_current ON campaigns (app_id, id) WHERE (archived_at IS NULL);
CREATE INDEX campaigns_due ON campaigns (next_check_at) WHERE (state = 'scheduled');
CREATE INDEX campaigns_of_template ON campaigns (app_id, template_id) WHERE (template_id IS NOT NULL);
CREATE INDEX campaigns_of_tests ON campaigns (app_id, id) WHERE ((variants IS NOT NULL) OR ((schedule ->> 'best_time_until') IS NOT NULL));
CREATE INDEX campaigns_to_start ON campaigns (app_id, id) WHERE ((state = 'sending') AND (runs_started = 0));
CREATE INDEX campaigns_with_control ON campaigns (app_id, id) WHERE (control_share IS NOT NULL);

-- The segments and campaigns that use a segment. A used segment can't be deleted.
CREATE TABLE segment_uses (
    app_id bigint NOT NULL,
    segment_id bigint NOT NULL,
    by_segment_id bigint,
    by_campaign_id bigint,
    CONSTRAINT segment_uses_app_id_by_campaign_id_segment_id_key UNIQUE (app_id, by_campaign_id, segment_id),
    CONSTRAINT segment_uses_app_id_by_segment_id_segment_id_key UNIQUE (app_id, by_segment_id, segment_id),
    CONSTRAINT segment_uses_app_id_by_campaign_id_fkey FOREIGN KEY (app_id, by_campaign_id) REFERENCES campaigns(app_id, id) ON DELETE CASCADE,
    CONSTRAINT segment_uses_app_id_by_segment_id_fkey FOREIGN KEY (app_id, by_segment_id) REFERENCES segments(app_id, id) ON DELETE CASCADE,
    CONSTRAINT segment_uses_app_id_segment_id_fkey FOREIGN KEY (app_id, segment_id) REFERENCES segments(app_id, id),
    CONSTRAINT segment_uses_check CHECK ((by_segment_id IS NULL) <> (by_campaign_id IS NULL)),
    CONSTRAINT segment_uses_check1 CHECK (by_segment_id <> segment_id)
);
CREATE INDEX segment_uses_of ON segment_uses (app_id, segment_id);

-- The media that campaigns' own contents name now. Media in use can't be deleted.
CREATE TABLE campaign_media (
    app_id bigint NOT NULL,
    campaign_id bigint NOT NULL,
    media_id bigint NOT NULL,
    PRIMARY KEY (app_id, campaign_id, media_id),
    CONSTRAINT campaign_media_app_id_campaign_id_fkey FOREIGN KEY (app_id, campaign_id) REFERENCES campaigns(app_id, id) ON DELETE CASCADE,
    CONSTRAINT campaign_media_media_fkey FOREIGN KEY (app_id, media_id) REFERENCES media(app_id, id)
);
CREATE INDEX campaign_media_of ON campaign_media (app_id, media_id);

-- Requests to approve a campaign as it is, and what became of them.
CREATE TABLE approvals (
    app_id bigint NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    campaign_id bigint NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    -- The time of the campaign, after which nobody can approve it; null: any time.
    overdue_at timestamptz,
    decided_at timestamptz,
    -- When a change to the campaign, or a new request, made it void.
    voided_at timestamptz,
    -- The size of the audience when the approval was requested.
    recipients bigint NOT NULL,
    -- The person, or the person who created the API key. Null: a key of the console.
    requested_by bigint,
    decided_by bigint,
    -- The name of the person or the key.
    requester text NOT NULL,
    decider text,
    state text NOT NULL DEFAULT 'waiting',
    comment text NOT NULL,
    decision_comment text,
    -- The approved content, audience, schedule and options as in the API, and the audience with its segments resolved.
    content json NOT NULL,
    PRIMARY KEY (app_id, id),
    CONSTRAINT approvals_app_id_campaign_id_fkey FOREIGN KEY (app_id, campaign_id) REFERENCES campaigns(app_id, id) ON DELETE CASCADE,
    CONSTRAINT approvals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id) ON DELETE SET NULL,
    CONSTRAINT approvals_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id) ON DELETE SET NULL,
    CONSTRAINT approvals_are_decided_by_another CHECK (state <> 'approved' OR decided_by IS DISTINCT FROM requested_by OR decided_by IS NULL),
    CONSTRAINT approvals_comment_check CHECK (char_length(comment) <= 1000),
    CONSTRAINT approvals_decided CHECK (
CASE state
    WHEN 'waiting' THEN decided_at IS NULL
    WHEN 'void' THEN voided_at IS NOT NULL
    ELSE decided_at IS NOT NULL AND decider IS NOT NULL
END),
    CONSTRAINT approvals_decision_comment_check CHECK (char_length(decision_comment) <= 1000),
    CONSTRAINT approvals_recipients_check CHECK (recipients >= 0),
    CONSTRAINT approvals_state_check CHECK (state = ANY (ARRAY['waiting', 'approved', 'rejected', 'withdrawn', 'void']))
);
CREATE UNIQUE INDEX approvals_in_force ON approvals (app_id, campaign_id) WHERE (state = ANY (ARRAY['waiting', 'approved']));
CREATE INDEX approvals_of_campaign ON approvals (app_id, campaign_id, id);
CREATE INDEX approvals_waiting ON approvals (app_id, id) WHERE (state = 'waiting');

-- Periods in which a part of an app's people get no campaigns, and what came of it.
CREATE TABLE control_periods (
    app_id bigint NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    starts_at timestamptz NOT NULL DEFAULT now(),
    ends_at timestamptz NOT NULL,
    counted_at timestamptz,
    -- Null: the count is final.
    count_next_at timestamptz,
    treated bigint NOT NULL DEFAULT 0,
    treated_converted bigint NOT NULL DEFAULT 0,
    control bigint NOT NULL DEFAULT 0,
    control_converted bigint NOT NULL DEFAULT 0,
    -- The control group has the people whose digit (0 to 999) is in the range that begins here and has share digits.
    first_digit smallint NOT NULL,
    share smallint NOT NULL,
    event_name text NOT NULL,
    PRIMARY KEY (app_id, id),
    CONSTRAINT control_periods_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT control_periods_are_parts CHECK (treated_converted >= 0 AND treated_converted <= treated AND control_converted >= 0 AND control_converted <= control),
    CONSTRAINT control_periods_end CHECK (ends_at >= starts_at),
    CONSTRAINT control_periods_first_digit_check CHECK (first_digit >= 0 AND first_digit <= 999),
    CONSTRAINT control_periods_share_check CHECK (share >= 10 AND share <= 200)
);
CREATE INDEX control_periods_due ON control_periods (count_next_at) WHERE (count_next_at IS NOT NULL);

-- One sending of a campaign, with content and options frozen when it began.
CREATE TABLE runs (
    app_id bigint NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    campaign_id bigint NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    -- When the last recipient was planned.
    planned_at timestamptz,
    finished_at timestamptz,
    -- When the recount of the outcome bytes agreed with the counters.
    verified_at timestamptz,
    expires_at timestamptz NOT NULL,
    -- Devices registered later are not in the run.
    device_ceiling bigint NOT NULL,
    -- The last device id that was scanned.
    plan_cursor bigint NOT NULL DEFAULT 0,
    plan_lease_until timestamptz,
    planner uuid,
    -- The estimated number of recipients when the run began.
    estimated bigint NOT NULL,
    -- This and the terms after it: the recount, null until the run has finished.
    targeted bigint,
    accepted bigint,
    rejected bigint,
    suppressed bigint,
    expired bigint,
    cancelled bigint,
    unknown bigint,
    expiration_seconds integer NOT NULL,
    message_key_version smallint NOT NULL,
    priority smallint NOT NULL,
    state text NOT NULL DEFAULT 'sending',
    push_type text NOT NULL,
    collapse_id text,
    unknown_policy text NOT NULL,
    reason text,
    -- The same as a key and arguments, which pages translate: {"key": "…{}…", "arguments": […]}.
    reason_localization jsonb,
    topic text COLLATE "C",
    -- Null until planning begins.
    destination text,
    message_id_key text NOT NULL,
    default_locale text NOT NULL,
    default_time_zone text NOT NULL,
    attachment_url_key text NOT NULL,
    attachment_type_key text,
    pushes_per_second integer,
    rejection_threshold_percent smallint,
    -- The occurrence of the schedule: {"kind": "at", …} or {"kind": "local", …}.
    occurrence json,
    quiet_hours json,
    frequency_cap_count smallint,
    frequency_cap_days smallint,
    -- The audience with its segments resolved.
    audience json NOT NULL,
    -- The idempotency key of the request that triggered the run.
    trigger_key text COLLATE "C",
    trigger_body_hash bytea,
    -- Raised when a person or the dispatcher pauses, resumes, cancels or changes the run.
    version integer NOT NULL DEFAULT 1,
    salt bigint NOT NULL DEFAULT 0,
    -- The variant of each of 1,000 buckets, into which people fall by a hash with the salt. Null: there is one variant.
    variant_map bytea,
    -- The part of the recipients who are in the control group, in thousandths. Null: there is none.
    control_share smallint,
    -- The part of the recipients who are tested, in thousandths; the rest waits for test_decisions. Null: all are tested.
    test_share smallint,
    -- Whose people get nothing. Null: the campaign reaches everybody.
    control_period bigint,
    -- Values of the API call that triggered the run; in its content they replace attributes with the same names. Null: none.
    values jsonb,
    -- When the lists of its recipients were deleted; null: they are there.
    recipients_deleted_at timestamptz,
    -- The generation of the database in which the run began, or was resumed.
    generation bigint NOT NULL DEFAULT present_generation(),
    -- The number of recipients planned so far, raised with plan_cursor.
    planned_total bigint NOT NULL DEFAULT 0,
    -- How often recipients were moved to a later batch. They are in the other terms, too.
    deferred bigint,
    -- The number of recipients who were unknown and were sent to again.
    resent bigint,
    -- The sender of the request that triggered the run: an API key or a person.
    trigger_owner text COLLATE "C",
    -- The zone of the schedule's clock, by which conditions about days mean today; null: default_time_zone.
    schedule_time_zone text,
    -- The variants are groups with the same content: 0 each at its best time, 1 all at the same hour, 2 at any hour.
    tests_times boolean NOT NULL DEFAULT false,
    PRIMARY KEY (app_id, id),
    CONSTRAINT runs_app_id_campaign_id_fkey FOREIGN KEY (app_id, campaign_id) REFERENCES campaigns(app_id, id) ON DELETE CASCADE,
    CONSTRAINT runs_app_id_control_period_fkey FOREIGN KEY (app_id, control_period) REFERENCES control_periods(app_id, id),
    CONSTRAINT runs_check CHECK ((state = 'finished') = (finished_at IS NOT NULL) OR state = 'cancelled'),
    CONSTRAINT runs_check1 CHECK (verified_at IS NULL OR targeted = (accepted + rejected + suppressed + expired + cancelled + unknown)),
    CONSTRAINT runs_control_share_check CHECK (control_share >= 10 AND control_share <= 500),
    CONSTRAINT runs_destination_check CHECK (destination = ANY (ARRAY['apple', 'simulator'])),
    CONSTRAINT runs_planned_total_check CHECK (planned_total >= 0),
    CONSTRAINT runs_pushes_per_second_check CHECK (pushes_per_second >= 1 AND pushes_per_second <= 1000000),
    CONSTRAINT runs_rejection_threshold_percent_check CHECK (rejection_threshold_percent >= 1 AND rejection_threshold_percent <= 100),
    CONSTRAINT runs_state_check CHECK (state = ANY (ARRAY['sending', 'paused', 'cancelled', 'finished'])),
    CONSTRAINT runs_test_a_share_of_variants CHECK (test_share IS NULL OR variant_map IS NOT NULL),
    CONSTRAINT runs_test_share_check CHECK (test_share >= 10 AND test_share <= 900),
    CONSTRAINT runs_test_times_at_the_best_time CHECK (NOT tests_times OR variant_map IS NOT NULL AND (occurrence ->> 'best_time_until') IS NOT NULL),
    CONSTRAINT runs_trigger_body_hash_check CHECK (octet_length(trigger_body_hash) = 32),
    CONSTRAINT runs_trigger_key_check CHECK (octet_length(trigger_key) >= 1 AND octet_length(trigger_key) <= 255),
    CONSTRAINT runs_trigger_key_has_its_body CHECK ((trigger_key IS NULL) = (trigger_body_hash IS NULL)),
    CONSTRAINT runs_trigger_key_has_its_owner CHECK ((trigger_key IS NULL) = (trigger_owner IS NULL)),
    CONSTRAINT runs_trigger_owner_check CHECK (trigger_owner ~ '^(key|user):[0-9]+$'),
    CONSTRAINT runs_unknown_policy_check CHECK (unknown_policy = ANY (ARRAY['resend', 'leave'])),
    CONSTRAINT runs_values_are_an_object CHECK (jsonb_typeof("values") = 'object' AND pg_column_size("values") <= 16384),
    CONSTRAINT runs_variant_map_check CHECK (octet_length(variant_map) = 1000),
    CONSTRAINT runs_verified_with_all_totals CHECK (verified_at IS NULL OR deferred IS NOT NULL AND resent IS NOT NULL)
);
CREATE INDEX runs_finished ON runs (app_id, finished_at) WHERE ((finished_at IS NOT NULL) AND (recipients_deleted_at IS NULL));
CREATE INDEX runs_of_campaign ON runs (campaign_id, app_id, id);
CREATE INDEX runs_of_control_period ON runs (app_id, control_period) WHERE (control_period IS NOT NULL);
CREATE INDEX runs_open ON runs (id) WHERE (finished_at IS NULL);
CREATE INDEX runs_started ON runs (started_at, app_id) INCLUDE (id);
CREATE UNIQUE INDEX runs_trigger_key ON runs (campaign_id, app_id, trigger_owner, trigger_key) WHERE (trigger_key IS NOT NULL);

-- The contents of runs, frozen when they began. A run without an A/B test has one variant.
CREATE TABLE run_variants (
    app_id bigint NOT NULL,
    run_id bigint NOT NULL,
    -- Part of each message ID of the variant.
    message_number bigint NOT NULL DEFAULT nextval('message_numbers'::regclass),
    template_id bigint,
    template_version integer,
    -- Its place in the campaign, from 0.
    variant smallint NOT NULL,
    name text NOT NULL,
    payload json,
    content json,
    media_id bigint GENERATED ALWAYS AS (…) STORED,
    PRIMARY KEY (app_id, run_id, variant),
    CONSTRAINT run_variants_message_number_app_id_key UNIQUE (message_number, app_id),
    CONSTRAINT run_variants_app_id_run_id_fkey FOREIGN KEY (app_id, run_id) REFERENCES runs(app_id, id) ON DELETE CASCADE,
    CONSTRAINT run_variants_app_id_template_id_template_version_fkey FOREIGN KEY (app_id, template_id, template_version) REFERENCES template_versions(app_id, template_id, version),
    CONSTRAINT run_variants_media_fkey FOREIGN KEY (app_id, media_id) REFERENCES media(app_id, id),
    CONSTRAINT run_variants_content CHECK (num_nonnulls(payload, content, template_id) = 1),
    CONSTRAINT run_variants_content_check CHECK (json_typeof(content) = 'object'),
    CONSTRAINT run_variants_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 40),
    CONSTRAINT run_variants_template_version CHECK ((template_id IS NULL) = (template_version IS NULL)),
    CONSTRAINT run_variants_variant_check CHECK (variant >= 0 AND variant <= 9)
);
CREATE INDEX run_variants_media ON run_variants (app_id, media_id) WHERE (media_id IS NOT NULL);

-- Changes to the tags of everybody in an audience, with their progress.
CREATE TABLE tag_changes (
    app_id bigint NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    state text NOT NULL DEFAULT 'running',
    reason text,
    -- The same as a key and arguments, which pages translate: {"key": "…{}…", "arguments": […]}.
    reason_localization jsonb,
    audience json NOT NULL,
    -- The audience with its segments replaced by their conditions when the change was created.
    resolved_audience json NOT NULL,
    add_tags text[] COLLATE "C" NOT NULL,
    remove_tags text[] COLLATE "C" NOT NULL,
    person_add_tags text[] COLLATE "C" NOT NULL,
    person_remove_tags text[] COLLATE "C" NOT NULL,
    first_device bigint NOT NULL,
    device_ceiling bigint NOT NULL,
    -- The last device that was looked at, from first_device to device_ceiling.
    cursor bigint NOT NULL,
    devices_matched bigint NOT NULL DEFAULT 0,
    devices_changed bigint NOT NULL DEFAULT 0,
    people_changed bigint NOT NULL DEFAULT 0,
    -- Devices and people who would have had more than 100 tags.
    skipped bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, id),
    CONSTRAINT tag_changes_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT tag_changes_audience_check CHECK (json_typeof(audience) = 'object'),
    CONSTRAINT tag_changes_cursor CHECK (first_device <= cursor AND cursor <= device_ceiling),
    CONSTRAINT tag_changes_end CHECK ((state = 'running') = (finished_at IS NULL)),
    CONSTRAINT tag_changes_resolved_audience_check CHECK (json_typeof(resolved_audience) = 'object'),
    CONSTRAINT tag_changes_state_check CHECK (state = ANY (ARRAY['running', 'finished', 'cancelled', 'failed'])),
    CONSTRAINT tag_changes_tags CHECK (cardinality(((add_tags || remove_tags) || person_add_tags) || person_remove_tags) >= 1 AND cardinality(((add_tags || remove_tags) || person_add_tags) || person_remove_tags) <= 400)
);
CREATE INDEX tag_changes_running ON tag_changes (updated_at) WHERE (state = 'running');

-- The meaning of outcome bytes: see outcome_code() and outcome_is_resent().
CREATE TABLE outcome_codes (
    code smallint NOT NULL,
    kind text NOT NULL,
    -- Apple's reason word for word, or Belfry's.
    reason text NOT NULL DEFAULT '',
    PRIMARY KEY (code),
    CONSTRAINT outcome_codes_kind_reason_key UNIQUE (kind, reason),
    CONSTRAINT outcome_codes_code_check CHECK (code >= 0 AND code <= 127),
    CONSTRAINT outcome_codes_kind_check CHECK (kind = ANY (ARRAY['pending', 'accepted', 'rejected', 'suppressed', 'expired', 'cancelled', 'unknown', 'deferred']))
);

-- The ledger: up to 5,000 recipients with one outcome byte each.
CREATE TABLE batches (
    app_id bigint NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    run_id bigint,
    -- Claimed from then on.
    due_at timestamptz NOT NULL DEFAULT now(),
    lease_until timestamptz,
    first_id bigint NOT NULL,
    last_id bigint NOT NULL,
    -- The batch that these recipients were deferred from.
    deferred_from bigint,
    owner uuid,
    -- Raised by each claim: writes of an earlier owner are ignored.
    attempt integer NOT NULL DEFAULT 0,
    -- Numbers the flushes, to tell a flush whose answer was lost from one that was not stored.
    flush_seq integer NOT NULL DEFAULT 0,
    -- Recipients before this index may have been sent to. Never decreases.
    sent_through integer NOT NULL DEFAULT 0,
    size integer NOT NULL,
    pending integer NOT NULL,
    accepted integer NOT NULL DEFAULT 0,
    rejected integer NOT NULL DEFAULT 0,
    suppressed integer NOT NULL DEFAULT 0,
    expired integer NOT NULL DEFAULT 0,
    cancelled integer NOT NULL DEFAULT 0,
    unknown integer NOT NULL DEFAULT 0,
    deferred integer NOT NULL DEFAULT 0,
    -- The number of recipients who were unknown and were sent to again.
    resent integer NOT NULL DEFAULT 0,
    state text NOT NULL DEFAULT 'ready',
    -- 0 production, 1 development
    environment smallint NOT NULL,
    -- How often its recipients were deferred.
    retries smallint NOT NULL DEFAULT 0,
    variant smallint NOT NULL DEFAULT 0,
    -- One byte per recipient. Empty once they were deleted.
    outcomes bytea NOT NULL,
    -- Device ids, sorted for runs. Empty once they were deleted, see apps.recipient_days.
    recipients bigint[] NOT NULL,
    -- If not sent by then, its recipients are re-evaluated: quiet hours began, or the local time passed.
    not_after timestamptz,
    -- The device id after which the planning step began.
    planned_after bigint,
    -- Tokens that one environment did not know, tried in the other.
    is_environment_probe boolean NOT NULL DEFAULT false,
    -- Its recipients are not in the A/B test: they wait for its decision, and get the variant that it names.
    is_rest boolean NOT NULL DEFAULT false,
    -- For transactional pushes; batches of runs use that of the variant.
    message_number bigint,
    message_key_version smallint,
    -- When the last outcome was stored; null before.
    ended_at timestamptz,
    -- The codes of the recipients' profiles at the start of the run: one to three bytes each, the highest first. Null: not known.
    profiles bytea,
    -- The reason in Apple's last answer for which recipients wait, like TooManyProviderTokenUpdates; null: none waits.
    last_answer text,
    -- When Apple gave that answer.
    last_answered_at timestamptz,
    PRIMARY KEY (app_id, id),
    CONSTRAINT batches_app_id_deferred_from_fkey FOREIGN KEY (app_id, deferred_from) REFERENCES batches(app_id, id) ON DELETE CASCADE,
    CONSTRAINT batches_app_id_run_id_variant_fkey FOREIGN KEY (app_id, run_id, variant) REFERENCES run_variants(app_id, run_id, variant) ON DELETE CASCADE,
    CONSTRAINT batches_counters_add_up CHECK ((pending + accepted + rejected + suppressed + expired + cancelled + unknown + deferred) = size),
    CONSTRAINT batches_counters_are_not_negative CHECK (LEAST(pending, accepted, rejected, suppressed, expired, cancelled, unknown, deferred, resent) >= 0),
    CONSTRAINT batches_date_the_last_answer CHECK ((last_answer IS NULL) = (last_answered_at IS NULL)),
    CONSTRAINT batches_done_has_no_pending CHECK (state <> 'done' OR pending = 0),
    CONSTRAINT batches_environment_check CHECK (environment = ANY (ARRAY[0, 1])),
    CONSTRAINT batches_have_a_profile_per_recipient CHECK (profiles IS NULL OR octet_length(profiles) = cardinality(recipients) OR octet_length(profiles) = (2 * cardinality(recipients)) OR octet_length(profiles) = (3 * cardinality(recipients))),
    CONSTRAINT batches_have_an_outcome_per_recipient CHECK (octet_length(outcomes) = cardinality(recipients) AND (cardinality(recipients) = size OR cardinality(recipients) = 0 AND state = 'done')),
    CONSTRAINT batches_leased_by_an_owner CHECK ((state = 'leased') = (owner IS NOT NULL) AND (state = 'leased') = (lease_until IS NOT NULL)),
    CONSTRAINT batches_of_a_run_or_of_pushes CHECK ((run_id IS NULL) = (message_number IS NOT NULL) AND (run_id IS NULL) = (message_key_version IS NOT NULL)),
    CONSTRAINT batches_of_pushes_are_held CHECK (run_id IS NOT NULL OR state <> 'ready' AND sent_through = size),
    CONSTRAINT batches_range_check CHECK (first_id <= last_id),
    CONSTRAINT batches_sent_through_check CHECK (sent_through >= 0 AND sent_through <= size),
    CONSTRAINT batches_size_check CHECK (size >= 1 AND size <= 5000),
    CONSTRAINT batches_state_check CHECK (state = ANY (ARRAY['waiting', 'ready', 'leased', 'done'])),
    CONSTRAINT batches_wait_for_a_decision CHECK (state <> 'waiting' OR is_rest)
) WITH (fillfactor=50);
CREATE INDEX batches_deferred_from ON batches (deferred_from, app_id) WHERE (deferred_from IS NOT NULL);
CREATE INDEX batches_leased ON batches (id) WHERE (state = 'leased');
CREATE UNIQUE INDEX batches_message ON batches (app_id, message_number) WHERE (message_number IS NOT NULL);
CREATE INDEX batches_of_pushes_ended ON batches (app_id, ended_at) WHERE ((run_id IS NULL) AND (octet_length(outcomes) > 0));
CREATE INDEX batches_of_run ON batches (run_id, app_id, id);
CREATE INDEX batches_of_run_by_range ON batches (run_id, app_id, last_id, first_id);
CREATE INDEX batches_overdue ON batches (not_after) WHERE ((state = 'ready') AND (not_after IS NOT NULL));
CREATE INDEX batches_range ON batches USING spgist (box(point((app_id)::double precision, (first_id)::double precision), point((app_id)::double precision, (last_id)::double precision))) INCLUDE (app_id, first_id, last_id, run_id, id) WHERE (run_id IS NOT NULL);
CREATE INDEX batches_ready ON batches (run_id, app_id, due_at, id) WHERE (state = 'ready');

-- Which variant the rest of the audience gets once a share was tested. A decision stays as it was taken.
CREATE TABLE test_decisions (
    app_id bigint NOT NULL,
    run_id bigint NOT NULL,
    -- When a person was asked, because no variant had won; null: nobody was.
    asked_at timestamptz,
    decided_at timestamptz,
    -- Null: Belfry, by the rule of the campaign.
    decided_by bigint,
    -- By how much a better variant would be better, on average; a share of people.
    expected_loss double precision,
    -- Null: the rest gets nothing, because nobody decided in time.
    variant smallint,
    -- Clear: one was ahead of all others with high certainty before the time was over. No answer: a person was asked and did not answer in time, so the leading variant was taken.
    reason text,
    -- The verdict at that time, as the API has it.
    finding text,
    -- The people of the variants at that time: [{"people": …, "reached": …}, …].
    counts json,
    PRIMARY KEY (app_id, run_id),
    CONSTRAINT test_decisions_app_id_run_id_fkey FOREIGN KEY (app_id, run_id) REFERENCES runs(app_id, id) ON DELETE CASCADE,
    CONSTRAINT test_decisions_app_id_run_id_variant_fkey FOREIGN KEY (app_id, run_id, variant) REFERENCES run_variants(app_id, run_id, variant),
    CONSTRAINT test_decisions_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id) ON DELETE SET NULL,
    CONSTRAINT test_decisions_name_a_variant CHECK ((variant IS NULL) = (decided_at IS NULL OR reason = 'expired')),
    CONSTRAINT test_decisions_reason_check CHECK (reason = ANY (ARRAY['winner', 'clear', 'leader', 'first', 'by_hand', 'no_answer', 'expired'])),
    CONSTRAINT test_decisions_say_why CHECK ((decided_at IS NULL) = (reason IS NULL))
);

-- When the next push of a run, or of an app (run_id 0), may be sent. Unlogged: recreated after a crash of PostgreSQL.
CREATE UNLOGGED TABLE rate_limits (
    app_id bigint NOT NULL,
    run_id bigint NOT NULL,
    next_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, run_id)
) WITH (fillfactor=10);

-- The transactional pushes to a device, by the message number of their batch.
CREATE TABLE push_recipients (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    message_number bigint NOT NULL,
    PRIMARY KEY (app_id, device_id, message_number)
) PARTITION BY RANGE (message_number);

-- Idempotency keys of transactional pushes, kept for a day.
CREATE TABLE push_keys (
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    key text COLLATE "C" NOT NULL,
    body_hash bytea NOT NULL,
    receipt bytea NOT NULL,
    -- The sender of the request: an API key or a person.
    owner text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, owner, key),
    CONSTRAINT push_keys_body_hash_check CHECK (octet_length(body_hash) = 32),
    CONSTRAINT push_keys_key_check CHECK (octet_length(key) >= 1 AND octet_length(key) <= 255),
    CONSTRAINT push_keys_owner_check CHECK (owner ~ '^(key|user):[0-9]+$')
);
CREATE INDEX push_keys_age ON push_keys (created_at);

-- The partitions of events and push_recipients: events_<first_number> and push_recipients_<first_number>.
CREATE TABLE message_ranges (
    first_number bigint NOT NULL,
    last_number bigint NOT NULL,
    -- When message numbers of this range were drawn first; null: not yet. All numbers of earlier ranges are older.
    opened_at timestamptz,
    -- Whether the partition of events exists. Without it, events of the range are refused.
    has_events boolean NOT NULL DEFAULT true,
    -- Whether the partition of push_recipients exists.
    has_recipients boolean NOT NULL DEFAULT true,
    PRIMARY KEY (first_number),
    CONSTRAINT message_ranges_last_number_key UNIQUE (last_number),
    CONSTRAINT message_ranges_check CHECK (first_number <= last_number),
    CONSTRAINT message_ranges_has_a_partition CHECK (has_events OR has_recipients)
);

-- Acknowledgements, once per message, kind and action.
CREATE TABLE events (
    app_id bigint NOT NULL,
    message_number bigint NOT NULL,
    device_id bigint NOT NULL,
    -- On the device's clock, unless is_time_corrected.
    happened_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    -- 1 delivered, 2 presented, 3 opened, 4 action, 5 dismissed, 6 text, 7 converted, 8 influenced, 9 engaged (implied by 3, 4 and 6)
    kind smallint NOT NULL,
    -- happened_at is not the device's time: the device's clock was wrong (its offset is taken into account, or the time of receipt is stored), or its time was unreadable.
    is_time_corrected boolean NOT NULL DEFAULT false,
    -- The device has not reported this delivery, but another event of the push, which proves it.
    is_implied boolean NOT NULL DEFAULT false,
    -- Identifier of the action, or name of the conversion; empty for other kinds.
    action text NOT NULL DEFAULT '',
    -- The reply that a person typed. Null once the person was erased.
    text text,
    -- The value of a conversion, in the unit that the app chose.
    value numeric(18,6),
    -- The device's profile when the push was sent; 0: not known.
    profile integer NOT NULL DEFAULT 0,
    -- From the push to its opening; null for other kinds.
    delay_seconds integer,
    PRIMARY KEY (app_id, message_number, device_id, kind, action),
    CONSTRAINT events_action_check CHECK (octet_length(action) <= 200),
    CONSTRAINT events_kind_check CHECK (kind >= 1 AND kind <= 9),
    CONSTRAINT events_text_check CHECK (octet_length(text) <= 8000 AND (text IS NULL OR kind = 6)),
    CONSTRAINT events_value_check CHECK (value IS NULL OR kind = 7)
) PARTITION BY RANGE (message_number);
CREATE INDEX events_inbox ON ONLY events (app_id, received_at, message_number, device_id, action) WHERE (text IS NOT NULL);

-- The pushes that a device replied to with a text, which may have been erased since.
CREATE TABLE device_replies (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    message_number bigint NOT NULL,
    PRIMARY KEY (app_id, device_id, message_number)
);

-- Events of local notifications, once per device and ID of the app.
CREATE TABLE local_events (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    event_id uuid NOT NULL,
    -- The plan may have been deleted since.
    plan_id bigint NOT NULL,
    -- The version that the device had scheduled.
    plan_version integer NOT NULL,
    happened_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    -- As in events: 2 presented, 3 opened, 4 action, 5 dismissed
    kind smallint NOT NULL,
    is_time_corrected boolean NOT NULL DEFAULT false,
    notification text NOT NULL,
    action text NOT NULL DEFAULT '',
    PRIMARY KEY (app_id, device_id, event_id),
    CONSTRAINT local_events_app_id_device_id_fkey FOREIGN KEY (app_id, device_id) REFERENCES devices(app_id, id) ON DELETE CASCADE,
    CONSTRAINT local_events_action_check CHECK (octet_length(action) <= 200),
    CONSTRAINT local_events_kind_check CHECK (kind >= 2 AND kind <= 5),
    CONSTRAINT local_events_notification_check CHECK (octet_length(notification) >= 1 AND octet_length(notification) <= 128)
);
CREATE INDEX local_events_received ON local_events (app_id, received_at);

-- The number of local_events, also of those that were deleted since.
CREATE TABLE local_counts (
    app_id bigint NOT NULL,
    plan_id bigint NOT NULL,
    notification text NOT NULL,
    kind smallint NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (app_id, plan_id, notification, kind),
    CONSTRAINT local_counts_app_id_plan_id_fkey FOREIGN KEY (app_id, plan_id) REFERENCES local_plans(app_id, id) ON DELETE CASCADE
);

-- The names of custom events: each event has the short id in place of its name.
CREATE TABLE custom_event_names (
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    -- When the name was deleted. The row is deleted after its events. It no longer holds the name, which can be reported again.
    deleted_at timestamptz,
    id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
    version integer NOT NULL DEFAULT 1,
    name text COLLATE "C" NOT NULL,
    -- Text that explains the event to people who select it.
    description text NOT NULL DEFAULT '',
    -- Days after a push within which an event counts as a conversion. Null: events of this name are not conversions.
    conversion_days smallint,
    PRIMARY KEY (app_id, id),
    CONSTRAINT custom_event_names_app_id_name_key UNIQUE (app_id, name),
    CONSTRAINT custom_event_names_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT custom_event_names_conversion_days_check CHECK (conversion_days >= 1 AND conversion_days <= 7),
    CONSTRAINT custom_event_names_description_check CHECK (char_length(description) <= 500),
    CONSTRAINT custom_event_names_name_check CHECK (octet_length(name) >= 1 AND octet_length(name) <= 100)
);
CREATE INDEX custom_event_names_deleted ON custom_event_names (deleted_at) WHERE (deleted_at IS NOT NULL);

-- The properties that events of a name have had.
CREATE TABLE custom_event_properties (
    app_id bigint NOT NULL,
    name_id integer NOT NULL,
    property text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, name_id, property),
    CONSTRAINT custom_event_properties_app_id_name_id_fkey FOREIGN KEY (app_id, name_id) REFERENCES custom_event_names(app_id, id) ON DELETE CASCADE,
    CONSTRAINT custom_event_properties_property_check CHECK (octet_length(property) >= 1 AND octet_length(property) <= 100)
);

-- Events that apps and servers report, once per person, name and ID, in a partition for each week of receipt: custom_events_<monday>.
CREATE TABLE custom_events (
    app_id bigint NOT NULL,
    -- The person_number of the user, or without one of the installation.
    person bigint NOT NULL,
    -- Null: a server reported it of a user.
    device_id bigint,
    happened_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    event_id uuid NOT NULL,
    -- The monday (UTC) of the week in which it was received.
    week date NOT NULL DEFAULT week_of(now()),
    name_id integer NOT NULL,
    -- As in events.
    is_time_corrected boolean NOT NULL DEFAULT false,
    -- The user of the device when the event arrived, or the one that a server named.
    user_id text COLLATE "C",
    value numeric(18,6),
    properties jsonb,
    PRIMARY KEY (app_id, name_id, person, event_id, week) INCLUDE (happened_at),
    CONSTRAINT custom_events_check CHECK (num_nonnulls(device_id, user_id) > 0),
    CONSTRAINT custom_events_user_id_check CHECK (octet_length(user_id) >= 1 AND octet_length(user_id) <= 200)
) PARTITION BY RANGE (week);

-- Events that count as conversions and are not attributed to a push yet.
CREATE TABLE conversion_queue (
    app_id bigint NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    person bigint NOT NULL,
    device_id bigint,
    happened_at timestamptz NOT NULL,
    queued_at timestamptz NOT NULL DEFAULT now(),
    name_id integer NOT NULL,
    user_id text COLLATE "C",
    value numeric(18,6),
    PRIMARY KEY (app_id, id)
);

-- Custom events that pushes of campaigns led to: each event counts for one push at most.
CREATE TABLE conversions (
    app_id bigint NOT NULL,
    message_number bigint NOT NULL,
    -- The person engaged with this push last, and then had the event.
    direct bigint NOT NULL,
    -- The person was sent this push last and had the event, without having engaged with a push.
    influenced bigint NOT NULL,
    name_id integer NOT NULL,
    -- The sum of the values of these events.
    direct_amount numeric NOT NULL,
    influenced_amount numeric NOT NULL,
    PRIMARY KEY (app_id, message_number, name_id),
    CONSTRAINT conversions_app_id_name_id_fkey FOREIGN KEY (app_id, name_id) REFERENCES custom_event_names(app_id, id) ON DELETE CASCADE
);

-- Counts of custom events by the quarter of an hour in which they happened, also of those that were deleted since. A count is the sum over shards, as in app_quarters.
CREATE TABLE custom_event_quarters (
    app_id bigint NOT NULL,
    quarter timestamptz NOT NULL,
    count bigint NOT NULL,
    name_id integer NOT NULL,
    shard smallint NOT NULL,
    -- The sum of the values.
    amount numeric NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, name_id, quarter, shard),
    CONSTRAINT custom_event_quarters_app_id_name_id_fkey FOREIGN KEY (app_id, name_id) REFERENCES custom_event_names(app_id, id) ON DELETE CASCADE
) WITH (fillfactor=70);

-- Counts of what happened to the pushes of a run, by minute (UTC).
CREATE TABLE run_minutes (
    app_id bigint NOT NULL,
    message_number bigint NOT NULL,
    minute timestamptz NOT NULL,
    count bigint NOT NULL,
    measure smallint NOT NULL,
    shard smallint NOT NULL,
    -- The sum of the values of conversions.
    amount numeric NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, message_number, measure, minute, shard),
    CONSTRAINT run_minutes_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE
) WITH (fillfactor=70);

-- Counts by quarter of an hour, the largest unit that the hours of all time zones consist of.
CREATE TABLE app_quarters (
    app_id bigint NOT NULL,
    quarter timestamptz NOT NULL,
    -- 0 for transactional pushes and refused events.
    campaign_id bigint NOT NULL,
    count bigint NOT NULL,
    -- The sum of the values of conversions.
    amount numeric NOT NULL DEFAULT 0,
    measure smallint NOT NULL,
    shard smallint NOT NULL,
    PRIMARY KEY (app_id, measure, quarter, campaign_id, shard),
    CONSTRAINT app_quarters_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE
) WITH (fillfactor=70);

-- Outcomes and events of the pushes that were sent on a day (UTC), in total and by their properties.
CREATE TABLE message_totals (
    app_id bigint NOT NULL,
    -- Of a variant of a run; 0 for all transactional pushes of the day.
    message_number bigint NOT NULL,
    -- 0 for transactional pushes.
    campaign_id bigint NOT NULL,
    count bigint NOT NULL,
    amount numeric NOT NULL DEFAULT 0,
    sent_on date NOT NULL,
    -- 0 the total; 1 locale, 2 version of iOS, 3 version of the app, 4 tag, as they were when the push was sent; 5 action or conversion; 6 reason; 7 seconds from the push to the opening, rounded down to a step
    dimension smallint NOT NULL,
    measure smallint NOT NULL,
    -- 0 for merged rows, which day_totals includes.
    shard smallint NOT NULL,
    -- Of the dimension; empty for totals, and for what is not known.
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, dimension, measure, sent_on, message_number, value, shard),
    CONSTRAINT message_totals_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX message_totals_unmerged ON message_totals (app_id, dimension, measure, sent_on) WHERE (shard > 0);

-- Pushes of campaigns and their openings by hour, for ranges of devices.
CREATE TABLE response_hours (
    app_id bigint NOT NULL,
    first_id bigint NOT NULL,
    last_id bigint NOT NULL,
    counted_until timestamptz NOT NULL,
    -- Of all devices of the range: pushes by the hour at which they were due, and for each of these, openings by hour. ResponsesOfPeople has the form.
    response bytea NOT NULL DEFAULT '\x'::bytea,
    -- How well each degree of caution has foretold openings, as logarithms of likelihoods.
    evidence double precision[] NOT NULL DEFAULT '{}'::double precision[],
    -- The same numbers for each device that has opened pushes.
    people bytea NOT NULL DEFAULT '\x'::bytea,
    PRIMARY KEY (app_id, first_id),
    CONSTRAINT response_hours_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT response_hours_range CHECK (first_id <= last_id)
);
CREATE INDEX response_hours_due ON response_hours (counted_until);

-- A/B tests that were sent, and when their people were counted.
CREATE TABLE test_counts (
    app_id bigint NOT NULL,
    campaign_id bigint NOT NULL,
    counted_at timestamptz NOT NULL DEFAULT now(),
    -- Null: the count is final.
    count_next_at timestamptz,
    -- When everybody's time to reach the goal has passed. Null: that is not known yet, or the campaign goes on.
    decides_at timestamptz,
    -- With a goal of values: what a person counts at most, so that a few large ones do not hide a difference. Fixed by the first count that can. Null: not yet.
    value_cap double precision,
    PRIMARY KEY (app_id, campaign_id),
    CONSTRAINT test_counts_app_id_campaign_id_fkey FOREIGN KEY (app_id, campaign_id) REFERENCES campaigns(app_id, id) ON DELETE CASCADE
);
CREATE INDEX test_counts_due ON test_counts (count_next_at) WHERE (count_next_at IS NOT NULL);

-- People of each variant; somebody without a user ID is an installation. Those whose bucket has changed since the newest variant was added are left out.
CREATE TABLE test_people (
    app_id bigint NOT NULL,
    campaign_id bigint NOT NULL,
    -- People who got only this variant.
    planned bigint NOT NULL,
    -- The part of planned that was sent a push, or was not because of its content.
    people bigint NOT NULL,
    -- The part of people that opened one within a day.
    opened bigint NOT NULL,
    engaged bigint NOT NULL,
    -- The part of people that had the custom event of the goal within three days.
    converted bigint NOT NULL,
    -- People who also got another variant, because they signed in between two pushes. They are not counted elsewhere.
    mixed bigint NOT NULL,
    -- The part of converted that counts as test_counts.value_cap, with a larger value.
    capped bigint NOT NULL,
    -- With a goal of values, the sum of what each of people had within three days, at most value_cap; 0 otherwise.
    amount double precision NOT NULL,
    -- The sum of the squares of the same.
    amount_squares double precision NOT NULL,
    amount_uncapped double precision NOT NULL,
    variant smallint NOT NULL,
    PRIMARY KEY (app_id, campaign_id, variant),
    CONSTRAINT test_people_app_id_campaign_id_fkey FOREIGN KEY (app_id, campaign_id) REFERENCES test_counts(app_id, campaign_id) ON DELETE CASCADE,
    CONSTRAINT test_people_are_part_of_the_planned CHECK (0 <= LEAST(opened, engaged, converted, mixed) AND GREATEST(opened, engaged, converted) <= people AND people <= planned),
    CONSTRAINT test_people_variant_check CHECK (variant >= 0 AND variant <= 9)
);

-- Conversions of campaigns with a control group: of the recipients, and of the control group.
CREATE TABLE effect_counts (
    app_id bigint NOT NULL,
    campaign_id bigint NOT NULL,
    counted_at timestamptz NOT NULL DEFAULT now(),
    -- Null: the count is final.
    count_next_at timestamptz,
    -- When everybody's time to reach the goal has passed. Null: that is not known yet, or the campaign goes on.
    decides_at timestamptz,
    -- People who were sent to, or were to be. Who got nothing for a reason that was known when the run was planned is not counted.
    treated bigint NOT NULL,
    -- The part that had the custom event of the goal within three days.
    treated_converted bigint NOT NULL,
    treated_capped bigint NOT NULL DEFAULT 0,
    control bigint NOT NULL,
    control_converted bigint NOT NULL,
    control_capped bigint NOT NULL DEFAULT 0,
    -- As in test_people, as are the others.
    treated_amount double precision NOT NULL DEFAULT 0,
    treated_amount_squares double precision NOT NULL DEFAULT 0,
    treated_amount_uncapped double precision NOT NULL DEFAULT 0,
    control_amount double precision NOT NULL DEFAULT 0,
    control_amount_squares double precision NOT NULL DEFAULT 0,
    control_amount_uncapped double precision NOT NULL DEFAULT 0,
    -- As in test_counts.
    value_cap double precision,
    PRIMARY KEY (app_id, campaign_id),
    CONSTRAINT effect_counts_app_id_campaign_id_fkey FOREIGN KEY (app_id, campaign_id) REFERENCES campaigns(app_id, id) ON DELETE CASCADE,
    CONSTRAINT effect_counts_are_parts CHECK (treated_converted >= 0 AND treated_converted <= treated AND control_converted >= 0 AND control_converted <= control)
);
CREATE INDEX effect_counts_due ON effect_counts (count_next_at) WHERE (count_next_at IS NOT NULL);

-- The sums of message_totals of the shard 0 over all messages of a day.
CREATE TABLE day_totals (
    app_id bigint NOT NULL,
    count bigint NOT NULL,
    amount numeric NOT NULL DEFAULT 0,
    sent_on date NOT NULL,
    dimension smallint NOT NULL,
    measure smallint NOT NULL,
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, dimension, measure, sent_on, value),
    CONSTRAINT day_totals_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE
);

-- Counts in the quarters of an hour of a past day (UTC). app_quarters has those that are not merged yet.
CREATE TABLE quarter_days (
    app_id bigint NOT NULL,
    -- 0 for transactional pushes and refused events, -1 for all together.
    campaign_id bigint NOT NULL,
    day date NOT NULL,
    measure smallint NOT NULL,
    counts bigint[] NOT NULL,
    -- The sums of the values of conversions; null for other measures.
    amounts numeric[],
    PRIMARY KEY (app_id, campaign_id, measure, day),
    CONSTRAINT quarter_days_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT quarter_days_amounts_check CHECK (cardinality(amounts) = 96),
    CONSTRAINT quarter_days_counts_check CHECK (cardinality(counts) = 96)
);

-- Devices by day (UTC).
CREATE TABLE device_days (
    app_id bigint NOT NULL,
    count bigint NOT NULL,
    day date NOT NULL,
    -- 1 new, 2 retired, 3 registered again, 4 active: seen on that day
    measure smallint NOT NULL,
    shard smallint NOT NULL,
    PRIMARY KEY (app_id, day, measure, shard),
    CONSTRAINT device_days_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
    CONSTRAINT device_days_measure_check CHECK (measure >= 1 AND measure <= 4)
) WITH (fillfactor=70);

-- The values of a device that make up its profile.
CREATE TYPE device_look AS (app_id bigint, device_id bigint, locale text, os_version text, app_version text, tags text[]);

-- What devices reported, once per message, kind and action. deliveries has a summary for each recipient. Filter by run_id, or by app_id and message_number.
CREATE VIEW bi.acknowledgements AS
 SELECT e.app_id,
    u.campaign_id,
    u.id AS run_id,
    e.message_number,
    v.variant,
    e.device_id,
    (COALESCE(( SELECT ARRAY[h.user_id] AS "array"
           FROM device_past h
          WHERE h.app_id = e.app_id AND h.device_id = e.device_id AND h.until > e.happened_at
          ORDER BY h.until
         LIMIT 1), ( SELECT ARRAY[d.user_id] AS "array"
           FROM devices d
          WHERE d.app_id = e.app_id AND d.id = e.device_id)))[1] AS user_id,
    (ARRAY['delivered', 'presented', 'opened', 'action', 'dismissed', 'text', 'converted', 'influenced'])[e.kind] AS kind,
    e.action,
    e.text,
    e.happened_at,
    e.is_time_corrected,
    e.received_at,
    trim_scale(e.value) AS value,
    e.is_implied
   FROM events e
     LEFT JOIN run_variants v ON v.app_id = e.app_id AND v.message_number = e.message_number
     LEFT JOIN runs u ON u.app_id = v.app_id AND u.id = v.run_id
     CROSS JOIN generate_subscripts(ARRAY[1], 1) generate_subscripts(generate_subscripts)
  WHERE e.kind < 9 AND (u.id IS NOT NULL OR (EXISTS ( SELECT
           FROM batches b
          WHERE b.app_id = e.app_id AND b.message_number = e.message_number)));

-- One row per app.
CREATE VIEW bi.apps AS
 SELECT apps.id AS app_id,
    apps.name AS app,
    apps.bundle_id,
    apps.default_locale,
    apps.default_time_zone,
    apps.created_at
   FROM apps;

-- One row per batch: recipients who were due at the same time, with the number of each outcome. run_id is null for transactional pushes.
CREATE VIEW bi.batches AS
 SELECT b.app_id,
    u.campaign_id,
    b.run_id,
    COALESCE(v.message_number, b.message_number) AS message_number,
    v.variant,
    b.id AS batch_id,
    (ARRAY['production', 'development'])[b.environment + 1] AS environment,
    b.state,
    b.due_at,
    b.ended_at,
    b.deferred_from,
    b.retries,
    b.size,
    b.pending,
    b.accepted,
    b.rejected,
    b.suppressed,
    b.expired,
    b.cancelled,
    b.unknown,
    b.deferred,
    b.resent
   FROM batches b
     LEFT JOIN runs u ON u.app_id = b.app_id AND u.id = b.run_id
     LEFT JOIN run_variants v ON v.app_id = b.app_id AND v.run_id = b.run_id AND v.variant = b.variant;

-- Outcomes and events of the pushes that were sent on a day (UTC), in total and by a property. Filter by dimension.
CREATE VIEW bi.breakdowns AS
 SELECT t.app_id,
    NULLIF(t.campaign_id, 0) AS campaign_id,
    v.run_id,
    v.variant,
    t.sent_on,
    (ARRAY['total', 'locale', 'os_version', 'app_version', 'tag', 'action', 'reason', 'delay'])[t.dimension + 1] AS dimension,
    t.value,
    measure_name(t.measure) AS measure,
    sum(t.count)::bigint AS count,
    trim_scale(sum(t.amount)) AS amount
   FROM message_totals t
     LEFT JOIN run_variants v ON v.app_id = t.app_id AND v.message_number = t.message_number
  GROUP BY t.app_id, t.campaign_id, v.run_id, v.variant, t.sent_on, t.dimension, t.value, t.measure;

-- One row per run: its ledger, and what devices reported. The terms of the ledger are null until the run has ended.
CREATE VIEW bi.campaign_funnel AS
 SELECT u.app_id,
    a.name AS app,
    u.campaign_id,
    c.name AS campaign,
    u.id AS run_id,
    u.state,
    u.reason,
    u.started_at,
    u.planned_at,
    u.expires_at,
    u.finished_at,
    u.verified_at IS NOT NULL AS is_verified,
    u.push_type,
    u.topic,
    u.audience,
    u.estimated,
    u.targeted,
    u.accepted,
    u.rejected,
    u.suppressed,
    u.expired,
    u.cancelled,
    u.unknown,
    u.deferred,
    u.resent,
    e.delivered,
    e.presented,
    e.opened,
    e.influenced,
    e.actions,
    e.dismissed,
    e.replies,
    e.engaged,
    e.conversions,
    e.conversion_value
   FROM runs u
     JOIN campaigns c ON c.app_id = u.app_id AND c.id = u.campaign_id
     JOIN apps a ON a.id = u.app_id
     CROSS JOIN LATERAL ( SELECT COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('delivered')), 0::numeric)::bigint AS delivered,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('presented')), 0::numeric)::bigint AS presented,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('opened')), 0::numeric)::bigint AS opened,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('influenced')), 0::numeric)::bigint AS influenced,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('actions')), 0::numeric)::bigint AS actions,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('dismissed')), 0::numeric)::bigint AS dismissed,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('replies')), 0::numeric)::bigint AS replies,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('engaged')), 0::numeric)::bigint AS engaged,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('conversions')), 0::numeric)::bigint AS conversions,
            COALESCE(trim_scale(sum(t.amount)), 0::numeric) AS conversion_value
           FROM message_totals t
          WHERE t.app_id = u.app_id AND t.dimension = 0 AND (t.measure = ANY (event_measures())) AND t.sent_on = (u.started_at AT TIME ZONE 'UTC')::date AND (t.message_number = ANY ((ARRAY( SELECT v.message_number
                   FROM run_variants v
                  WHERE v.app_id = u.app_id AND v.run_id = u.id))))) e;

-- One row per campaign, as it is now. What a run has sent is in campaign_funnel.
CREATE VIEW bi.campaigns AS
 SELECT c.app_id,
    a.name AS app,
    c.id AS campaign_id,
    c.name AS campaign,
    c.state,
    c.reason,
    c.push_type,
    c.topic,
    c.template_id,
    c.template_version,
    c.payload,
    c.audience,
    c.schedule,
    c.runs_started AS runs,
    c.created_at,
    c.updated_at,
    c.archived_at,
    c.content
   FROM campaigns c
     JOIN apps a ON a.id = c.app_id;

-- One row per notification category, with its actions.
CREATE VIEW bi.categories AS
 SELECT categories.app_id,
    categories.id AS category_id,
    categories.identifier,
    categories.definition,
    categories.created_at,
    categories.updated_at,
    categories.archived_at
   FROM categories;

-- Custom events that pushes of campaigns led to, by variant of a run and name. Each event counts once.
CREATE VIEW bi.conversions AS
 SELECT c.app_id,
    r.campaign_id,
    r.id AS run_id,
    m.variant,
    c.message_number,
    n.name,
    r.started_at,
    c.direct,
    c.influenced,
    c.direct_amount,
    c.influenced_amount
   FROM conversions c
     JOIN custom_event_names n ON n.app_id = c.app_id AND n.id = c.name_id AND n.deleted_at IS NULL
     JOIN run_variants m ON m.app_id = c.app_id AND m.message_number = c.message_number
     JOIN runs r ON r.app_id = m.app_id AND r.id = m.run_id;

-- The events of runs and transactional pushes. Those of test pushes are not counted.
CREATE VIEW counted_events AS
 SELECT e.app_id,
    e.message_number AS message,
    COALESCE(u.campaign_id, 0::bigint) AS campaign_id,
    COALESCE(v.message_number, 0::bigint) AS message_number,
    (COALESCE(u.started_at, b.due_at) AT TIME ZONE 'UTC')::date AS sent_on,
    date_trunc('minute', e.happened_at, 'UTC') AS minute,
    measure_of_event(e.kind) AS measure,
    e.action,
    COALESCE(e.value, 0::numeric) AS amount,
    e.delay_seconds,
    e.profile
   FROM events e
     LEFT JOIN run_variants v ON v.app_id = e.app_id AND v.message_number = e.message_number
     LEFT JOIN runs u ON u.app_id = v.app_id AND u.id = v.run_id
     LEFT JOIN batches b ON b.app_id = e.app_id AND b.message_number = e.message_number
  WHERE u.id IS NOT NULL OR b.id IS NOT NULL;

-- The outcomes of finished runs and transactional pushes, by batch, reason and profile.
CREATE VIEW counted_outcomes AS
 SELECT b.id AS batch_id,
    b.run_id,
    b.app_id,
    COALESCE(u.campaign_id, 0::bigint) AS campaign_id,
    COALESCE(v.message_number, 0::bigint) AS message_number,
    (COALESCE(u.started_at, b.due_at) AT TIME ZONE 'UTC')::date AS sent_on,
    date_trunc('minute', COALESCE(b.ended_at, b.due_at), 'UTC') AS minute,
    measure_of(c.kind) AS measure,
    c.reason,
    r.profile,
    r.count
   FROM batches b
     LEFT JOIN runs u ON u.app_id = b.app_id AND u.id = b.run_id
     LEFT JOIN run_variants v ON v.app_id = b.app_id AND v.run_id = b.run_id AND v.variant = b.variant
     CROSS JOIN LATERAL ( SELECT b.outcomes || '\x'::bytea AS outcomes,
            b.profiles || '\x'::bytea AS profiles,
            octet_length(b.profiles) / b.size AS width
         OFFSET 0) flat
     CROSS JOIN LATERAL ( SELECT outcome_code(get_byte(flat.outcomes, index.index)) AS code,
            COALESCE(profile_code(flat.profiles, flat.width, index.index), 0) AS profile,
            count(*) AS count
           FROM generate_series(0, octet_length(flat.outcomes) - 1) index(index)
          GROUP BY (outcome_code(get_byte(flat.outcomes, index.index))), (COALESCE(profile_code(flat.profiles, flat.width, index.index), 0))) r
     JOIN outcome_codes c ON c.code = r.code
  WHERE (c.kind <> ALL (ARRAY['deferred', 'pending'])) AND (u.finished_at IS NOT NULL OR b.run_id IS NULL AND b.state = 'done');

-- Custom events that apps and servers reported. Filter by app_id and name.
CREATE VIEW bi.custom_events AS
 SELECT e.app_id,
    n.name,
    e.user_id,
    e.device_id,
    e.value,
    e.properties,
    e.happened_at,
    e.is_time_corrected,
    e.received_at
   FROM custom_events e
     JOIN custom_event_names n ON n.app_id = e.app_id AND n.id = e.name_id AND n.deleted_at IS NULL;

-- One row each time that a recipient was moved to a later batch; deliveries has the recipient's last outcome. Filter by run_id.
CREATE VIEW bi.deferrals AS
 SELECT b.app_id,
    u.campaign_id,
    b.run_id,
    v.message_number,
    b.variant,
    r.device_id,
    b.due_at,
    b.id AS batch_id
   FROM batches b
     JOIN runs u ON u.app_id = b.app_id AND u.id = b.run_id
     JOIN run_variants v ON v.app_id = b.app_id AND v.run_id = b.run_id AND v.variant = b.variant
     CROSS JOIN LATERAL ( SELECT b.outcomes || '\x'::bytea AS flat
           FROM generate_subscripts(ARRAY[b.size], 1) generate_subscripts(generate_subscripts)
         OFFSET 0) f
     CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY r(device_id, number)
     JOIN outcome_codes c ON c.code = outcome_code(get_byte(f.flat, r.number::integer - 1))
  WHERE b.deferred > 0 AND c.kind = 'deferred';

-- One row per recipient of a run or transactional push, with the last outcome and what the device reported. Filter by run_id, or by app_id and message_number.
CREATE VIEW bi.deliveries AS
 SELECT b.app_id,
    b.app,
    b.campaign_id,
    b.campaign,
    b.run_id,
    b.message_number,
    b.variant,
    r.device_id,
    r.user_id,
    c.kind AS outcome,
    NULLIF(c.reason, '') AS reason,
    outcome_is_resent(r.byte) AS is_resent,
    b.deferred_from IS NOT NULL AS was_deferred,
    b.due_at,
    b.ended_at,
    r.delivered_at,
    r.opened_at,
    r.influenced_at,
    r.dismissed_at,
    r.engaged_at,
    r.engaged_at IS NOT NULL AS engaged,
    COALESCE(r.acted, false) AS acted,
    r.action,
    COALESCE(r.replied, false) AS replied,
    COALESCE(r.conversions, 0) AS conversions,
    r.value,
    p.locale,
    p.os_version,
    p.app_version,
    r.profile,
    b.template_id,
    b.template_version,
    b.id AS batch_id
   FROM ( SELECT b_1.id,
            b_1.app_id,
            a.name AS app,
            u.campaign_id,
            c_1.name AS campaign,
            b_1.run_id,
            v.message_number,
                CASE
                    WHEN b_1.state <> 'waiting' THEN b_1.variant
                    ELSE NULL::smallint
                END AS variant,
            u.started_at AS sent_at,
            v.template_id,
            v.template_version,
            b_1.due_at,
            b_1.ended_at,
            b_1.deferred_from,
            b_1.first_id,
            b_1.last_id,
            b_1.size,
            b_1.outcomes,
            b_1.profiles,
            b_1.recipients
           FROM batches b_1
             JOIN runs u ON u.app_id = b_1.app_id AND u.id = b_1.run_id
             JOIN run_variants v ON v.app_id = b_1.app_id AND v.run_id = b_1.run_id AND v.variant = b_1.variant
             JOIN campaigns c_1 ON c_1.app_id = u.app_id AND c_1.id = u.campaign_id
             JOIN apps a ON a.id = u.app_id
        UNION ALL
         SELECT b_1.id,
            b_1.app_id,
            a.name,
            NULL::bigint,
            NULL::text,
            NULL::bigint,
            b_1.message_number,
            NULL::smallint,
            b_1.due_at,
            NULL::bigint,
            NULL::integer,
            b_1.due_at,
            b_1.ended_at,
            b_1.deferred_from,
            b_1.first_id,
            b_1.last_id,
            b_1.size,
            b_1.outcomes,
            b_1.profiles,
            b_1.recipients
           FROM batches b_1
             JOIN apps a ON a.id = b_1.app_id
          WHERE b_1.run_id IS NULL) b
     CROSS JOIN LATERAL ( SELECT b.outcomes || '\x'::bytea AS outcomes,
            b.profiles || '\x'::bytea AS profiles,
            octet_length(b.profiles) / b.size AS width,
            (b.last_id - b.first_id) < (8 * b.size) AS is_dense
           FROM generate_subscripts(ARRAY[b.size], 1) generate_subscripts(generate_subscripts)
         OFFSET 0) flat
     CROSS JOIN LATERAL ( SELECT r_1.device_id,
            get_byte(flat.outcomes, r_1.number - 1) AS byte,
            COALESCE(profile_code(flat.profiles, flat.width, r_1.number - 1), 0) AS profile,
            e.delivered_at,
            e.opened_at,
            e.influenced_at,
            e.dismissed_at,
            e.engaged_at,
            e.acted,
            e.action,
            e.replied,
            e.conversions,
            e.value,
            u.user_id
           FROM ROWS FROM(unnest(b.recipients), generate_subscripts(b.recipients, 1)) r_1(device_id, number)
             FULL JOIN ( SELECT e_1.device_id,
                    min(e_1.happened_at) FILTER (WHERE e_1.kind = 1) AS delivered_at,
                    min(e_1.happened_at) FILTER (WHERE e_1.kind = 3) AS opened_at,
                    min(e_1.happened_at) FILTER (WHERE e_1.kind = 8) AS influenced_at,
                    min(e_1.happened_at) FILTER (WHERE e_1.kind = 5) AS dismissed_at,
                    min(e_1.happened_at) FILTER (WHERE e_1.kind = 9) AS engaged_at,
                    bool_or(e_1.kind = ANY (ARRAY[4, 6])) AS acted,
                    (array_agg(e_1.action ORDER BY e_1.happened_at, e_1.action) FILTER (WHERE e_1.kind = ANY (ARRAY[4, 6])))[1] AS action,
                    bool_or(e_1.kind = 6) AS replied,
                    count(*) FILTER (WHERE e_1.kind = 7)::integer AS conversions,
                    trim_scale(sum(e_1.value)) AS value
                   FROM ( SELECT e_2.device_id,
                            e_2.kind,
                            e_2.action,
                            e_2.happened_at,
                            e_2.value
                           FROM events e_2
                          WHERE e_2.app_id = b.app_id AND e_2.message_number = b.message_number AND e_2.device_id >= b.first_id AND e_2.device_id <= b.last_id AND flat.is_dense
                        UNION ALL
                         SELECT e_2.device_id,
                            e_2.kind,
                            e_2.action,
                            e_2.happened_at,
                            e_2.value
                           FROM unnest(b.recipients) i(id)
                             CROSS JOIN LATERAL ( SELECT e_3.device_id,
                                    e_3.kind,
                                    e_3.action,
                                    e_3.happened_at,
                                    e_3.value
                                   FROM events e_3
                                  WHERE e_3.app_id = b.app_id AND e_3.message_number = b.message_number AND e_3.device_id = i.id
                                 OFFSET 0) e_2
                          WHERE NOT flat.is_dense) e_1
                  GROUP BY e_1.device_id) e ON e.device_id = r_1.device_id
             FULL JOIN (( SELECT DISTINCT ON (o.device_id) o.device_id,
                    o.user_id
                   FROM ( SELECT h.device_id,
                            h.until,
                            h.user_id
                           FROM device_past h
                          WHERE h.app_id = b.app_id AND h.device_id >= b.first_id AND h.device_id <= b.last_id AND h.until > b.sent_at AND flat.is_dense
                        UNION ALL
                         SELECT d.id,
                            'infinity'::timestamptz,
                            d.user_id
                           FROM devices d
                          WHERE d.app_id = b.app_id AND d.id >= b.first_id AND d.id <= b.last_id AND flat.is_dense) o
                  ORDER BY o.device_id, o.until)
                UNION ALL
                 SELECT i.id,
                    (COALESCE(( SELECT ARRAY[h.user_id] AS "array"
                           FROM device_past h
                          WHERE h.app_id = b.app_id AND h.device_id = i.id AND h.until > b.sent_at
                          ORDER BY h.until
                         LIMIT 1), ( SELECT ARRAY[d.user_id] AS "array"
                           FROM devices d
                          WHERE d.app_id = b.app_id AND d.id = i.id)))[1] AS "coalesce"
                   FROM unnest(b.recipients) i(id)
                  WHERE NOT flat.is_dense) u ON u.device_id = r_1.device_id
         OFFSET 0) r
     JOIN outcome_codes c ON c.code = outcome_code(r.byte)
     LEFT JOIN profiles p ON p.app_id = b.app_id AND p.code = r.profile
  WHERE c.kind <> 'deferred';

-- The users and profiles that devices had until they changed.
CREATE VIEW bi.device_past AS
 SELECT device_past.app_id,
    device_past.device_id,
    device_past.until,
    device_past.user_id,
    device_past.profile
   FROM device_past;

-- One row per device, as it is now, without its token. Attributes, tags and opt-outs include those of the user.
CREATE VIEW bi.devices_current AS
 SELECT d.app_id,
    d.id AS device_id,
    ('~' || d.id) COLLATE "C" AS installation,
    (ARRAY['alert', 'voip', 'live_activity_start', 'live_activity_update', 'widget', 'control', 'complication', 'location', 'push_to_talk', 'file_provider'])[d.kind + 1] AS kind,
    d.activity,
    (ARRAY['production', 'development'])[d.environment + 1] AS environment,
    (ARRAY['not_determined', 'denied', 'authorized', 'provisional', 'ephemeral'])[d.authorization_status + 1] AS authorization_status,
    d.retired_at IS NULL AS registered,
    d.retired_at,
    (ARRAY['unregistered', 'token_expired', 'bad_token', 'token_moved', 'removed'])[d.retired_reason] AS retired_reason,
    d.user_id,
    d.locale,
    d.time_zone,
    d.os_version,
    d.app_version,
    d.model,
    d.attributes,
    d.tags,
    d.opt_outs,
    d.is_test,
    d.nickname,
    d.created_at,
    d.updated_at,
    d.token_registered_at,
    a.last_seen_at
   FROM devices d
     LEFT JOIN device_activity a ON a.app_id = d.app_id AND a.device_id = d.id;

-- Devices that were new, retired, registered again or active on a day (UTC).
CREATE VIEW bi.devices_daily AS
 SELECT d.app_id,
    d.day,
    COALESCE(sum(d.count) FILTER (WHERE d.measure = 1), 0::numeric)::bigint AS new,
    COALESCE(sum(d.count) FILTER (WHERE d.measure = 2), 0::numeric)::bigint AS retired,
    COALESCE(sum(d.count) FILTER (WHERE d.measure = 3), 0::numeric)::bigint AS registered_again,
    COALESCE(sum(d.count) FILTER (WHERE d.measure = 4), 0::numeric)::bigint AS active
   FROM device_days d
  GROUP BY d.app_id, d.day;

-- Counts by quarter of an hour. Sum the quarters of an hour or a day of your time zone.
CREATE VIEW bi.events_by_quarter AS
 SELECT q.app_id,
    NULLIF(q.campaign_id, 0) AS campaign_id,
    q.quarter,
    measure_name(q.measure) AS measure,
    sum(q.count)::bigint AS count,
    trim_scale(sum(q.amount)) AS amount
   FROM quarter_counts q
  GROUP BY q.app_id, q.campaign_id, q.quarter, q.measure;

-- Counts by day (UTC) and campaign.
CREATE VIEW bi.events_daily AS
 SELECT q.app_id,
    (q.quarter AT TIME ZONE 'UTC')::date AS day,
    NULLIF(q.campaign_id, 0) AS campaign_id,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('accepted')), 0::numeric)::bigint AS accepted,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('rejected')), 0::numeric)::bigint AS rejected,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('suppressed')), 0::numeric)::bigint AS suppressed,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('expired')), 0::numeric)::bigint AS expired,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('cancelled')), 0::numeric)::bigint AS cancelled,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('unknown')), 0::numeric)::bigint AS unknown,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('delivered')), 0::numeric)::bigint AS delivered,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('presented')), 0::numeric)::bigint AS presented,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('opened')), 0::numeric)::bigint AS opened,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('influenced')), 0::numeric)::bigint AS influenced,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('actions')), 0::numeric)::bigint AS actions,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('dismissed')), 0::numeric)::bigint AS dismissed,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('replies')), 0::numeric)::bigint AS replies,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('engaged')), 0::numeric)::bigint AS engaged,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = measure_of('conversions')), 0::numeric)::bigint AS conversions,
    COALESCE(trim_scale(sum(q.amount) FILTER (WHERE q.measure = measure_of('conversions'))), 0::numeric) AS conversion_value,
    COALESCE(sum(q.count) FILTER (WHERE q.measure = ANY (ARRAY[measure_of('refused_message'), measure_of('refused_before_start'), measure_of('refused_too_late')])), 0::numeric)::bigint AS refused_events
   FROM quarter_counts q
  GROUP BY q.app_id, ((q.quarter AT TIME ZONE 'UTC')::date), q.campaign_id;

-- Events of local notifications that devices reported. Filter by app_id and plan_id.
CREATE VIEW bi.local_events AS
 SELECT e.app_id,
    e.plan_id,
    p.name AS plan,
    e.plan_version,
    e.notification,
    e.device_id,
    (ARRAY['delivered', 'presented', 'opened', 'action', 'dismissed'])[e.kind] AS kind,
    e.action,
    e.happened_at,
    e.is_time_corrected,
    e.received_at
   FROM local_events e
     LEFT JOIN local_plans p ON p.app_id = e.app_id AND p.id = e.plan_id;

-- One row per user about whom something is known that holds for all of their devices.
CREATE VIEW bi.people AS
 SELECT people.app_id,
    people.user_id,
    people.attributes,
    people.tags,
    people.opt_outs,
    people.created_at,
    people.updated_at
   FROM people;

-- The value of each profile in each dimension of message_totals. Profile 0 is not known.
CREATE VIEW profile_values AS
 SELECT profiles.app_id,
    profiles.code AS profile,
    1::smallint AS dimension,
    profiles.locale AS value
   FROM profiles
UNION ALL
 SELECT profiles.app_id,
    profiles.code AS profile,
    2::smallint AS dimension,
    profiles.os_version AS value
   FROM profiles
UNION ALL
 SELECT profiles.app_id,
    profiles.code AS profile,
    3::smallint AS dimension,
    profiles.app_version AS value
   FROM profiles
UNION ALL
 SELECT p.app_id,
    p.code AS profile,
    4::smallint AS dimension,
    t.tag AS value
   FROM profiles p
     JOIN counted_tags t ON t.app_id = p.app_id AND (p.tag_bits & (1 << t."bit"::integer)) <> 0
UNION ALL
 SELECT apps.id AS app_id,
    0 AS profile,
    dimension.dimension,
    '' AS value
   FROM apps,
    unnest(ARRAY[1::smallint, 2::smallint, 3::smallint]) dimension(dimension);

-- Each combination of locale, versions and counted tags that a device of the app has or had.
CREATE VIEW bi.profiles AS
 SELECT p.app_id,
    p.code AS profile,
    p.locale,
    p.os_version,
    p.app_version,
    ARRAY( SELECT t.tag
           FROM counted_tags t
          WHERE t.app_id = p.app_id AND (p.tag_bits & (1 << t."bit"::integer)) <> 0
          ORDER BY t.tag) AS tags
   FROM profiles p;

-- All counts by quarter of an hour, merged or not.
CREATE VIEW quarter_counts AS
 SELECT app_quarters.app_id,
    app_quarters.quarter,
    app_quarters.campaign_id,
    app_quarters.measure,
    app_quarters.count,
    app_quarters.amount
   FROM app_quarters
UNION ALL
 SELECT q.app_id,
    ((q.day + (c.index - 1)::double precision * '00:15:00'::interval) AT TIME ZONE 'UTC') AS quarter,
    q.campaign_id,
    q.measure,
    c.count,
    COALESCE(q.amounts[c.index], 0::numeric) AS amount
   FROM quarter_days q
     CROSS JOIN LATERAL unnest(q.counts) WITH ORDINALITY c(count, index)
  WHERE q.campaign_id >= 0 AND c.count <> 0;

-- app_quarters, counted again from batches and events.
CREATE VIEW recounted_app_quarters AS
 SELECT facts.app_id,
    facts.measure,
    to_quarter(facts.minute) AS quarter,
    facts.campaign_id,
    sum(facts.count)::bigint AS count,
    sum(facts.amount) AS amount
   FROM ( SELECT counted_outcomes.app_id,
            counted_outcomes.measure,
            counted_outcomes.minute,
            counted_outcomes.campaign_id,
            counted_outcomes.count,
            0 AS amount
           FROM counted_outcomes
        UNION ALL
         SELECT counted_events.app_id,
            counted_events.measure,
            counted_events.minute,
            counted_events.campaign_id,
            1,
            counted_events.amount
           FROM counted_events) facts
  GROUP BY facts.app_id, facts.measure, (to_quarter(facts.minute)), facts.campaign_id;

-- message_totals, counted again from batches and events.
CREATE VIEW recounted_message_totals AS
 WITH facts AS (
         SELECT counted_outcomes.app_id,
            counted_outcomes.campaign_id,
            counted_outcomes.message_number,
            counted_outcomes.sent_on,
            counted_outcomes.measure,
            counted_outcomes.reason,
            '' AS action,
            NULL::integer AS delay,
            counted_outcomes.profile,
            counted_outcomes.count,
            0 AS amount
           FROM counted_outcomes
        UNION ALL
         SELECT counted_events.app_id,
            counted_events.campaign_id,
            counted_events.message_number,
            counted_events.sent_on,
            counted_events.measure,
            '',
            counted_events.action,
            counted_events.delay_seconds,
            counted_events.profile,
            1,
            counted_events.amount
           FROM counted_events
        )
 SELECT f.app_id,
    f.campaign_id,
    f.message_number,
    f.sent_on,
    d.dimension,
    f.measure,
    d.value,
    sum(f.count)::bigint AS count,
    sum(f.amount) AS amount
   FROM facts f
     CROSS JOIN LATERAL ( SELECT 0::smallint AS dimension,
            '' AS value
        UNION ALL
         SELECT v.dimension,
            v.value
           FROM profile_values v
          WHERE v.app_id = f.app_id AND v.profile = f.profile
        UNION ALL
         SELECT 5::smallint AS int2,
            f.action
          WHERE f.action <> ''
        UNION ALL
         SELECT 6::smallint AS int2,
            f.reason
          WHERE f.reason <> ''
        UNION ALL
         SELECT 7::smallint AS int2,
            delay_step(f.delay)::text AS delay_step
          WHERE f.delay IS NOT NULL) d
  GROUP BY f.app_id, f.campaign_id, f.message_number, f.sent_on, d.dimension, f.measure, d.value;

-- run_minutes, counted again from batches and events.
CREATE VIEW recounted_run_minutes AS
 SELECT facts.app_id,
    facts.campaign_id,
    facts.message_number,
    facts.measure,
    facts.minute,
    sum(facts.count)::bigint AS count,
    sum(facts.amount) AS amount
   FROM ( SELECT counted_outcomes.app_id,
            counted_outcomes.campaign_id,
            counted_outcomes.message_number,
            counted_outcomes.measure,
            counted_outcomes.minute,
            counted_outcomes.count,
            0 AS amount
           FROM counted_outcomes
          WHERE counted_outcomes.message_number > 0
        UNION ALL
         SELECT counted_events.app_id,
            counted_events.campaign_id,
            counted_events.message_number,
            counted_events.measure,
            counted_events.minute,
            1,
            counted_events.amount
           FROM counted_events
          WHERE counted_events.message_number > 0) facts
  GROUP BY facts.app_id, facts.campaign_id, facts.message_number, facts.measure, facts.minute;

-- One row per segment, as it is now.
CREATE VIEW bi.segments AS
 SELECT segments.app_id,
    segments.id AS segment_id,
    segments.name,
    segments.audience,
    segments.created_at,
    segments.updated_at,
    segments.archived_at
   FROM segments;

-- One row per version of a template.
CREATE VIEW bi.templates AS
 SELECT v.app_id,
    v.template_id,
    t.name,
    v.version AS template_version,
    v.content,
    v.created_at,
    t.archived_at
   FROM template_versions v
     JOIN templates t ON t.app_id = v.app_id AND t.id = v.template_id;

-- One row per topic that recipients can opt out of.
CREATE VIEW bi.topics AS
 SELECT topics.app_id,
    topics.key AS topic,
    topics.name,
    topics.description,
    topics.created_at,
    topics.archived_at
   FROM topics;

-- One row per variant of a run, with its content: the ledger as it is now, and what devices reported. A run without an A/B test has one variant.
CREATE VIEW bi.variant_funnel AS
 SELECT v.app_id,
    a.name AS app,
    u.campaign_id,
    c.name AS campaign,
    v.run_id,
    v.variant,
    v.name AS variant_name,
    v.message_number,
    v.template_id,
    v.template_version,
    v.payload,
    u.started_at,
    b.targeted,
    b.accepted,
    b.rejected,
    b.suppressed,
    b.expired,
    b.cancelled,
    b.unknown,
    b.pending,
    e.delivered,
    e.presented,
    e.opened,
    e.influenced,
    e.actions,
    e.dismissed,
    e.replies,
    e.engaged,
    e.conversions,
    e.conversion_value,
    v.content
   FROM run_variants v
     JOIN runs u ON u.app_id = v.app_id AND u.id = v.run_id
     JOIN campaigns c ON c.app_id = u.app_id AND c.id = u.campaign_id
     JOIN apps a ON a.id = u.app_id
     CROSS JOIN LATERAL ( SELECT COALESCE(sum(b_1.size - b_1.deferred), 0::bigint) AS targeted,
            COALESCE(sum(b_1.accepted), 0::bigint) AS accepted,
            COALESCE(sum(b_1.rejected), 0::bigint) AS rejected,
            COALESCE(sum(b_1.suppressed), 0::bigint) AS suppressed,
            COALESCE(sum(b_1.expired), 0::bigint) AS expired,
            COALESCE(sum(b_1.cancelled), 0::bigint) AS cancelled,
            COALESCE(sum(b_1.unknown), 0::bigint) AS unknown,
            COALESCE(sum(b_1.pending), 0::bigint) AS pending
           FROM batches b_1
          WHERE b_1.app_id = v.app_id AND b_1.run_id = v.run_id AND b_1.variant = v.variant AND (NOT b_1.is_rest OR (EXISTS ( SELECT
                   FROM test_decisions d
                  WHERE d.app_id = v.app_id AND d.run_id = v.run_id AND d.variant IS NOT NULL)))) b
     CROSS JOIN LATERAL ( SELECT COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('delivered')), 0::numeric)::bigint AS delivered,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('presented')), 0::numeric)::bigint AS presented,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('opened')), 0::numeric)::bigint AS opened,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('influenced')), 0::numeric)::bigint AS influenced,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('actions')), 0::numeric)::bigint AS actions,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('dismissed')), 0::numeric)::bigint AS dismissed,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('replies')), 0::numeric)::bigint AS replies,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('engaged')), 0::numeric)::bigint AS engaged,
            COALESCE(sum(t.count) FILTER (WHERE t.measure = measure_of('conversions')), 0::numeric)::bigint AS conversions,
            COALESCE(trim_scale(sum(t.amount)), 0::numeric) AS conversion_value
           FROM message_totals t
          WHERE t.app_id = v.app_id AND t.dimension = 0 AND (t.measure = ANY (event_measures())) AND t.sent_on = (u.started_at AT TIME ZONE 'UTC')::date AND t.message_number = v.message_number) e;

CREATE FUNCTION add_locks_of_apps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO locks (app_id, name)
    SELECT a.id, l.name
    FROM added a, unnest(ARRAY['event names', 'frequency cap', 'profiles', 'registrations', 'repeated events']) AS l (name);
    RETURN NULL;
END
$function$;

CREATE FUNCTION add_profiles(of_app bigint, locales text[], os_versions text[], app_versions text[], bits integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE FUNCTION attributes_merged(stored jsonb, given jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((stored || given) - ARRAY(SELECT jsonb_each.key FROM jsonb_each(attributes_merged.given) jsonb_each(key, value) WHERE (jsonb_each.value = 'null'::jsonb)));

CREATE FUNCTION audit_log_is_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('belfry.prunes_audit_log', true) = 'on' THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'records of the audit log are not changed' USING ERRCODE = 'insufficient_privilege';
END
$function$;

CREATE FUNCTION count_tags(of_app bigint, of_tags text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE FUNCTION delay_step(seconds integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (ARRAY[0, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 43200, 86400, 172800, 345600, 604800, 1209600])[width_bucket(seconds, ARRAY[0, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 43200, 86400, 172800, 345600, 604800, 1209600])];

-- All pushes to a device with their last outcomes and the user whose device it was, newest first.
CREATE FUNCTION bi.device_history(of_app bigint, of_device bigint)
 RETURNS TABLE(campaign_id bigint, run_id bigint, message_number bigint, outcome text, reason text, is_resent boolean, was_deferred boolean, due_at timestamptz, batch_id bigint, user_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
BEGIN ATOMIC
 SELECT u.campaign_id,
     b.run_id,
     COALESCE(v.message_number, b.message_number) AS "coalesce",
     c.kind,
     NULLIF(c.reason, '') AS "nullif",
     outcome_is_resent(o.byte) AS outcome_is_resent,
     (b.deferred_from IS NOT NULL),
     b.due_at,
     b.id,
     (COALESCE(( SELECT ARRAY[h.user_id] AS "array"
            FROM device_past h
           WHERE ((h.app_id = device_history.of_app) AND (h.device_id = device_history.of_device) AND (h.until > COALESCE(u.started_at, b.due_at)))
           ORDER BY h.until
          LIMIT 1), ( SELECT ARRAY[d.user_id] AS "array"
            FROM devices d
           WHERE ((d.app_id = device_history.of_app) AND (d.id = device_history.of_device)))))[1] AS "coalesce"
    FROM (((((( SELECT batches.app_id,
             batches.id,
             batches.run_id,
             batches.due_at,
             batches.lease_until,
             batches.first_id,
             batches.last_id,
             batches.deferred_from,
             batches.owner,
             batches.attempt,
             batches.flush_seq,
             batches.sent_through,
             batches.size,
             batches.pending,
             batches.accepted,
             batches.rejected,
             batches.suppressed,
             batches.expired,
             batches.cancelled,
             batches.unknown,
             batches.deferred,
             batches.resent,
             batches.state,
             batches.environment,
             batches.retries,
             batches.variant,
             batches.outcomes,
             batches.recipients,
             batches.not_after,
             batches.planned_after,
             batches.is_environment_probe,
             batches.is_rest,
             batches.message_number,
             batches.message_key_version,
             batches.ended_at,
             batches.profiles,
             batches.last_answer,
             batches.last_answered_at
            FROM batches
           WHERE ((box(point((batches.app_id)::double precision, (batches.first_id)::double precision), point((batches.app_id)::double precision, (batches.last_id)::double precision)) @> box(point((device_history.of_app)::double precision, (device_history.of_device)::double precision), point((device_history.of_app)::double precision, (device_history.of_device)::double precision))) AND (batches.run_id IS NOT NULL))
         UNION ALL
          SELECT p_1.app_id,
             p_1.id,
             p_1.run_id,
             p_1.due_at,
             p_1.lease_until,
             p_1.first_id,
             p_1.last_id,
             p_1.deferred_from,
             p_1.owner,
             p_1.attempt,
             p_1.flush_seq,
             p_1.sent_through,
             p_1.size,
             p_1.pending,
             p_1.accepted,
             p_1.rejected,
             p_1.suppressed,
             p_1.expired,
             p_1.cancelled,
             p_1.unknown,
             p_1.deferred,
             p_1.resent,
             p_1.state,
             p_1.environment,
             p_1.retries,
             p_1.variant,
             p_1.outcomes,
             p_1.recipients,
             p_1.not_after,
             p_1.planned_after,
             p_1.is_environment_probe,
             p_1.is_rest,
             p_1.message_number,
             p_1.message_key_version,
             p_1.ended_at,
             p_1.profiles,
             p_1.last_answer,
             p_1.last_answered_at
            FROM (push_recipients r
              JOIN batches p_1 ON (((p_1.app_id = r.app_id) AND (p_1.message_number = r.message_number))))
           WHERE ((r.app_id = device_history.of_app) AND (r.device_id = device_history.of_device))) b
      LEFT JOIN runs u ON (((u.app_id = b.app_id) AND (u.id = b.run_id))))
      LEFT JOIN run_variants v ON (((v.app_id = b.app_id) AND (v.run_id = b.run_id) AND (v.variant = b.variant))))
      CROSS JOIN LATERAL ( SELECT array_position(b.recipients, device_history.of_device) AS "position") p)
      CROSS JOIN LATERAL ( SELECT get_byte(b.outcomes, (p."position" - 1)) AS byte) o)
      JOIN outcome_codes c ON ((c.code = outcome_code(o.byte))))
   WHERE ((p."position" IS NOT NULL) AND (c.kind <> 'deferred'))
   ORDER BY b.id DESC;
END;

CREATE FUNCTION event_measures()
 RETURNS smallint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY[(1)::smallint, (2)::smallint, (3)::smallint, (4)::smallint, (5)::smallint, (6)::smallint, (7)::smallint, (8)::smallint, (9)::smallint];

CREATE FUNCTION forget_device_activity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM device_activity a USING gone g WHERE a.app_id = g.app_id AND a.device_id = g.id;
    DELETE FROM device_past p USING gone g WHERE p.app_id = g.app_id AND p.device_id = g.id;
    RETURN NULL;
END
$function$;

CREATE FUNCTION forget_devices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM devices WHERE app_id = OLD.id;
    RETURN NULL;
END
$function$;

CREATE FUNCTION forget_locks_of_app()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM locks WHERE app_id = OLD.id;
    RETURN NULL;
END
$function$;

CREATE FUNCTION forget_pushes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM push_keys WHERE app_id = OLD.id;
    DELETE FROM push_recipients WHERE app_id = OLD.id;
    DELETE FROM batches WHERE app_id = OLD.id AND message_number IS NOT NULL;
    RETURN NULL;
END
$function$;

CREATE FUNCTION forget_uses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM segment_uses WHERE app_id = OLD.id;
    DELETE FROM campaigns WHERE app_id = OLD.id;
    DELETE FROM templates WHERE app_id = OLD.id;
    RETURN OLD;
END
$function$;

-- Lets a role read the schema bi, and no table.
CREATE FUNCTION grant_reading(reader name)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA public FROM %I', reader);
    EXECUTE format('REVOKE ALL ON SCHEMA public FROM %I', reader);
    EXECUTE format('GRANT USAGE ON SCHEMA bi TO %I', reader);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA bi TO %I', reader);
    EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA bi TO %I', reader);
END
$function$;

CREATE FUNCTION keep_app_of_device()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    RAISE foreign_key_violation USING
        MESSAGE = 'the app of a device can''t be changed', TABLE = 'devices', CONSTRAINT = 'devices_app_id_fkey';
END
$function$;

CREATE FUNCTION keep_campaign_media()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM campaign_media WHERE app_id = NEW.app_id AND campaign_id = NEW.id;
    INSERT INTO campaign_media (app_id, campaign_id, media_id)
    SELECT DISTINCT NEW.app_id, NEW.id, media_of(c.content)
    FROM (
        SELECT NEW.content UNION ALL SELECT v -> 'content' FROM json_array_elements(NEW.variants) AS v
    ) AS c (content)
    WHERE media_of(c.content) IS NOT NULL;
    RETURN NULL;
END
$function$;

-- Limits a role of analysts, as far as the caller may. Returns what could not be limited.
CREATE FUNCTION limit_reading(reader name)
 RETURNS text[]
 LANGUAGE plpgsql
AS $function$
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
    -- Roles with rights on tables, such as one that makes backups, keep the schema  Analysts do not see it.
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
        missing := missing || 'temporary tables';
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
        missing := missing || 'functions of advisory locks and large objects';
    END IF;
    RETURN missing;
END
$function$;

CREATE FUNCTION measure_name(measure smallint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE measure WHEN 1 THEN 'delivered' WHEN 2 THEN 'presented' WHEN 3 THEN 'opened' WHEN 4 THEN 'actions' WHEN 5 THEN 'dismissed' WHEN 6 THEN 'replies' WHEN 7 THEN 'conversions' WHEN 8 THEN 'influenced' WHEN 9 THEN 'engaged' WHEN 11 THEN 'accepted' WHEN 12 THEN 'rejected' WHEN 13 THEN 'suppressed' WHEN 14 THEN 'expired' WHEN 15 THEN 'cancelled' WHEN 16 THEN 'unknown' WHEN 21 THEN 'refused_message' WHEN 22 THEN 'refused_before_start' WHEN 23 THEN 'refused_too_late' ELSE NULL::text END;

CREATE FUNCTION measure_of(name text)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (CASE name WHEN 'delivered' THEN 1 WHEN 'presented' THEN 2 WHEN 'opened' THEN 3 WHEN 'actions' THEN 4 WHEN 'dismissed' THEN 5 WHEN 'replies' THEN 6 WHEN 'conversions' THEN 7 WHEN 'influenced' THEN 8 WHEN 'engaged' THEN 9 WHEN 'accepted' THEN 11 WHEN 'rejected' THEN 12 WHEN 'suppressed' THEN 13 WHEN 'expired' THEN 14 WHEN 'cancelled' THEN 15 WHEN 'unknown' THEN 16 WHEN 'refused_message' THEN 21 WHEN 'refused_before_start' THEN 22 WHEN 'refused_too_late' THEN 23 ELSE NULL::integer END)::smallint;

CREATE FUNCTION measure_of_event(kind smallint)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (kind = ANY (event_measures())) THEN kind ELSE NULL::smallint END;

CREATE FUNCTION media_of(content json)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (strpos((content)::text, '\u0000') > 0) THEN NULL::bigint WHEN (((content -> 'media') ->> 'id') ~ '^[0-9]{1,18}$') THEN (((content -> 'media') ->> 'id'))::bigint ELSE NULL::bigint END;

CREATE FUNCTION outcome_byte(code integer, is_resent boolean)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (code + CASE WHEN is_resent THEN 128 ELSE 0 END);

CREATE FUNCTION outcome_code(byte integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (byte % 128);

CREATE FUNCTION outcome_is_resent(byte integer)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (byte >= 128);

CREATE FUNCTION person_number(user_id text, installation text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (hashtextextended((COALESCE(('u' || user_id), ('i' || installation)) COLLATE "C"), (0)::bigint) & '9223372036854775807'::bigint);

CREATE FUNCTION present_generation()
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
    SELECT generation FROM database_identity
$function$;

CREATE FUNCTION present_timeline()
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
    RETURN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
EXCEPTION WHEN insufficient_privilege OR undefined_function OR object_not_in_prerequisite_state THEN
    RETURN NULL;
END
$function$;

-- The profile that a device had at this time; 0: not known.
CREATE FUNCTION profile_at(of_app bigint, of_device bigint, moment timestamptz)
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
    SELECT coalesce(
        (SELECT profile FROM device_past
         WHERE app_id = of_app AND device_id = of_device AND until > moment ORDER BY until LIMIT 1),
        (SELECT profile FROM device_activity WHERE app_id = of_app AND device_id = of_device), 0)
$function$;

-- The lowest bytes of a profile's code, for batches.profiles.
CREATE FUNCTION profile_bytes(code integer, width integer)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN SUBSTRING(int4send(code) FROM (5 - width));

-- The code of the recipient at this index of batches.profiles, from 0.
CREATE FUNCTION profile_code(profiles bytea, width integer, index integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE width WHEN 1 THEN get_byte(profiles, index) WHEN 2 THEN ((get_byte(profiles, (2 * index)) << 8) | get_byte(profiles, ((2 * index) + 1))) ELSE ((((get_byte(profiles, (3 * index)) << 16) | get_byte(profiles, ((3 * index) + 1))) << 8) | get_byte(profiles, ((3 * index) + 2))) END;

-- The codes of devices' profiles. Tags and combinations that are new are added to the dictionaries.
CREATE FUNCTION profile_codes(looks device_look[])
 RETURNS TABLE(app_id bigint, device_id bigint, profile integer)
 LANGUAGE plpgsql
AS $function$
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
$function$;

-- The profiles of these recipients of a batch, for another batch.
CREATE FUNCTION profiles_of(chosen bigint[], recipients bigint[], profiles bytea)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    SELECT string_agg(substring(profiles FROM (r.position::integer - 1) * w.width + 1 FOR w.width), '' ORDER BY c.position)
    FROM unnest(chosen) WITH ORDINALITY AS c (id, position)
    JOIN unnest(recipients) WITH ORDINALITY AS r (id, position) ON r.id = c.id
    CROSS JOIN (SELECT octet_length(profiles) / cardinality(recipients) AS width) AS w
$function$;

CREATE FUNCTION quarters_of_day(indexes integer[], sums numeric[])
 RETURNS numeric[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT array_agg(COALESCE(s.sum, (0)::numeric) ORDER BY i.i) AS array_agg FROM (generate_series(1, 96) i(i) LEFT JOIN (SELECT u.index, sum(u.value) AS sum FROM UNNEST(quarters_of_day.indexes, quarters_of_day.sums) u(index, value) GROUP BY u.index) s ON ((s.index = i.i))));

CREATE FUNCTION random_generation()
 RETURNS bigint
 LANGUAGE sql
AS $function$
    SELECT ('x' || left(replace(gen_random_uuid()::text, '-', ''), 15))::bit(60)::bigint
$function$;

CREATE FUNCTION remember_deleted_app()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO deleted_apps (id) VALUES (OLD.id);
    RETURN NULL;
END
$function$;

CREATE FUNCTION require_apps_of_devices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE FUNCTION sums_of_arrays(one numeric[], other numeric[])
 RETURNS numeric[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT array_agg((COALESCE(u.a, (0)::numeric) + COALESCE(u.b, (0)::numeric)) ORDER BY u.i) AS array_agg FROM UNNEST(sums_of_arrays.one, sums_of_arrays.other) WITH ORDINALITY u(a, b, i));

-- The counted tags among these, as profiles.tag_bits.
CREATE FUNCTION tag_bits(of_app bigint, of_tags text[])
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
    SELECT coalesce(bit_or(1 << bit), 0) FROM counted_tags WHERE app_id = of_app AND tag = ANY (of_tags)
$function$;

CREATE FUNCTION texts_except(one text[], other text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (cardinality(other) = 0) THEN one ELSE ARRAY(SELECT (t.t COLLATE "C") AS t FROM unnest(texts_except.one) t(t) WHERE (t.t <> ALL (texts_except.other)) ORDER BY (t.t COLLATE "C")) END;

CREATE FUNCTION texts_union(one text[], other text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (cardinality(other) = 0) THEN one ELSE ARRAY(SELECT DISTINCT (t.t COLLATE "C") AS t FROM unnest((texts_union.one || texts_union.other)) t(t) ORDER BY (t.t COLLATE "C")) END;

CREATE FUNCTION to_quarter(moment timestamptz)
 RETURNS timestamptz
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN date_bin('00:15:00'::interval, moment, '2000-01-01 00:00:00+00'::timestamptz);

-- The user whose device it was at this time; null: nobody, or a person who was erased.
CREATE FUNCTION user_at(of_app bigint, of_device bigint, moment timestamptz)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
    SELECT CASE WHEN past.device_id IS NULL
        THEN (SELECT user_id FROM devices WHERE app_id = of_app AND id = of_device) ELSE past.user_id END
    FROM (SELECT) AS one
    LEFT JOIN LATERAL (
        SELECT device_id, user_id FROM device_past
        WHERE app_id = of_app AND device_id = of_device AND until > moment ORDER BY until LIMIT 1
    ) AS past ON true
$function$;

-- The user whose device it was at this time; null: nobody, or a person who was erased.
CREATE FUNCTION bi.user_at(of_app bigint, of_device bigint, moment timestamptz)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
BEGIN ATOMIC
 SELECT (COALESCE(( SELECT ARRAY[h.user_id] AS "array"
            FROM device_past h
           WHERE ((h.app_id = user_at.of_app) AND (h.device_id = user_at.of_device) AND (h.until > user_at.moment))
           ORDER BY h.until
          LIMIT 1), ( SELECT ARRAY[d.user_id] AS "array"
            FROM devices d
           WHERE ((d.app_id = user_at.of_app) AND (d.id = user_at.of_device)))))[1] AS "coalesce";
END;

CREATE FUNCTION version_parts(version text)
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((octet_length(version) <= 18) AND (version ~ '^[0-9]+(?:\.[0-9]+)*$')) THEN (string_to_array(version, '.'))::bigint[] ELSE (string_to_array("substring"(version, '^[0-9]{1,18}(?:\.[0-9]{1,18}){0,31}(?![0-9])(?!\.[0-9])'), '.'))::bigint[] END;

CREATE FUNCTION week_of(moment timestamptz)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (date_trunc('week', (moment AT TIME ZONE 'UTC')))::date;

CREATE TRIGGER add_locks AFTER INSERT ON apps REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_locks_of_apps();

CREATE TRIGGER audit_log_is_kept BEFORE DELETE OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_is_kept();

CREATE TRIGGER forget_device_activity AFTER DELETE ON devices REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_device_activity();

CREATE TRIGGER forget_devices AFTER DELETE ON apps FOR EACH ROW EXECUTE FUNCTION forget_devices();

CREATE TRIGGER forget_locks AFTER DELETE ON deleted_apps FOR EACH ROW EXECUTE FUNCTION forget_locks_of_app();

CREATE TRIGGER forget_pushes AFTER DELETE ON apps FOR EACH ROW EXECUTE FUNCTION forget_pushes();

CREATE TRIGGER forget_uses BEFORE DELETE ON apps FOR EACH ROW EXECUTE FUNCTION forget_uses();

CREATE TRIGGER keep_app_of_device BEFORE UPDATE OF app_id ON devices FOR EACH ROW EXECUTE FUNCTION keep_app_of_device();

CREATE TRIGGER keep_campaign_media AFTER INSERT OR UPDATE OF content, variants ON campaigns FOR EACH ROW EXECUTE FUNCTION keep_campaign_media();

CREATE TRIGGER remember_deleted_app AFTER DELETE ON apps FOR EACH ROW EXECUTE FUNCTION remember_deleted_app();

CREATE TRIGGER require_apps_of_devices AFTER INSERT ON devices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_apps_of_devices();
