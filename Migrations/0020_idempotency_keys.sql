-- The answers to requests with an Idempotency-Key, kept for a day. A request that repeats one waits for the transaction
-- of the first, which stores its answer together with what it creates.

CREATE TABLE idempotency_keys (
    -- 0 for requests that belong to no app.
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    status smallint NOT NULL CHECK (status BETWEEN 200 AND 299),
    key text COLLATE "C" NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 255),
    request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
    etag text,
    location text,
    -- The body, sealed: it can contain a new API key.
    sealed_body bytea,
    PRIMARY KEY (app_id, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

COMMENT ON TABLE idempotency_keys IS 'Answers to requests with an Idempotency-Key, kept for a day.';
COMMENT ON COLUMN idempotency_keys.request_hash IS 'SHA-256 of method, path and body.';
COMMENT ON COLUMN idempotency_keys.sealed_body IS 'The body of the answer, sealed: it can contain a new API key.';
