-- The first schema: apps with their keys, devices, campaigns and their runs, and the ledger in batches.
--
-- Rules live here as constraints; code only explains them. Columns stand wide to narrow, so that rows have no
-- padding. Tables of an app lead their key with app_id.

-- One row: what this database is, and how to tell a wrong sealing key before it is used.
CREATE TABLE instance (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    created_at timestamptz NOT NULL DEFAULT now(),
    -- A known text sealed under the sealing key; opening it proves the key.
    sealing_check bytea NOT NULL
);

CREATE TABLE apps (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL DEFAULT 1,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    bundle_id text NOT NULL CHECK (octet_length(bundle_id) BETWEEN 1 AND 155),
    -- The key beside aps under which a payload carries its message id.
    message_id_key text NOT NULL DEFAULT 'i' CHECK (char_length(message_id_key) BETWEEN 1 AND 32 AND message_id_key <> 'aps'),
    default_locale text NOT NULL DEFAULT 'en',
    default_time_zone text NOT NULL DEFAULT 'UTC',
    UNIQUE (bundle_id)
);

-- The key that tags an app's message ids. Old versions stay, so that old messages can still be acknowledged.
CREATE TABLE message_keys (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    version smallint NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (app_id, version)
);

-- Apple's token signing keys (.p8), sealed.
CREATE TABLE credentials (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    production boolean NOT NULL,
    development boolean NOT NULL,
    key_id text NOT NULL CHECK (key_id ~ '^[A-Z0-9]{10}$'),
    team_id text NOT NULL CHECK (team_id ~ '^[A-Z0-9]{10}$'),
    sealed_key bytea NOT NULL,
    UNIQUE (app_id, key_id),
    CHECK (production OR development)
);

-- One provider token per signing key for every process: Apple wants few of them.
CREATE TABLE provider_tokens (
    issued_at timestamptz NOT NULL,
    key_id text NOT NULL,
    team_id text NOT NULL,
    sealed_token bytea NOT NULL,
    PRIMARY KEY (team_id, key_id)
);

CREATE TABLE api_keys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Null: an administrator's key, for all apps.
    app_id bigint REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz,
    kind text NOT NULL CHECK (kind IN ('secret', 'publishable')),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    -- What a person may see of the key, to tell it from others.
    prefix text NOT NULL,
    scopes text[] NOT NULL,
    -- SHA-256 of the key: it has 256 random bits, so a slow hash would add nothing.
    hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    CHECK (kind = 'secret' OR app_id IS NOT NULL)
);

-- One row is one token: an app's installation, and what the token is for. A retired device keeps its row.
-- No index stands on a column that sending or seeing changes, so that those updates stay in their page.
CREATE TABLE devices (
    id bigint GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    -- When the app last told us this token: a 410 that is older says nothing about it.
    token_registered_at timestamptz NOT NULL DEFAULT now(),
    retired_at timestamptz,
    kind smallint NOT NULL DEFAULT 0 CHECK (kind = 0),
    -- 0 production, 1 development.
    environment smallint NOT NULL CHECK (environment IN (0, 1)),
    -- 0 not determined, 1 denied, 2 authorized, 3 provisional, 4 ephemeral (UNAuthorizationStatus).
    authorization_status smallint NOT NULL DEFAULT 2 CHECK (authorization_status BETWEEN 0 AND 4),
    -- 1 unregistered, 2 token expired, 3 bad token, 4 the token moved to another installation, 5 removed by the app.
    retired_reason smallint CHECK (retired_reason BETWEEN 1 AND 5),
    activity text NOT NULL DEFAULT '' CHECK (octet_length(activity) <= 200),
    installation text NOT NULL CHECK (octet_length(installation) BETWEEN 1 AND 200),
    -- Null only for a retired device whose token has moved on.
    token bytea CHECK (octet_length(token) BETWEEN 1 AND 200),
    user_id text CHECK (octet_length(user_id) BETWEEN 1 AND 200),
    locale text,
    time_zone text,
    os_version text,
    app_version text,
    model text,
    attributes jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(attributes) = 'object'),
    PRIMARY KEY (app_id, id),
    -- The selective column comes first: with app_id in front of all three, a plan that was made while the table was
    -- small takes any of them for a look-up by id, and reads all of the app's devices for each (measured: 11 ms in
    -- place of 5 µs for the foreign key of device_activity, until the next ANALYZE).
    UNIQUE (installation, app_id, kind, activity),
    UNIQUE (token, app_id),
    CHECK ((retired_at IS NULL) = (retired_reason IS NULL)),
    CHECK (token IS NOT NULL OR retired_at IS NOT NULL)
) WITH (fillfactor = 85);
-- For "all devices of this person".
CREATE INDEX devices_user ON devices (app_id, user_id, id) WHERE user_id IS NOT NULL;

