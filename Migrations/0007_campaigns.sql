-- Campaigns with their audiences, and runs.

CREATE TABLE segments (
    id bigint GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    archived_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    -- json and not jsonb: conditions keep the order of their members, and numbers their digits.
    audience json NOT NULL CHECK (json_typeof(audience) = 'object'),
    PRIMARY KEY (app_id, id)
);

COMMENT ON TABLE segments IS 'Named parts of an audience, evaluated when a campaign is sent.';

CREATE TABLE campaigns (
    id bigint GENERATED ALWAYS AS IDENTITY,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    next_check_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    runs_started integer NOT NULL DEFAULT 0,
    expiration_seconds integer NOT NULL DEFAULT 86400 CHECK (expiration_seconds BETWEEN 0 AND 2592000),
    grace_seconds integer NOT NULL DEFAULT 1800 CHECK (grace_seconds >= 0),
    priority smallint NOT NULL DEFAULT 10 CHECK (priority IN (1, 5, 10)),
    state text NOT NULL DEFAULT 'draft'
        CHECK (state IN ('draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed')),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    push_type text NOT NULL DEFAULT 'alert',
    collapse_id text CHECK (octet_length(collapse_id) BETWEEN 1 AND 64),
    unknown_policy text NOT NULL DEFAULT 'resend' CHECK (unknown_policy IN ('resend', 'leave')),
    -- json and not jsonb: it keeps the order of keys and the digits of numbers.
    payload json,
    content json CHECK (json_typeof(content) = 'object'),
    variants json CHECK (json_typeof(variants) = 'array' AND json_array_length(variants) BETWEEN 2 AND 10),
    variant_weights json CHECK (json_typeof(variant_weights) = 'array'),
    reason text,
    reason_localization jsonb,
    template_id bigint,
    template_version integer,
    salt bigint NOT NULL DEFAULT hashtextextended(gen_random_uuid()::text, 0),
    topic text COLLATE "C",
    pushes_per_second integer CHECK (pushes_per_second BETWEEN 1 AND 1000000),
    rejection_threshold_percent smallint DEFAULT 50 CHECK (rejection_threshold_percent BETWEEN 1 AND 100),
    archived_at timestamptz,
    handled_until timestamptz,
    tags text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (cardinality(tags) <= 20),
    quiet_hours json CHECK (json_typeof(quiet_hours) = 'object'),
    frequency_cap_count smallint CHECK (frequency_cap_count BETWEEN 1 AND 100),
    frequency_cap_days smallint CHECK (frequency_cap_days BETWEEN 1 AND 90),
    ignores_quiet_hours boolean NOT NULL DEFAULT false,
    ignores_frequency_cap boolean NOT NULL DEFAULT false,
    ignores_global_control boolean NOT NULL DEFAULT false,
    goal text NOT NULL DEFAULT 'engaged' CHECK (goal IN ('opened', 'engaged', 'event', 'value')),
    goal_event_name text COLLATE "C" CHECK (octet_length(goal_event_name) BETWEEN 1 AND 400),
    winner json CHECK (json_typeof(winner) = 'object'),
    control_share smallint CHECK (control_share BETWEEN 10 AND 500),
    missed_policy text NOT NULL DEFAULT 'ask' CHECK (missed_policy IN ('skip', 'send', 'ask')),
    schedule json CHECK (json_typeof(schedule) = 'object'),
    audience json NOT NULL DEFAULT '{}' CHECK (json_typeof(audience) = 'object'),
    schedule_paused_at timestamptz,
    starts_at timestamptz,
    PRIMARY KEY (app_id, id),
    FOREIGN KEY (app_id, template_id, template_version) REFERENCES template_versions,
    FOREIGN KEY (app_id, topic) REFERENCES topics,
    CONSTRAINT campaigns_content CHECK (num_nonnulls(payload, content, template_id, variants) = 1),
    CONSTRAINT campaigns_variant_weights CHECK ((variants IS NULL) = (variant_weights IS NULL)),
    CONSTRAINT campaigns_control_by_an_event CHECK (control_share IS NULL OR goal IN ('event', 'value')),
    CONSTRAINT campaigns_goal CHECK ((goal IN ('event', 'value')) = (goal_event_name IS NOT NULL)),
    CONSTRAINT campaigns_winner_of_a_test CHECK (winner IS NULL OR variants IS NOT NULL),
    CONSTRAINT campaigns_quiet_hours CHECK (quiet_hours IS NULL OR NOT ignores_quiet_hours),
    CONSTRAINT campaigns_frequency_cap CHECK (
        num_nonnulls(frequency_cap_count, frequency_cap_days) IN (0, 2)
        AND (frequency_cap_count IS NULL OR NOT ignores_frequency_cap)
    ),
    CONSTRAINT campaigns_template_version CHECK ((template_id IS NULL) = (template_version IS NULL)),
    CONSTRAINT campaigns_paused_schedule CHECK (schedule_paused_at IS NULL OR state = 'scheduled'),
    CONSTRAINT campaigns_scheduled CHECK (
        state <> 'scheduled' OR starts_at IS NOT NULL OR schedule IS NOT NULL AND handled_until IS NOT NULL
        AND (next_check_at IS NOT NULL OR schedule ->> 'kind' = 'triggered' OR schedule_paused_at IS NOT NULL)
    ),
    CONSTRAINT campaigns_delayed_start CHECK (starts_at IS NULL OR state = 'scheduled' AND next_check_at IS NOT NULL)
);
-- Lists.
CREATE INDEX campaigns_current ON campaigns (app_id, id) WHERE archived_at IS NULL;
-- Campaigns whose time has come.
CREATE INDEX campaigns_due ON campaigns (next_check_at) WHERE state = 'scheduled';
CREATE INDEX campaigns_of_template ON campaigns (app_id, template_id) WHERE template_id IS NOT NULL;
CREATE INDEX campaigns_of_tests ON campaigns (app_id, id)
    WHERE variants IS NOT NULL OR schedule ->> 'best_time_until' IS NOT NULL;
