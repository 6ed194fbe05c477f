-- People who sign in: their roles, their sessions, the networks from which they did so, and one-time links.

CREATE TABLE users (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
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
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    address text COLLATE "C" NOT NULL,
    user_agent text NOT NULL CHECK (char_length(user_agent) <= 300),
    hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32)
);
CREATE INDEX sessions_user ON sessions (user_id, id);
CREATE INDEX sessions_age ON sessions (expires_at);

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