-- When a device was last seen, apart from its wide row: at most one write per device and day.
CREATE TABLE device_activity (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    last_seen_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, device_id),
    FOREIGN KEY (app_id, device_id) REFERENCES devices ON DELETE CASCADE
) WITH (fillfactor = 80);

-- 40 bits of every message id: one number per run.
CREATE SEQUENCE message_numbers AS bigint MINVALUE 1 MAXVALUE 1099511627775;

-- What people edit.
CREATE TABLE campaigns (
    id bigint GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    send_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    -- Runs that were made of it. "sending" with none is what the starter looks for; raising it is the claim.
    runs_started integer NOT NULL DEFAULT 0,
    -- How long a push is worth delivering; 0 means now or never.
    expiration_seconds integer NOT NULL DEFAULT 86400 CHECK (expiration_seconds BETWEEN 0 AND 2592000),
    -- How late a missed schedule may still be started.
    grace_seconds integer NOT NULL DEFAULT 3600 CHECK (grace_seconds >= 0),
    priority smallint NOT NULL DEFAULT 10 CHECK (priority IN (1, 5, 10)),
    state text NOT NULL DEFAULT 'draft'
        CHECK (state IN ('draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed')),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    push_type text NOT NULL DEFAULT 'alert',
    -- Null: Belfry sets one per run, so that a push that is sent again replaces the first on the screen.
    collapse_id text CHECK (octet_length(collapse_id) BETWEEN 1 AND 64),
    unknown_policy text NOT NULL DEFAULT 'resend' CHECK (unknown_policy IN ('resend', 'leave')),
    -- json and not jsonb: the text keeps its keys' order and its numbers' digits.
    payload json NOT NULL,
    -- Why the campaign is paused or failed, in words for people.
    reason text,
    PRIMARY KEY (app_id, id),
    CHECK (state <> 'scheduled' OR send_at IS NOT NULL)
);
-- For the starter: what is due.
CREATE INDEX campaigns_due ON campaigns (send_at) WHERE state = 'scheduled';
CREATE INDEX campaigns_to_start ON campaigns (app_id, id) WHERE state = 'sending' AND runs_started = 0;

-- One sending of a campaign. Content and options are frozen here.
CREATE TABLE runs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_id bigint NOT NULL,
    campaign_id bigint NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    -- The planner has met every device up to the ceiling.
    planned_at timestamptz,
    finished_at timestamptz,
    -- The ledger was recounted from its bytes and adds up: the green tick.
    verified_at timestamptz,
    expires_at timestamptz NOT NULL,
    -- Part of every message id of this run.
    message_number bigint NOT NULL UNIQUE DEFAULT nextval('message_numbers'),
    -- Who registers later is outside.
    device_ceiling bigint NOT NULL,
    -- The last device id that the planner has looked at.
    plan_cursor bigint NOT NULL DEFAULT 0,
    plan_lease_until timestamptz,
    plan_owner uuid,
    -- About how many, when the run began.
    estimated bigint NOT NULL,
    -- The recount's totals; null until the run has ended.
    targeted bigint,
    accepted bigint,
    rejected bigint,
    suppressed bigint,
    expired bigint,
    cancelled bigint,
    unknown bigint,
    -- Which PostgreSQL, on which timeline: after a restore the ledger may be older than the wire.
    system_identifier bigint NOT NULL,
    timeline integer NOT NULL,
    database_oid bigint NOT NULL,
    expiration_seconds integer NOT NULL,
    message_key_version smallint NOT NULL,
    priority smallint NOT NULL,
    state text NOT NULL DEFAULT 'sending' CHECK (state IN ('sending', 'paused', 'cancelled', 'finished')),
    push_type text NOT NULL,
    collapse_id text,
    unknown_policy text NOT NULL CHECK (unknown_policy IN ('resend', 'leave')),
    payload json NOT NULL,
    reason text,
    FOREIGN KEY (app_id, campaign_id) REFERENCES campaigns ON DELETE CASCADE,
    CHECK ((state = 'finished') = (finished_at IS NOT NULL) OR state = 'cancelled'),
    CHECK (verified_at IS NULL OR targeted = accepted + rejected + suppressed + expired + cancelled + unknown)
);
CREATE INDEX runs_of_campaign ON runs (app_id, campaign_id, id);
-- For planners and finishers: the few runs that are not over.
CREATE INDEX runs_open ON runs (id) WHERE finished_at IS NULL;

