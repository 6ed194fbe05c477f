-- Who changed, sent, exported and signed in. Each record is chained to the one before by its hash.

CREATE TABLE audit_log (
    id bigint PRIMARY KEY,
    at timestamptz NOT NULL,
    app_id bigint,
    actor_id bigint,
    actor_kind text COLLATE "C" NOT NULL CHECK (actor_kind IN ('user', 'key', 'console', 'nobody')),
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

COMMENT ON TABLE audit_log IS 'Changes, launches, exports and sign-ins. Rows are added and, by belfry audit prune, deleted.';
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
