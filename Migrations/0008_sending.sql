-- Sending: the ledger in batches, transactional pushes, rate limits.

CREATE TABLE outcome_codes (
    code smallint PRIMARY KEY CHECK (code BETWEEN 0 AND 127),
    kind text NOT NULL
        CHECK (kind IN ('pending', 'accepted', 'rejected', 'suppressed', 'expired', 'cancelled', 'unknown', 'deferred')),
    reason text NOT NULL DEFAULT '',
    UNIQUE (kind, reason)
);

COMMENT ON TABLE outcome_codes IS 'The meaning of outcome bytes: see outcome_code() and outcome_is_resent().';
COMMENT ON COLUMN outcome_codes.reason IS 'Apple''s reason word for word, or Belfry''s.';

INSERT INTO outcome_codes (code, kind, reason) VALUES
    (0, 'pending', ''), (1, 'accepted', ''), (2, 'deferred', ''), (3, 'expired', ''), (4, 'cancelled', ''),
    (5, 'unknown', 'worker lost'), (6, 'unknown', 'deadline passed'), (7, 'unknown', 'stream reset'),
    (8, 'unknown', 'connection lost'),
    -- Below sent_through, and yet certainly not sent: whoever takes the batch over may send it.
    (9, 'pending', 'requeued'),
    (10, 'suppressed', 'notifications denied'), (11, 'suppressed', 'payload too long'),
    (12, 'suppressed', 'device removed'), (13, 'suppressed', 'no credential for this environment'),
    (14, 'suppressed', 'value missing'), (15, 'suppressed', 'opted out of the topic'),
    (16, 'suppressed', 'frequency cap'), (17, 'suppressed', 'quiet hours'), (18, 'suppressed', 'local time past'),
    (19, 'suppressed', 'value not usable'),
    -- Reasons of Apple.
    (20, 'rejected', 'BadCollapseId'), (21, 'rejected', 'BadDeviceToken'), (22, 'rejected', 'BadExpirationDate'),
    (23, 'rejected', 'BadMessageId'), (24, 'rejected', 'BadPriority'), (25, 'rejected', 'BadTopic'),
    (26, 'rejected', 'DeviceTokenNotForTopic'), (27, 'rejected', 'DuplicateHeaders'), (28, 'rejected', 'IdleTimeout'),
    (29, 'rejected', 'InvalidPushType'), (30, 'rejected', 'MissingDeviceToken'), (31, 'rejected', 'MissingTopic'),
    (32, 'rejected', 'PayloadEmpty'), (33, 'rejected', 'TopicDisallowed'), (34, 'rejected', 'BadCertificate'),
    (35, 'rejected', 'BadCertificateEnvironment'), (36, 'rejected', 'ExpiredProviderToken'),
    (37, 'rejected', 'Forbidden'), (38, 'rejected', 'InvalidProviderToken'), (39, 'rejected', 'MissingProviderToken'),
    (40, 'rejected', 'UnrelatedKeyIdInToken'), (41, 'rejected', 'BadEnvironmentKeyIdInToken'),
    (42, 'rejected', 'BadPath'), (43, 'rejected', 'MethodNotAllowed'), (44, 'rejected', 'ExpiredToken'),
    (45, 'rejected', 'Unregistered'), (46, 'rejected', 'PayloadTooLarge'),
    (47, 'rejected', 'TooManyProviderTokenUpdates'), (48, 'rejected', 'TooManyRequests'),
    (49, 'rejected', 'InternalServerError'), (50, 'rejected', 'ServiceUnavailable'), (51, 'rejected', 'Shutdown'),
    (52, 'rejected', 'other'),
    -- Codes that reasons of Apple can get end at 119.
    (120, 'suppressed', 'opted out of all campaigns'), (121, 'suppressed', 'control group'),
    (122, 'suppressed', 'global control group');

