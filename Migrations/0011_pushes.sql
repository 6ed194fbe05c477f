-- Transactional pushes: a server's request, sent at once. The requests of a few milliseconds are a batch that is no
-- run's; a batch never holds a device twice.

ALTER TABLE batches
    ALTER COLUMN run_id DROP NOT NULL,
    -- 40 bits of its message ids. A run's batches have the run's.
    ADD COLUMN message_number bigint,
    -- Which key tags them.
    ADD COLUMN message_key_version smallint,
    -- When its last outcome was stored.
    ADD COLUMN ended_at timestamptz,
    ADD CONSTRAINT batches_of_a_run_or_of_pushes CHECK (
        (run_id IS NULL) = (message_number IS NOT NULL) AND (run_id IS NULL) = (message_key_version IS NOT NULL)),
    -- Their payloads are nowhere but with the process that took them: nobody else can send them.
    ADD CONSTRAINT batches_of_pushes_are_held CHECK (run_id IS NOT NULL OR state <> 0 AND sent_through = size);
-- For a request's or a message's outcome, and for what goes with an app.
CREATE UNIQUE INDEX batches_message ON batches (app_id, message_number) WHERE message_number IS NOT NULL;
-- Runs' batches are sorted and span little. One of pushes spans everybody, and every look-up would meet it.
DROP INDEX batches_range;
CREATE INDEX batches_range ON batches (app_id, first_id, last_id) WHERE run_id IS NOT NULL;

-- Where a device stands in such batches.
CREATE TABLE push_recipients (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    batch_id bigint NOT NULL,
    PRIMARY KEY (app_id, device_id, batch_id)
);

-- What a request was answered, under the key that it named: who repeats it gets the answer again. Kept for a day.
CREATE TABLE push_keys (
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    key text COLLATE "C" NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 255),
    -- SHA-256 of the request's body.
    body_hash bytea NOT NULL CHECK (octet_length(body_hash) = 32),
    -- The request's id, and for each device its target's place in the request, its message id and its outcome code. No
    -- installation and no user id: those stand in devices, and go with them.
    receipt bytea NOT NULL,
    PRIMARY KEY (app_id, key)
);
-- For cleaning, oldest first.
CREATE INDEX push_keys_age ON push_keys (created_at);

-- What foreign keys would do, once per app and not once per row.
CREATE FUNCTION forget_pushes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM push_keys WHERE app_id = OLD.id;
    DELETE FROM push_recipients WHERE app_id = OLD.id;
    DELETE FROM batches WHERE app_id = OLD.id AND message_number IS NOT NULL;
    RETURN NULL;
END
$$;
CREATE TRIGGER forget_pushes AFTER DELETE ON apps FOR EACH ROW EXECUTE FUNCTION forget_pushes();

CREATE OR REPLACE VIEW deliveries AS
SELECT
    b.app_id,
    b.run_id,
    b.id AS batch_id,
    r.device_id,
    c.kind,
    c.reason,
    get_byte(b.outcomes, r.place::integer - 1) >= 128 AS was_unknown_sent_again,
    -- Of transactional pushes, which have no run.
    b.message_number
FROM batches b
CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS r (device_id, place)
JOIN outcome_codes c ON c.code = get_byte(b.outcomes, r.place::integer - 1) % 128;

DROP FUNCTION device_history(bigint, bigint);
CREATE FUNCTION device_history(of_app bigint, of_device bigint)
RETURNS TABLE (
    run_id bigint, batch_id bigint, kind text, reason text, was_unknown_sent_again boolean, message_number bigint
)
LANGUAGE sql STABLE AS $$
    SELECT b.run_id, b.id, c.kind, c.reason, o.value >= 128, b.message_number
    FROM (
        SELECT * FROM batches
        WHERE app_id = of_app AND first_id <= of_device AND last_id >= of_device AND batches.run_id IS NOT NULL
        UNION ALL
        SELECT p.* FROM push_recipients r JOIN batches p ON p.id = r.batch_id
        WHERE r.app_id = of_app AND r.device_id = of_device
    ) AS b
    CROSS JOIN LATERAL (SELECT array_position(b.recipients, of_device) AS place) AS p
    CROSS JOIN LATERAL (SELECT get_byte(b.outcomes, p.place - 1) AS value) AS o
    JOIN outcome_codes c ON c.code = o.value % 128
    WHERE p.place IS NOT NULL
    ORDER BY b.id DESC
$$;
