-- Two apps may name different keys by the same key ID, because one of them is mistaken: each key has its own provider token.

DELETE FROM provider_tokens;
ALTER TABLE provider_tokens DROP CONSTRAINT provider_tokens_pkey;
ALTER TABLE provider_tokens ADD key_hash text NOT NULL;
ALTER TABLE provider_tokens ADD PRIMARY KEY (team_id, key_id, key_hash);

COMMENT ON COLUMN provider_tokens.key_hash IS 'The SHA-256 of the public key, PEM-encoded.';
