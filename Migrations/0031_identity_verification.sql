-- An app may require proof that a user ID belongs to the person who is logged in.

ALTER TABLE apps ADD COLUMN identity_verification boolean NOT NULL DEFAULT false;

COMMENT ON COLUMN apps.identity_verification IS
    'Whether a registration with a publishable key must carry its user ID''s signature by the app''s server.';

CREATE TABLE identity_keys (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    version smallint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    sealed bytea NOT NULL CHECK (octet_length(sealed) <= 200),
    PRIMARY KEY (app_id, version)
);

COMMENT ON TABLE identity_keys IS
    'The secrets with which an app''s server signs user IDs, sealed. The newest two are valid.';