CREATE INDEX campaigns_with_control ON campaigns (app_id, id) WHERE control_share IS NOT NULL;
CREATE INDEX campaigns_to_start ON campaigns (app_id, id) WHERE state = 'sending' AND runs_started = 0;

COMMENT ON TABLE campaigns IS 'Campaigns as people edit them.';
COMMENT ON COLUMN campaigns.next_check_at IS
    'While scheduled: when the campaign is examined next, to start it or plan it.';
COMMENT ON COLUMN campaigns.tags IS 'Words by which people find it.';
COMMENT ON COLUMN campaigns.quiet_hours IS 'Those of this campaign, as in apps. Null: those of the app.';
COMMENT ON COLUMN campaigns.frequency_cap_count IS 'With frequency_cap_days the cap of this campaign. Null: that of the app.';
COMMENT ON COLUMN campaigns.goal IS 'By what an A/B test is decided. Event: the custom event goal_event_name; value: the sum of its values.';
COMMENT ON COLUMN campaigns.winner IS
    'The part of the audience that is tested, and how the variant of the rest is found: {"share": 200, "decision": "automatic", …}. Null: all are tested.';
COMMENT ON COLUMN campaigns.control_share IS
    'The part of the recipients, in thousandths, who get nothing, so that the effect of the campaign can be seen.';
COMMENT ON COLUMN campaigns.runs_started IS
    'The number of its runs. A campaign that is sending and has none is started next.';
COMMENT ON COLUMN campaigns.expiration_seconds IS
    'How long a push is worth delivering; 0: one attempt, not stored by Apple.';
COMMENT ON COLUMN campaigns.grace_seconds IS 'How late a missed occurrence may start without asking.';
COMMENT ON COLUMN campaigns.collapse_id IS
    'Null: Belfry sets one per run, so that a push that is sent again replaces the first.';
COMMENT ON COLUMN campaigns.unknown_policy IS 'Whether pushes with an unknown outcome are sent again, once.';
COMMENT ON COLUMN campaigns.reason IS 'Why the campaign is paused or failed, or why an occurrence was skipped.';
COMMENT ON COLUMN campaigns.reason_localization IS
    'The same as a key and arguments, which pages translate: {"key": "…{}…", "arguments": […]}.';
