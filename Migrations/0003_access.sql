-- People who sign in, API keys, and what both did.

CREATE TABLE users (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    disabled_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    email text COLLATE "C" NOT NULL UNIQUE CHECK (octet_length(email) BETWEEN 3 AND 254),
    name text NOT NULL CHECK (char_length(name) <= 100),
    password_hash text CHECK (octet_length(password_hash) <= 400)
);

COMMENT ON TABLE users IS 'People who can sign in.';
COMMENT ON COLUMN users.email IS 'In lower case.';
COMMENT ON COLUMN users.password_hash IS 'scrypt, as a PHC string; null until the person has chosen a password.';

CREATE TABLE user_roles (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    app_id bigint REFERENCES apps ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('viewer', 'analyst', 'marketer', 'sender', 'developer', 'admin')),
    UNIQUE NULLS NOT DISTINCT (user_id, app_id, role)
);
CREATE INDEX user_roles_app ON user_roles (app_id);

COMMENT ON COLUMN user_roles.app_id IS 'Null: in all apps.';

CREATE TABLE sessions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    address text COLLATE "C" NOT NULL,
    user_agent text NOT NULL CHECK (char_length(user_agent) <= 300),
    hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32)
);
CREATE INDEX sessions_age ON sessions (expires_at);
CREATE INDEX sessions_user ON sessions (user_id, id);

COMMENT ON TABLE sessions IS 'Sign-ins in browsers. They are kept for a month after their end.';
COMMENT ON COLUMN sessions.hash IS 'SHA-256 of the cookie.';

CREATE TABLE known_networks (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    network text COLLATE "C" NOT NULL,
    last_used_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, network)
);

COMMENT ON TABLE known_networks IS
    'Addresses of IPv4 and /64 networks of IPv6 from which a person has signed in. Wrong passwords from elsewhere do not lock these out.';

CREATE TABLE sign_in_links (
    hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    user_id bigint REFERENCES users ON DELETE CASCADE,
    expires_at timestamptz NOT NULL,
    purpose text NOT NULL CHECK (purpose IN ('set_up', 'password', 'sign_in')),
    CHECK ((purpose = 'set_up') = (user_id IS NULL))
);
CREATE INDEX sign_in_links_user ON sign_in_links (user_id);

COMMENT ON TABLE sign_in_links IS
    'Addresses that work once: to create the first admin, to choose a password, to sign in.';
COMMENT ON COLUMN sign_in_links.hash IS 'SHA-256 of the token in the address.';

CREATE TABLE api_keys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_id bigint REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz,
    kind text NOT NULL CHECK (kind IN ('secret', 'publishable')),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    -- The beginning of the key, by which people recognize it.
    prefix text NOT NULL,
    scopes text[] NOT NULL,
    -- The key has 256 random bits, so a slow hash would add nothing.
    hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    expires_at timestamptz,
    last_used_at timestamptz,
    allowed_addresses text[] NOT NULL DEFAULT '{}',
    created_by bigint REFERENCES users,
    CHECK (kind = 'secret' OR app_id IS NOT NULL)
);
-- The keys that stop when a person is disabled.
CREATE INDEX api_keys_of_person ON api_keys (created_by) WHERE created_by IS NOT NULL;

COMMENT ON TABLE api_keys IS 'API keys. hash is the SHA-256 of the key; app_id is null for keys of all apps.';
COMMENT ON COLUMN api_keys.expires_at IS 'From when on the key is refused; null: it does not expire.';
COMMENT ON COLUMN api_keys.last_used_at IS 'To the minute.';
COMMENT ON COLUMN api_keys.allowed_addresses IS
    'IP addresses and ranges in CIDR notation from which the key works; empty: from everywhere.';
COMMENT ON COLUMN api_keys.created_by IS
    'The person who created the key or took it over, or who created the key that created it; null for one of the console.';

-- A request that repeats another one waits for its transaction, which stores the answer together with what it creates.
CREATE TABLE idempotency_keys (
    -- 0 for requests that belong to no app.
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    status smallint NOT NULL CHECK (status BETWEEN 200 AND 299),
    key text COLLATE "C" NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 255),
    request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
    etag text,
    location text,
    sealed_body bytea,
    owner text COLLATE "C" NOT NULL CHECK (owner ~ '^(key|user):[0-9]+$'),
    permissions text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (app_id, owner, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

COMMENT ON TABLE idempotency_keys IS 'Answers to requests with an Idempotency-Key, kept for a day.';
COMMENT ON COLUMN idempotency_keys.request_hash IS 'SHA-256 of method, path and body.';
COMMENT ON COLUMN idempotency_keys.sealed_body IS
    'The body of the answer, sealed; empty for an answer that held a secret.';
COMMENT ON COLUMN idempotency_keys.owner IS 'The sender of the request: an API key or a person.';
COMMENT ON COLUMN idempotency_keys.permissions IS
    'The permissions of the sender when the request was carried out.';

-- Each record is chained to the one before by its hash.
CREATE TABLE audit_log (
    id bigint PRIMARY KEY,
    at timestamptz NOT NULL,
    app_id bigint,
    actor_id bigint,
    actor_kind text COLLATE "C" NOT NULL CHECK (actor_kind IN ('user', 'key', 'console', 'schedule', 'nobody')),
    actor_name text NOT NULL,
    action text COLLATE "C" NOT NULL,
    resource text NOT NULL,
    address text COLLATE "C" NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    before text,
    after text,
    previous_hash bytea NOT NULL CHECK (octet_length(previous_hash) = 32),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32)
);
CREATE INDEX audit_log_app ON audit_log (app_id, id);
-- The last change of a resource.
CREATE INDEX audit_log_resource ON audit_log (resource, id);

COMMENT ON TABLE audit_log IS
    'Changes, launches, exports and sign-ins. Rows are added and, by belfry audit prune, deleted.';
COMMENT ON COLUMN audit_log.id IS 'Without gaps, in the order of the commits.';
COMMENT ON COLUMN audit_log.app_id IS 'Also of apps that were deleted.';
COMMENT ON COLUMN audit_log.before IS 'The members that changed, as JSON, without secrets.';
COMMENT ON COLUMN audit_log.hash IS 'SHA-256 of the previous hash and all values of this row.';

-- Against accidents: whoever owns the table can switch it off, which the chain then shows.
CREATE FUNCTION audit_log_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('belfry.prunes_audit_log', true) = 'on' THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'records of the audit log are not changed' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER audit_log_is_kept BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION audit_log_is_kept();