-- An outcome byte: bits 0 to 6 are the code, bit 7 says that the outcome was unknown and the push was sent again.
CREATE FUNCTION outcome_code(byte integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN byte % 128;
CREATE FUNCTION outcome_is_resent(byte integer) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN byte >= 128;
CREATE FUNCTION outcome_byte(code integer, is_resent boolean) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN code + CASE WHEN is_resent THEN 128 ELSE 0 END;

-- Recipients are never rewritten.
CREATE TABLE batches (
    app_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    run_id bigint,
    due_at timestamptz NOT NULL DEFAULT now(),
    lease_until timestamptz,
    first_id bigint NOT NULL,
    last_id bigint NOT NULL,
    deferred_from bigint,
    owner uuid,
    attempt integer NOT NULL DEFAULT 0,
    flush_seq integer NOT NULL DEFAULT 0,
    sent_through integer NOT NULL DEFAULT 0,
    size integer NOT NULL CHECK (size BETWEEN 1 AND 5000),
    pending integer NOT NULL,
    accepted integer NOT NULL DEFAULT 0,
    rejected integer NOT NULL DEFAULT 0,
    suppressed integer NOT NULL DEFAULT 0,
    expired integer NOT NULL DEFAULT 0,
    cancelled integer NOT NULL DEFAULT 0,
    unknown integer NOT NULL DEFAULT 0,
    deferred integer NOT NULL DEFAULT 0,
    resent integer NOT NULL DEFAULT 0,
    state text NOT NULL DEFAULT 'ready' CHECK (state IN ('waiting', 'ready', 'leased', 'done')),
    -- A batch is sent to one host.
    environment smallint NOT NULL CHECK (environment IN (0, 1)),
    retries smallint NOT NULL DEFAULT 0,
    -- Of the run. All recipients of a batch get the same content.
    variant smallint NOT NULL DEFAULT 0,
    outcomes bytea NOT NULL,
    recipients bigint[] NOT NULL,
    not_after timestamptz,
    planned_after bigint,
    is_environment_probe boolean NOT NULL DEFAULT false,
    is_rest boolean NOT NULL DEFAULT false,
    message_number bigint,
    message_key_version smallint,
    ended_at timestamptz,
    profiles bytea,
    last_answer text,
    last_answered_at timestamptz,
    PRIMARY KEY (app_id, id),
    FOREIGN KEY (app_id, run_id, variant) REFERENCES run_variants ON DELETE CASCADE,
    FOREIGN KEY (app_id, deferred_from) REFERENCES batches ON DELETE CASCADE,
    CONSTRAINT batches_counters_add_up CHECK (
        pending + accepted + rejected + suppressed + expired + cancelled + unknown + deferred = size
    ),
    CONSTRAINT batches_counters_are_not_negative CHECK (
        least(pending, accepted, rejected, suppressed, expired, cancelled, unknown, deferred, resent) >= 0
    ),
    CONSTRAINT batches_sent_through_check CHECK (sent_through BETWEEN 0 AND size),
    CONSTRAINT batches_range_check CHECK (first_id <= last_id),
    CONSTRAINT batches_of_a_run_or_of_pushes CHECK (
        (run_id IS NULL) = (message_number IS NOT NULL)
        AND (run_id IS NULL) = (message_key_version IS NOT NULL)
    ),
    CONSTRAINT batches_leased_by_an_owner CHECK (
        (state = 'leased') = (owner IS NOT NULL)
        AND (state = 'leased') = (lease_until IS NOT NULL)
    ),
    CONSTRAINT batches_done_has_no_pending CHECK (state <> 'done' OR pending = 0),
    CONSTRAINT batches_wait_for_a_decision CHECK (state <> 'waiting' OR is_rest),
    -- Only the process that took the pushes has their payloads: nobody else can send them.
    CONSTRAINT batches_of_pushes_are_held CHECK (run_id IS NOT NULL OR state <> 'ready' AND sent_through = size),
    CONSTRAINT batches_have_an_outcome_per_recipient CHECK (
        octet_length(outcomes) = cardinality(recipients)
        AND (cardinality(recipients) = size OR cardinality(recipients) = 0 AND state = 'done')
    ),
    CONSTRAINT batches_have_a_profile_per_recipient CHECK (
        profiles IS NULL
        OR octet_length(profiles) IN (cardinality(recipients), 2 * cardinality(recipients), 3 * cardinality(recipients))
    ),
    CONSTRAINT batches_date_the_last_answer CHECK ((last_answer IS NULL) = (last_answered_at IS NULL))
) WITH (fillfactor = 50);
-- For the foreign key: deleting a batch looks for those that it was deferred to.
CREATE INDEX batches_deferred_from ON batches (deferred_from, app_id) WHERE deferred_from IS NOT NULL;
-- Takeovers: the few leased batches. lease_until is not in the index, so that renewing a lease changes no index.
CREATE INDEX batches_leased ON batches (id) WHERE state = 'leased';
-- The outcome of a request or a message.
CREATE UNIQUE INDEX batches_message ON batches (app_id, message_number) WHERE message_number IS NOT NULL;
-- Transactional pushes whose recipients are due for deletion.
CREATE INDEX batches_of_pushes_ended ON batches (app_id, ended_at) WHERE run_id IS NULL AND octet_length(outcomes) > 0;
-- The ledger of a run.
CREATE INDEX batches_of_run ON batches (run_id, app_id, id);
-- Frequency caps: the batches of a run with IDs of a range.
CREATE INDEX batches_of_run_by_range ON batches (run_id, app_id, last_id, first_id);
CREATE INDEX batches_overdue ON batches (not_after) WHERE state = 'ready' AND not_after IS NOT NULL;
-- The history of a device: batches whose range of IDs includes it, as boxes that include a point. Small and large ranges
-- overlap, so a tree by space partitions reads less than others; the included columns spare reading the batches.
CREATE INDEX batches_range ON batches USING spgist (box(point(app_id, first_id), point(app_id, last_id)))
    INCLUDE (app_id, first_id, last_id, run_id, id)
    WHERE run_id IS NOT NULL;
-- Claims: the ready batches of a run by their time.
CREATE INDEX batches_ready ON batches (run_id, app_id, due_at, id) WHERE state = 'ready';

COMMENT ON TABLE batches IS 'The ledger: up to 5,000 recipients with one outcome byte each.';
COMMENT ON COLUMN batches.due_at IS 'Claimed from then on.';
COMMENT ON COLUMN batches.deferred_from IS 'The batch that these recipients were deferred from.';
COMMENT ON COLUMN batches.attempt IS 'Raised by each claim: writes of an earlier owner are ignored.';
COMMENT ON COLUMN batches.flush_seq IS
    'Numbers the flushes, to tell a flush whose answer was lost from one that was not stored.';
COMMENT ON COLUMN batches.sent_through IS 'Recipients before this index may have been sent to. Never decreases.';
COMMENT ON COLUMN batches.resent IS 'The number of recipients who were unknown and were sent to again.';
COMMENT ON COLUMN batches.environment IS '0 production, 1 development';
COMMENT ON COLUMN batches.retries IS 'How often its recipients were deferred.';
COMMENT ON COLUMN batches.outcomes IS 'One byte per recipient. Empty once they were deleted.';
COMMENT ON COLUMN batches.recipients IS
    'Device ids, sorted for runs. Empty once they were deleted, see apps.recipient_days.';
COMMENT ON COLUMN batches.not_after IS
    'If not sent by then, its recipients are re-evaluated: quiet hours began, or the local time passed.';
COMMENT ON COLUMN batches.planned_after IS 'The device id after which the planning step began.';
COMMENT ON COLUMN batches.is_environment_probe IS 'Tokens that one environment did not know, tried in the other.';
COMMENT ON COLUMN batches.is_rest IS
    'Its recipients are not in the A/B test: they wait for its decision, and get the variant that it names.';
COMMENT ON COLUMN batches.message_number IS 'For transactional pushes; batches of runs use that of the variant.';
COMMENT ON COLUMN batches.ended_at IS 'When the last outcome was stored; null before.';
COMMENT ON COLUMN batches.profiles IS
    'The codes of the recipients'' profiles at the start of the run: one to three bytes each, the highest first. Null: not known.';
COMMENT ON COLUMN batches.last_answer IS
    'The reason in Apple''s last answer for which recipients wait, like TooManyProviderTokenUpdates; null: none waits.';
COMMENT ON COLUMN batches.last_answered_at IS 'When Apple gave that answer.';

-- Outcomes stay in the row, which each flush rewrites.
ALTER TABLE batches ALTER COLUMN outcomes SET STORAGE MAIN;

-- lz4 is faster, but not every server has it; pglz is the default.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        ALTER TABLE batches ALTER COLUMN outcomes SET COMPRESSION lz4, ALTER COLUMN recipients SET COMPRESSION lz4;
    END IF;
END
$$;

-- The identity of a new database. It names these tables, because a restore creates them again.
INSERT INTO database_identity (generation, timeline, database_oid, batches_oid, runs_oid, origin)
SELECT random_generation(), present_timeline(), oid::bigint, 'batches'::regclass::oid, 'runs'::regclass::oid,
    random_generation()
FROM pg_database WHERE datname = current_database();

-- Decisions of A/B tests about the rest of the audience.
CREATE TABLE test_decisions (
    app_id bigint NOT NULL,
    run_id bigint NOT NULL,
    asked_at timestamptz,
    decided_at timestamptz,
    decided_by bigint REFERENCES users ON DELETE SET NULL,
    expected_loss double precision,
    variant smallint,
    reason text CHECK (reason IN ('winner', 'clear', 'leader', 'first', 'by_hand', 'no_answer', 'expired')),
    finding text,
    counts json,
    PRIMARY KEY (app_id, run_id),
    FOREIGN KEY (app_id, run_id) REFERENCES runs ON DELETE CASCADE,
    FOREIGN KEY (app_id, run_id, variant) REFERENCES run_variants,
    CONSTRAINT test_decisions_say_why CHECK ((decided_at IS NULL) = (reason IS NULL)),
    CONSTRAINT test_decisions_name_a_variant CHECK (
        (variant IS NULL) = (decided_at IS NULL OR reason = 'expired')
    )
);

COMMENT ON TABLE test_decisions IS
    'Which variant the rest of the audience gets once a share was tested. A decision stays as it was taken.';
COMMENT ON COLUMN test_decisions.asked_at IS 'When a person was asked, because no variant had won; null: nobody was.';
COMMENT ON COLUMN test_decisions.decided_by IS 'Null: Belfry, by the rule of the campaign.';
COMMENT ON COLUMN test_decisions.expected_loss IS
    'By how much a better variant would be better, on average; a share of people.';
COMMENT ON COLUMN test_decisions.variant IS 'Null: the rest gets nothing, because nobody decided in time.';
COMMENT ON COLUMN test_decisions.reason IS
    'Clear: one was ahead of all others with high certainty before the time was over. No answer: a person was asked and did not answer in time, so the leading variant was taken.';
COMMENT ON COLUMN test_decisions.finding IS 'The verdict at that time, as the API has it.';
COMMENT ON COLUMN test_decisions.counts IS 'The people of the variants at that time: [{"people": …, "reached": …}, …].';

CREATE UNLOGGED TABLE rate_limits (
    app_id bigint NOT NULL,
    run_id bigint NOT NULL,
    next_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, run_id)
) WITH (fillfactor = 10);