COMMENT ON COLUMN campaigns.rejection_threshold_percent IS
    'Rejections per 100 answers that pause the run; null: no threshold.';
COMMENT ON COLUMN campaigns.payload IS 'A payload that is sent unchanged.';
COMMENT ON COLUMN campaigns.content IS
    'The campaign''s own text, with languages and Liquid: {"payload": …, "variants": {"ja": …}, "media": …}.';
COMMENT ON COLUMN campaigns.variants IS
    'The contents of an A/B test: [{"name": …, "content": …}], or with a payload or a template in place of the content. Null: there is one content.';
COMMENT ON COLUMN campaigns.variant_weights IS
    'The weights of the variants in thousandths, and after them those of each change since the first run: [[500, 500], [800, 200]].';
COMMENT ON COLUMN campaigns.salt IS 'Draws who gets which variant.';
COMMENT ON COLUMN campaigns.handled_until IS 'Occurrences of the schedule up to this time were started or skipped.';
COMMENT ON COLUMN campaigns.schedule_paused_at IS 'When the schedule was paused; null: it is not.';
COMMENT ON COLUMN campaigns.starts_at IS 'When a start by hand takes effect; null: no start is delayed.';

CREATE TABLE segment_uses (
    app_id bigint NOT NULL,
    segment_id bigint NOT NULL,
    by_segment_id bigint,
    by_campaign_id bigint,
    UNIQUE (app_id, by_segment_id, segment_id),
    UNIQUE (app_id, by_campaign_id, segment_id),
    FOREIGN KEY (app_id, segment_id) REFERENCES segments,
    FOREIGN KEY (app_id, by_segment_id) REFERENCES segments ON DELETE CASCADE,
    FOREIGN KEY (app_id, by_campaign_id) REFERENCES campaigns ON DELETE CASCADE,
    CHECK ((by_segment_id IS NULL) <> (by_campaign_id IS NULL)),
    CHECK (by_segment_id <> segment_id)
);
-- Uses of a segment, which deleting it looks for.
CREATE INDEX segment_uses_of ON segment_uses (app_id, segment_id);

COMMENT ON TABLE segment_uses IS 'The segments and campaigns that use a segment. A used segment can''t be deleted.';

CREATE TABLE campaign_media (
    app_id bigint NOT NULL,
    campaign_id bigint NOT NULL,
    media_id bigint NOT NULL,
    PRIMARY KEY (app_id, campaign_id, media_id),
    FOREIGN KEY (app_id, campaign_id) REFERENCES campaigns ON DELETE CASCADE,
    CONSTRAINT campaign_media_media_fkey FOREIGN KEY (app_id, media_id) REFERENCES media
);
-- Uses of media, which deleting them looks for.
CREATE INDEX campaign_media_of ON campaign_media (app_id, media_id);

COMMENT ON TABLE campaign_media IS
    'The media that campaigns'' own contents name now. Media in use can''t be deleted.';

-- A trigger keeps them, so that no statement that changes a campaign forgets them.
CREATE FUNCTION keep_campaign_media() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM campaign_media WHERE app_id = NEW.app_id AND campaign_id = NEW.id;
    INSERT INTO campaign_media (app_id, campaign_id, media_id)
    SELECT DISTINCT NEW.app_id, NEW.id, media_of(c.content)
    FROM (
        SELECT NEW.content UNION ALL SELECT v -> 'content' FROM json_array_elements(NEW.variants) AS v
    ) AS c (content)
    WHERE media_of(c.content) IS NOT NULL;
    RETURN NULL;
END
$$;
CREATE TRIGGER keep_campaign_media AFTER INSERT OR UPDATE OF content, variants ON campaigns
    FOR EACH ROW EXECUTE FUNCTION keep_campaign_media();

