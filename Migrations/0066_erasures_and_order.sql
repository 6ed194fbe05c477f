-- A file from before an erasure or a removal brings neither the person nor the device back. What an app states about the
-- user of a device has an order of its own, because a change of something else says nothing about the user.

CREATE TABLE erasures (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    digest bytea NOT NULL,
    erased_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, digest),
    CHECK (octet_length(digest) = 32)
);
COMMENT ON TABLE erasures IS
    'The names of erased people and the tokens of removed devices, as digests: imports of older files leave their lines out.';
COMMENT ON COLUMN erasures.digest IS
    'SHA-256 of "user:" and the user ID, of "installation:" and an installation of theirs, or of "token:" and its token.';
COMMENT ON COLUMN erasures.erased_at IS 'When it was erased last: a file that is newer may name the person again.';

ALTER TABLE device_activity ADD COLUMN user_sent_at timestamptz;
COMMENT ON COLUMN device_activity.sent_at IS
    'When the app sent its newest statement about the device, by the clock of the device; null: it never said.';
COMMENT ON COLUMN device_activity.user_sent_at IS
    'The same for its newest statement about user and token: a registration, a login, a logout, a removal.';
ALTER TABLE device_activity ADD COLUMN consented text[] DEFAULT '{}';
COMMENT ON COLUMN device_activity.opt_outs_sent_at IS 'The same for its newest statement about opt-outs.';
COMMENT ON COLUMN device_activity.consented IS
    'The topics whose opt-outs such statements have removed: an older opt-out that arrives late adds the others. Null: all.';

ALTER TABLE devices ADD COLUMN stated_at timestamptz;
COMMENT ON COLUMN devices.stated_at IS
    'When an app, a server or a person changed the device last; null: only files did. An older file leaves it as it is.';
