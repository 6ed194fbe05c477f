-- API keys can end by themselves.

ALTER TABLE api_keys ADD COLUMN expires_at timestamptz;

COMMENT ON COLUMN api_keys.expires_at IS 'From when on the key is refused; null: it does not expire.';