CREATE TABLE approvals (
    app_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    campaign_id bigint NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    overdue_at timestamptz,
    decided_at timestamptz,
    voided_at timestamptz,
    recipients bigint NOT NULL CHECK (recipients >= 0),
    requested_by bigint REFERENCES users ON DELETE SET NULL,
    decided_by bigint REFERENCES users ON DELETE SET NULL,
    requester text NOT NULL,
    decider text,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'rejected', 'withdrawn', 'void')),
    comment text NOT NULL CHECK (char_length(comment) <= 1000),
    decision_comment text CHECK (char_length(decision_comment) <= 1000),
    content json NOT NULL,
    PRIMARY KEY (app_id, id),
    FOREIGN KEY (app_id, campaign_id) REFERENCES campaigns ON DELETE CASCADE,
    CONSTRAINT approvals_are_decided_by_another CHECK (
        state <> 'approved' OR decided_by IS DISTINCT FROM requested_by OR decided_by IS NULL
    ),
    CONSTRAINT approvals_decided CHECK (
        CASE state WHEN 'waiting' THEN decided_at IS NULL WHEN 'void' THEN voided_at IS NOT NULL
            ELSE decided_at IS NOT NULL AND decider IS NOT NULL END
    )
);
-- The newest of a campaign; and at most one that is waiting or holds.
CREATE INDEX approvals_of_campaign ON approvals (app_id, campaign_id, id);
CREATE UNIQUE INDEX approvals_in_force ON approvals (app_id, campaign_id) WHERE state IN ('waiting', 'approved');
CREATE INDEX approvals_waiting ON approvals (app_id, id) WHERE state = 'waiting';

COMMENT ON TABLE approvals IS 'Requests to approve a campaign as it is, and what became of them.';
COMMENT ON COLUMN approvals.overdue_at IS 'The time of the campaign, after which nobody can approve it; null: any time.';
COMMENT ON COLUMN approvals.voided_at IS 'When a change to the campaign, or a new request, made it void.';
COMMENT ON COLUMN approvals.recipients IS 'The size of the audience when the approval was requested.';
COMMENT ON COLUMN approvals.requested_by IS 'The person, or the person who created the API key. Null: a key of the console.';
COMMENT ON COLUMN approvals.requester IS 'The name of the person or the key.';
COMMENT ON COLUMN approvals.content IS
    'The approved content, audience, schedule and options as in the API, and the audience with its segments resolved.';

-- Campaigns name topics, templates and media, versions of templates name media, and uses name segments, which they protect from
-- deletion. So they go first when their app is deleted: the order of the cascades is that in which tables were created.
CREATE FUNCTION forget_uses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM segment_uses WHERE app_id = OLD.id;
    DELETE FROM campaigns WHERE app_id = OLD.id;
    DELETE FROM templates WHERE app_id = OLD.id;
    RETURN OLD;
END
$$;
CREATE TRIGGER forget_uses BEFORE DELETE ON apps FOR EACH ROW EXECUTE FUNCTION forget_uses();

-- 40 bits of each message ID: one number per run.
CREATE SEQUENCE message_numbers AS bigint MINVALUE 1 MAXVALUE 1099511627775;

CREATE TABLE control_periods (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    starts_at timestamptz NOT NULL DEFAULT now(),
    ends_at timestamptz NOT NULL,
    counted_at timestamptz,
    count_next_at timestamptz,
    treated bigint NOT NULL DEFAULT 0,
    treated_converted bigint NOT NULL DEFAULT 0,
    control bigint NOT NULL DEFAULT 0,
    control_converted bigint NOT NULL DEFAULT 0,
    first_digit smallint NOT NULL CHECK (first_digit BETWEEN 0 AND 999),
    share smallint NOT NULL CHECK (share BETWEEN 10 AND 200),
    event_name text NOT NULL,
    PRIMARY KEY (app_id, id),
    CONSTRAINT control_periods_end CHECK (ends_at >= starts_at),
    CONSTRAINT control_periods_are_parts
        CHECK (treated_converted BETWEEN 0 AND treated AND control_converted BETWEEN 0 AND control)
);
CREATE INDEX control_periods_due ON control_periods (count_next_at) WHERE count_next_at IS NOT NULL;

