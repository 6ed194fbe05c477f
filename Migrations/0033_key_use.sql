-- When API keys were used, and from where they may be used.

ALTER TABLE api_keys
    ADD COLUMN last_used_at timestamptz,
    ADD COLUMN allowed_addresses text[] NOT NULL DEFAULT '{}';

COMMENT ON COLUMN api_keys.last_used_at IS 'To the minute.';
COMMENT ON COLUMN api_keys.allowed_addresses IS
    'IP addresses and ranges in CIDR notation from which the key works; empty: from everywhere.';