COMMENT ON TABLE rate_limits IS
    'When the next push of a run, or of an app (run_id 0), may be sent. Unlogged: recreated after a crash of PostgreSQL.';

CREATE TABLE push_recipients (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    message_number bigint NOT NULL,
    PRIMARY KEY (app_id, device_id, message_number)
) PARTITION BY RANGE (message_number);

COMMENT ON TABLE push_recipients IS 'The transactional pushes to a device, by the message number of their batch.';

CREATE TABLE push_keys (
    app_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    key text COLLATE "C" NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 255),
    -- SHA-256 of the body of the request.
    body_hash bytea NOT NULL CHECK (octet_length(body_hash) = 32),
    -- The ID of the request, and for each device the index of its target, its message ID and its outcome code. No
    -- installation and no user ID: they are in devices, and are deleted with them.
    receipt bytea NOT NULL,
    owner text COLLATE "C" NOT NULL CHECK (owner ~ '^(key|user):[0-9]+$'),
    PRIMARY KEY (app_id, owner, key)
);
-- Deletion, the oldest first.
CREATE INDEX push_keys_age ON push_keys (created_at);

COMMENT ON TABLE push_keys IS 'Idempotency keys of transactional pushes, kept for a day.';
COMMENT ON COLUMN push_keys.owner IS 'The sender of the request: an API key or a person.';

-- In place of foreign keys, which PostgreSQL would check for each row.
CREATE FUNCTION forget_pushes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM push_keys WHERE app_id = OLD.id;
    DELETE FROM push_recipients WHERE app_id = OLD.id;
    DELETE FROM batches WHERE app_id = OLD.id AND message_number IS NOT NULL;
    RETURN NULL;
END
$$;
CREATE TRIGGER forget_pushes AFTER DELETE ON apps FOR EACH ROW EXECUTE FUNCTION forget_pushes();