COMMENT ON TABLE control_periods IS 'Periods in which a part of an app''s people get no campaigns, and what came of it.';
COMMENT ON COLUMN control_periods.count_next_at IS 'Null: the count is final.';
COMMENT ON COLUMN control_periods.first_digit IS
    'The control group has the people whose digit (0 to 999) is in the range that begins here and has share digits.';

CREATE TABLE runs (
    app_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    campaign_id bigint NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    planned_at timestamptz,
    finished_at timestamptz,
    verified_at timestamptz,
    expires_at timestamptz NOT NULL,
    device_ceiling bigint NOT NULL,
    plan_cursor bigint NOT NULL DEFAULT 0,
    plan_lease_until timestamptz,
    planner uuid,
    estimated bigint NOT NULL,
    targeted bigint,
    accepted bigint,
    rejected bigint,
    suppressed bigint,
    expired bigint,
    cancelled bigint,
    unknown bigint,
    expiration_seconds integer NOT NULL,
    message_key_version smallint NOT NULL,
    priority smallint NOT NULL,
    state text NOT NULL DEFAULT 'sending' CHECK (state IN ('sending', 'paused', 'cancelled', 'finished')),
    push_type text NOT NULL,
    collapse_id text,
    unknown_policy text NOT NULL CHECK (unknown_policy IN ('resend', 'leave')),
    reason text,
    reason_localization jsonb,
    topic text COLLATE "C",
    -- Settings change, and the ledger has to say where the pushes went.
    destination text CHECK (destination IN ('apple', 'simulator')),
    -- This and the next four: what payloads depend on besides the content, as it was when the run began.
    message_id_key text NOT NULL,
    default_locale text NOT NULL,
    default_time_zone text NOT NULL,
    attachment_url_key text NOT NULL,
    attachment_type_key text,
    pushes_per_second integer CHECK (pushes_per_second BETWEEN 1 AND 1000000),
    rejection_threshold_percent smallint CHECK (rejection_threshold_percent BETWEEN 1 AND 100),
    occurrence json,
    quiet_hours json,
    frequency_cap_count smallint,
    frequency_cap_days smallint,
    audience json NOT NULL,
    trigger_key text COLLATE "C" CHECK (octet_length(trigger_key) BETWEEN 1 AND 255),
    trigger_body_hash bytea CHECK (octet_length(trigger_body_hash) = 32),
    version integer NOT NULL DEFAULT 1,
    salt bigint NOT NULL DEFAULT 0,
    variant_map bytea CHECK (octet_length(variant_map) = 1000),
    control_share smallint CHECK (control_share BETWEEN 10 AND 500),
    test_share smallint CHECK (test_share BETWEEN 10 AND 900),
    control_period bigint,
    values jsonb,
    recipients_deleted_at timestamptz,
    generation bigint NOT NULL DEFAULT present_generation(),
    planned_total bigint NOT NULL DEFAULT 0 CHECK (planned_total >= 0),
    deferred bigint,
    resent bigint,
    trigger_owner text COLLATE "C" CHECK (trigger_owner ~ '^(key|user):[0-9]+$'),
    schedule_time_zone text,
    tests_times boolean NOT NULL DEFAULT false,
    PRIMARY KEY (app_id, id),
    FOREIGN KEY (app_id, campaign_id) REFERENCES campaigns ON DELETE CASCADE,
    CHECK ((state = 'finished') = (finished_at IS NOT NULL) OR state = 'cancelled'),
    CHECK (verified_at IS NULL OR targeted = accepted + rejected + suppressed + expired + cancelled + unknown),
    CONSTRAINT runs_trigger_key_has_its_body CHECK ((trigger_key IS NULL) = (trigger_body_hash IS NULL)),
    CONSTRAINT runs_values_are_an_object CHECK (jsonb_typeof(values) = 'object' AND pg_column_size(values) <= 16384),
    CONSTRAINT runs_verified_with_all_totals CHECK (verified_at IS NULL OR deferred IS NOT NULL AND resent IS NOT NULL),
    CONSTRAINT runs_trigger_key_has_its_owner CHECK ((trigger_key IS NULL) = (trigger_owner IS NULL)),
    FOREIGN KEY (app_id, control_period) REFERENCES control_periods,
    CONSTRAINT runs_test_a_share_of_variants CHECK (test_share IS NULL OR variant_map IS NOT NULL),
    CONSTRAINT runs_test_times_at_the_best_time CHECK (
        NOT tests_times OR variant_map IS NOT NULL AND occurrence ->> 'best_time_until' IS NOT NULL
    )
);
-- Runs whose lists of recipients are due for deletion.
CREATE INDEX runs_finished ON runs (app_id, finished_at) WHERE finished_at IS NOT NULL AND recipients_deleted_at IS NULL;
CREATE INDEX runs_of_campaign ON runs (campaign_id, app_id, id);
-- The few runs that planners and finishers look for.
CREATE INDEX runs_open ON runs (id) WHERE finished_at IS NULL;
CREATE INDEX runs_of_control_period ON runs (app_id, control_period) WHERE control_period IS NOT NULL;
-- Runs whose events can be recent.
CREATE INDEX runs_started ON runs (started_at, app_id) INCLUDE (id);
CREATE UNIQUE INDEX runs_trigger_key ON runs (campaign_id, app_id, trigger_owner, trigger_key)
    WHERE trigger_key IS NOT NULL;