-- What a byte of a batch means. Codes 0 to 127; bit 7 of the byte says "was unknown, sent again".
CREATE TABLE outcome_codes (
    code smallint PRIMARY KEY CHECK (code BETWEEN 0 AND 127),
    kind text NOT NULL CHECK (kind IN
        ('pending', 'accepted', 'rejected', 'suppressed', 'expired', 'cancelled', 'unknown', 'moved')),
    -- Apple's reason word for word, or ours.
    reason text NOT NULL DEFAULT '',
    UNIQUE (kind, reason)
);
INSERT INTO outcome_codes (code, kind, reason) VALUES
    (0, 'pending', ''), (1, 'accepted', ''), (2, 'moved', ''), (3, 'expired', ''), (4, 'cancelled', ''),
    (5, 'unknown', 'worker lost'), (6, 'unknown', 'deadline passed'), (7, 'unknown', 'stream reset'),
    (8, 'unknown', 'connection lost'),
    -- Below sent_through, and yet certainly not on the wire: may be sent whoever takes the batch over.
    (9, 'pending', 'put back'),
    (10, 'suppressed', 'notifications denied'), (11, 'suppressed', 'payload too long'),
    (12, 'suppressed', 'device removed'), (13, 'suppressed', 'no credential for this environment'),
    (20, 'rejected', 'BadCollapseId'), (21, 'rejected', 'BadDeviceToken'), (22, 'rejected', 'BadExpirationDate'),
    (23, 'rejected', 'BadMessageId'), (24, 'rejected', 'BadPriority'), (25, 'rejected', 'BadTopic'),
    (26, 'rejected', 'DeviceTokenNotForTopic'), (27, 'rejected', 'DuplicateHeaders'), (28, 'rejected', 'IdleTimeout'),
    (29, 'rejected', 'InvalidPushType'), (30, 'rejected', 'MissingDeviceToken'), (31, 'rejected', 'MissingTopic'),
    (32, 'rejected', 'PayloadEmpty'), (33, 'rejected', 'TopicDisallowed'), (34, 'rejected', 'BadCertificate'),
    (35, 'rejected', 'BadCertificateEnvironment'), (36, 'rejected', 'ExpiredProviderToken'),
    (37, 'rejected', 'Forbidden'), (38, 'rejected', 'InvalidProviderToken'), (39, 'rejected', 'MissingProviderToken'),
    (40, 'rejected', 'UnrelatedKeyIdInToken'), (41, 'rejected', 'BadEnvironmentKeyIdInToken'),
    (42, 'rejected', 'BadPath'), (43, 'rejected', 'MethodNotAllowed'), (44, 'rejected', 'ExpiredToken'),
    (45, 'rejected', 'Unregistered'), (46, 'rejected', 'PayloadTooLarge'),
    (47, 'rejected', 'TooManyProviderTokenUpdates'), (48, 'rejected', 'TooManyRequests'),
    (49, 'rejected', 'InternalServerError'), (50, 'rejected', 'ServiceUnavailable'), (51, 'rejected', 'Shutdown'),
    (52, 'rejected', 'other');

