-- Under which name a triggered run was asked for: who asks again under it gets the same run.
ALTER TABLE runs
    ADD COLUMN trigger_key text COLLATE "C" CHECK (octet_length(trigger_key) BETWEEN 1 AND 255),
    -- SHA-256 of the request's body.
    ADD COLUMN trigger_body_hash bytea CHECK (octet_length(trigger_body_hash) = 32),
    ADD CONSTRAINT runs_trigger_key_has_its_body CHECK ((trigger_key IS NULL) = (trigger_body_hash IS NULL));
CREATE UNIQUE INDEX runs_trigger_key ON runs (campaign_id, trigger_key) WHERE trigger_key IS NOT NULL;