COMMENT ON TABLE runs IS 'One sending of a campaign, with content and options frozen when it began.';
COMMENT ON COLUMN runs.planned_at IS 'When the last recipient was planned.';
COMMENT ON COLUMN runs.verified_at IS 'When the recount of the outcome bytes agreed with the counters.';
COMMENT ON COLUMN runs.device_ceiling IS 'Devices registered later are not in the run.';
COMMENT ON COLUMN runs.plan_cursor IS 'The last device id that was scanned.';
COMMENT ON COLUMN runs.estimated IS 'The estimated number of recipients when the run began.';
COMMENT ON COLUMN runs.targeted IS 'This and the terms after it: the recount, null until the run has finished.';
COMMENT ON COLUMN runs.destination IS 'Null until planning begins.';
COMMENT ON COLUMN runs.occurrence IS 'The occurrence of the schedule: {"kind": "at", …} or {"kind": "local", …}.';
COMMENT ON COLUMN runs.reason_localization IS
    'The same as a key and arguments, which pages translate: {"key": "…{}…", "arguments": […]}.';
COMMENT ON COLUMN runs.audience IS 'The audience with its segments resolved.';
COMMENT ON COLUMN runs.trigger_key IS 'The idempotency key of the request that triggered the run.';
COMMENT ON COLUMN runs.variant_map IS
    'The variant of each of 1,000 buckets, into which people fall by a hash with the salt. Null: there is one variant.';
COMMENT ON COLUMN runs.test_share IS
    'The part of the recipients who are tested, in thousandths; the rest waits for test_decisions. Null: all are tested.';
COMMENT ON COLUMN runs.control_share IS
    'The part of the recipients who are in the control group, in thousandths. Null: there is none.';
COMMENT ON COLUMN runs.control_period IS 'Whose people get nothing. Null: the campaign reaches everybody.';
COMMENT ON COLUMN runs.version IS 'Raised when a person or the dispatcher pauses, resumes, cancels or changes the run.';
COMMENT ON COLUMN runs.values IS
    'Values of the API call that triggered the run; in its content they replace attributes with the same names. Null: none.';
COMMENT ON COLUMN runs.recipients_deleted_at IS 'When the lists of its recipients were deleted; null: they are there.';
COMMENT ON COLUMN runs.generation IS 'The generation of the database in which the run began, or was resumed.';
COMMENT ON COLUMN runs.planned_total IS 'The number of recipients planned so far, raised with plan_cursor.';
COMMENT ON COLUMN runs.deferred IS
    'How often recipients were moved to a later batch. They are in the other terms, too.';
COMMENT ON COLUMN runs.resent IS 'The number of recipients who were unknown and were sent to again.';
COMMENT ON COLUMN runs.trigger_owner IS 'The sender of the request that triggered the run: an API key or a person.';
COMMENT ON COLUMN runs.tests_times IS
    'The variants are groups with the same content: 0 each at its best time, 1 all at the same hour, 2 at any hour.';