-- The ledger's unit: who, and what became of each. Recipients are never rewritten; outcomes stay inline.
CREATE TABLE batches (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id bigint NOT NULL REFERENCES runs ON DELETE CASCADE,
    app_id bigint NOT NULL,
    due_at timestamptz NOT NULL DEFAULT now(),
    lease_until timestamptz,
    first_id bigint NOT NULL,
    last_id bigint NOT NULL,
    -- The batch whose moved recipients these are.
    moved_from bigint REFERENCES batches ON DELETE CASCADE,
    owner uuid,
    -- Raised by each claim: what an earlier owner still writes does not count.
    attempt integer NOT NULL DEFAULT 0,
    -- Numbers the flushes of an attempt, so that a flush whose answer was lost can be told from one that was not stored.
    flush_seq integer NOT NULL DEFAULT 0,
    -- Recipients before this index may have been on the wire. Never decreases.
    sent_through integer NOT NULL DEFAULT 0,
    size integer NOT NULL CHECK (size BETWEEN 1 AND 5000),
    pending integer NOT NULL,
    accepted integer NOT NULL DEFAULT 0,
    rejected integer NOT NULL DEFAULT 0,
    suppressed integer NOT NULL DEFAULT 0,
    expired integer NOT NULL DEFAULT 0,
    cancelled integer NOT NULL DEFAULT 0,
    unknown integer NOT NULL DEFAULT 0,
    moved integer NOT NULL DEFAULT 0,
    -- How many bytes carry bit 7.
    resent integer NOT NULL DEFAULT 0,
    -- 0 ready, 1 leased, 2 done.
    state smallint NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 2),
    -- 0 production, 1 development: a batch goes to one host.
    environment smallint NOT NULL CHECK (environment IN (0, 1)),
    -- How often its recipients were put off.
    retries smallint NOT NULL DEFAULT 0,
    outcomes bytea NOT NULL,
    recipients bigint[] NOT NULL,
    CHECK (pending + accepted + rejected + suppressed + expired + cancelled + unknown + moved = size),
    CHECK (least(pending, accepted, rejected, suppressed, expired, cancelled, unknown, moved, resent) >= 0),
    CHECK (octet_length(outcomes) = size AND cardinality(recipients) = size),
    CHECK (sent_through BETWEEN 0 AND size),
    CHECK (first_id <= last_id),
    CHECK ((state = 1) = (owner IS NOT NULL) AND (state = 1) = (lease_until IS NOT NULL)),
    CHECK (state <> 2 OR pending = 0)
) WITH (fillfactor = 50);
ALTER TABLE batches ALTER COLUMN outcomes SET STORAGE MAIN;
ALTER TABLE batches ALTER COLUMN outcomes SET COMPRESSION lz4;
ALTER TABLE batches ALTER COLUMN recipients SET COMPRESSION lz4;
-- For the claim: a run's ready batches by their time.
CREATE INDEX batches_ready ON batches (run_id, due_at, id) WHERE state = 0;
-- For takeover: the few that are leased. The lease's end is not in the index, so that renewing it touches no index.
CREATE INDEX batches_leased ON batches (id) WHERE state = 1;
-- For a run's ledger.
CREATE INDEX batches_of_run ON batches (run_id, id);
-- For one device's history: batches whose range may hold it.
CREATE INDEX batches_range ON batches (app_id, first_id, last_id);

-- A whole run as one row per recipient: the ledger in plain SQL.
CREATE VIEW deliveries AS
SELECT
    b.app_id,
    b.run_id,
    b.id AS batch_id,
    r.device_id,
    c.kind,
    c.reason,
    get_byte(b.outcomes, r.place::integer - 1) >= 128 AS was_unknown_sent_again
FROM batches b
CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS r (device_id, place)
JOIN outcome_codes c ON c.code = get_byte(b.outcomes, r.place::integer - 1) % 128;

-- Everything one device was sent, newest first.
CREATE FUNCTION device_history(of_app bigint, of_device bigint)
RETURNS TABLE (run_id bigint, batch_id bigint, kind text, reason text, was_unknown_sent_again boolean)
LANGUAGE sql STABLE AS $$
    SELECT b.run_id, b.id, c.kind, c.reason, o.value >= 128
    FROM batches b
    CROSS JOIN LATERAL (SELECT array_position(b.recipients, of_device) AS place) AS p
    CROSS JOIN LATERAL (SELECT get_byte(b.outcomes, p.place - 1) AS value) AS o
    JOIN outcome_codes c ON c.code = o.value % 128
    WHERE b.app_id = of_app AND b.first_id <= of_device AND b.last_id >= of_device AND p.place IS NOT NULL
    ORDER BY b.id DESC
$$;

-- What came back from phones, once per message, kind and action.
CREATE TABLE events (
    app_id bigint NOT NULL,
    message_number bigint NOT NULL,
    device_id bigint NOT NULL,
    -- When it happened on the phone, as far as the phone knows; and when we heard.
    happened_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    -- 1 delivered, 2 presented, 3 opened, 4 action, 5 dismissed, 6 text.
    kind smallint NOT NULL CHECK (kind BETWEEN 1 AND 6),
    action text NOT NULL DEFAULT '' CHECK (octet_length(action) <= 200),
    text text,
    PRIMARY KEY (app_id, message_number, device_id, kind, action)
);