COMMENT ON COLUMN runs.schedule_time_zone IS
    'The zone of the schedule''s clock, by which conditions about days mean today; null: default_time_zone.';

-- Each variant of a run is a message of its own, so events, counts and message IDs tell them apart.
CREATE TABLE run_variants (
    app_id bigint NOT NULL,
    run_id bigint NOT NULL,
    message_number bigint NOT NULL DEFAULT nextval('message_numbers'),
    template_id bigint,
    template_version integer,
    variant smallint NOT NULL CHECK (variant BETWEEN 0 AND 9),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 40),
    payload json,
    content json CHECK (json_typeof(content) = 'object'),
    -- Media stay as long as a run that sent them.
    media_id bigint GENERATED ALWAYS AS (media_of(content)) STORED,
    PRIMARY KEY (app_id, run_id, variant),
    UNIQUE (message_number, app_id),
    FOREIGN KEY (app_id, run_id) REFERENCES runs ON DELETE CASCADE,
    FOREIGN KEY (app_id, template_id, template_version) REFERENCES template_versions,
    CONSTRAINT run_variants_media_fkey FOREIGN KEY (app_id, media_id) REFERENCES media,
    CONSTRAINT run_variants_content CHECK (num_nonnulls(payload, content, template_id) = 1),
    CONSTRAINT run_variants_template_version CHECK ((template_id IS NULL) = (template_version IS NULL))
);
CREATE INDEX run_variants_media ON run_variants (app_id, media_id) WHERE media_id IS NOT NULL;

COMMENT ON TABLE run_variants IS 'The contents of runs, frozen when they began. A run without an A/B test has one variant.';
COMMENT ON COLUMN run_variants.message_number IS 'Part of each message ID of the variant.';
COMMENT ON COLUMN run_variants.variant IS 'Its place in the campaign, from 0.';

CREATE TABLE tag_changes (
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'finished', 'cancelled', 'failed')),
    reason text,
    reason_localization jsonb,
    audience json NOT NULL CHECK (json_typeof(audience) = 'object'),
    resolved_audience json NOT NULL CHECK (json_typeof(resolved_audience) = 'object'),
    -- Of the devices, and below of their users.
    add_tags text[] COLLATE "C" NOT NULL,
    remove_tags text[] COLLATE "C" NOT NULL,
    person_add_tags text[] COLLATE "C" NOT NULL,
    person_remove_tags text[] COLLATE "C" NOT NULL,
    first_device bigint NOT NULL,
    device_ceiling bigint NOT NULL,
    cursor bigint NOT NULL,
    devices_matched bigint NOT NULL DEFAULT 0,
    devices_changed bigint NOT NULL DEFAULT 0,
    people_changed bigint NOT NULL DEFAULT 0,
    skipped bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, id),
    CONSTRAINT tag_changes_end CHECK ((state = 'running') = (finished_at IS NULL)),
    CONSTRAINT tag_changes_cursor CHECK (first_device <= cursor AND cursor <= device_ceiling),
    CONSTRAINT tag_changes_tags CHECK (
        cardinality(add_tags || remove_tags || person_add_tags || person_remove_tags) BETWEEN 1 AND 400
    )
);
CREATE INDEX tag_changes_running ON tag_changes (updated_at) WHERE state = 'running';

COMMENT ON TABLE tag_changes IS 'Changes to the tags of everybody in an audience, with their progress.';
COMMENT ON COLUMN tag_changes.reason_localization IS
    'The same as a key and arguments, which pages translate: {"key": "…{}…", "arguments": […]}.';
COMMENT ON COLUMN tag_changes.resolved_audience IS
    'The audience with its segments replaced by their conditions when the change was created.';
COMMENT ON COLUMN tag_changes.cursor IS 'The last device that was looked at, from first_device to device_ceiling.';
COMMENT ON COLUMN tag_changes.skipped IS 'Devices and people who would have had more than 100 tags.';
