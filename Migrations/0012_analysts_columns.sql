-- Comments: those of a name in all views, and over them those of one view. A column without a comment is an error.
DO $$
DECLARE
    shared jsonb := '{
        "accepted": "Recipients whose push Apple accepted.",
        "action": "Identifier of the action.",
        "actions": "Chosen actions. A device can report several.",
        "app": "Name of the app.",
        "app_id": "Number of the app; together with an identifier of a row, the key to join views on.",
        "app_version": "Version of the app. Empty or null: not known.",
        "archived_at": "When it was archived; null: it is in use.",
        "audience": "Conditions, as JSON.",
        "batch_id": "Number of the batch, see batches.",
        "bundle_id": "Bundle ID, to which Apple delivers.",
        "campaign": "Name of the campaign, as it is now.",
        "campaign_id": "Number of the campaign. Null for transactional pushes.",
        "cancelled": "Recipients for whom somebody cancelled the campaign or the run first.",
        "content": "The content with its variants by locale, as JSON. Null: the text is in payload or in a template.",
        "conversion_value": "The sum of the values of conversions.",
        "conversions": "Reported conversions.",
        "count": "The number of outcomes or events.",
        "created_at": "When it was created.",
        "deferred": "How often recipients were moved to a later batch, which has their outcome. No term of the sum.",
        "delivered": "Devices that showed the push; each event proves that.",
        "device_id": "Number of the device; with app_id the key of devices_current.",
        "dismissed": "Devices on which the notification was dismissed.",
        "due_at": "From when on the push could be sent.",
        "engaged": "Devices on which the push was opened, an action was chosen or a reply was typed; each counts once.",
        "environment": "production or development: the environment of Apple to which the device token belongs.",
        "expired": "Recipients to whom the push could not be sent before its expiration.",
        "influenced": "Devices on which the app was opened soon after the push, without a tap on it.",
        "locale": "Language and region, in canonical form. Empty or null: not known.",
        "measure": "What was counted: an outcome or a kind of event.",
        "message_number": "Number of the variant''s message or of the transactional push''s; with app_id and device_id the key of a delivery.",
        "opened": "Devices on which the push was tapped.",
        "opt_outs": "Keys of topics that were opted out of; * is the opt-out from all campaigns.",
        "os_version": "Version of iOS. Empty or null: not known.",
        "payload": "The payload as JSON, if it is sent unchanged; null: the text is in content or in a template.",
        "presented": "Devices on which the app was open and showed the push itself.",
        "profile": "Code of locale, versions and counted tags, see profiles; 0: not known.",
        "push_type": "Apple''s push type: alert, background and so on.",
        "rejected": "Recipients whose push Apple rejected.",
        "replies": "Replies that were typed.",
        "resent": "Recipients who were unknown and were sent to again. They are counted under their last outcome.",
        "run_id": "Number of the run, one sending of a campaign. Null for transactional pushes.",
        "suppressed": "Recipients to whom the push was not sent on purpose.",
        "tags": "Tags.",
        "template_id": "Number of the template; null: none, the text is in content or in payload.",
        "template_version": "Version of the template.",
        "topic": "Topic that recipients can opt out of; null: none.",
        "unknown": "Recipients whose push may or may not have reached Apple.",
        "updated_at": "When it was last changed.",
        "user_id": "User of the device. Null: nobody, or a person who was erased.",
        "variant": "The variant''s place in the campaign, from 0, see variant_funnel. Null for transactional pushes."
    }';
    own jsonb := '{
        "acknowledgements": {
            "action": "Identifier of the action, or name of the conversion; empty for other kinds.",
            "happened_at": "On the device''s clock, unless is_time_corrected.",
            "is_implied": "The device has not reported this delivery, but another event of the push, which proves it.",
            "is_time_corrected": "happened_at is not the device''s time, because its clock was wrong or its time was unreadable.",
            "kind": "delivered, presented, opened, action, dismissed, text (a reply), converted or influenced.",
            "received_at": "When Belfry received it.",
            "text": "The reply that a person typed. Null for other kinds, and once it was erased.",
            "user_id": "User whose device it was when it happened. Null: nobody, or a person who was erased.",
            "value": "Value of a conversion, in the unit that the app chose."
        },
        "apps": {
            "default_locale": "Locale of texts for devices whose locale has no variant.",
            "default_time_zone": "Time zone of devices that report none."
        },
        "batches": {
            "deferred_from": "Number of the batch from which these recipients were moved; null: they were planned so.",
            "ended_at": "When the last outcome was stored.",
            "pending": "Recipients who wait, or are being sent to.",
            "retries": "How often its recipients were deferred.",
            "size": "Number of recipients: the sum of pending, the outcomes and deferred.",
            "state": "ready, leased (being sent) or done."
        },
        "breakdowns": {
            "amount": "The sum of the values of conversions.",
            "dimension": "total, locale, os_version, app_version, tag, action, reason or delay.",
            "sent_on": "Day (UTC) on which the run began or the transactional push was due.",
            "value": "Value of the dimension. A delay is in seconds from the push to its opening, rounded down to a step."
        },
        "campaign_funnel": {
            "audience": "Conditions with segments replaced by theirs, as they were when the run began, as JSON.",
            "estimated": "Estimated number of recipients when the run began.",
            "expires_at": "Until when pushes of the run may be sent.",
            "finished_at": "When the last outcome was stored; null: the run has not ended.",
            "is_verified": "The recount of all outcomes agreed with the counters.",
            "planned_at": "When the last recipient was planned.",
            "reason": "Why the run is paused; null: it is not.",
            "started_at": "When the run began.",
            "state": "sending, paused, cancelled or finished.",
            "targeted": "Recipients of the run: the sum of accepted, rejected, suppressed, expired, cancelled and unknown."
        },
        "campaigns": {
            "reason": "Why the campaign is paused or failed, or why an occurrence was skipped.",
            "runs": "Number of its runs.",
            "schedule": "Schedule, as JSON; null: it is started by hand or by a request.",
            "state": "draft, scheduled, sending, paused, sent, cancelled or failed."
        },
        "categories": {
            "category_id": "Number of the category.",
            "definition": "Actions and options, as JSON.",
            "identifier": "Identifier of the category, as the app knows it."
        },
        "conversions": {
            "direct": "Events of people who had engaged with this push last.",
            "direct_amount": "Sum of the values of these events.",
            "influenced": "Events of people who were sent this push last, and had engaged with none.",
            "influenced_amount": "Sum of the values of these events.",
            "name": "Name of the event, which the app chose.",
            "started_at": "When the run began."
        },
        "custom_events": {
            "device_id": "Number of the device; null: a server reported it of a user.",
            "happened_at": "On the clock of the device or the server, unless is_time_corrected.",
            "is_time_corrected": "happened_at is not the time that was reported, because the clock was wrong or the time was unreadable.",
            "name": "Name of the event, which the app chose.",
            "properties": "Properties, as JSON; null: none.",
            "received_at": "When Belfry received it.",
            "user_id": "User of the device when the event arrived, or the one that a server named; null: none.",
            "value": "Value, in the unit that the app chose; null: none."
        },
        "deferrals": {
            "batch_id": "Number of the batch from which the recipient was moved.",
            "due_at": "When that batch was due."
        },
        "deliveries": {
            "acted": "An action was chosen or a reply was typed.",
            "action": "Identifier of the first action that was chosen or replied with; null: none.",
            "app_version": "Version of the app when the push was sent. Empty or null: not known.",
            "conversions": "Number of conversions that the device reported for the push.",
            "delivered_at": "When the device showed the push; null: it reported nothing.",
            "dismissed_at": "When the notification was dismissed; null: it was not, or the device did not report it.",
            "ended_at": "When the last outcome of the batch was stored: the push was sent between due_at and this.",
            "engaged": "The push was opened, an action was chosen or a reply was typed.",
            "engaged_at": "When the first of these happened.",
            "influenced_at": "When the app was opened soon after the push, without a tap on it.",
            "is_resent": "The outcome was unknown once, and the push was sent again.",
            "locale": "Locale of the device when the push was sent. Empty or null: not known.",
            "opened_at": "When the push was tapped; null: it was not, or the device did not report it.",
            "os_version": "Version of iOS when the push was sent. Empty or null: not known.",
            "outcome": "accepted, rejected, suppressed, expired, cancelled, unknown or pending.",
            "reason": "Apple''s reason word for word, or Belfry''s; null if there is none.",
            "replied": "A reply was typed; acknowledgements has its text.",
            "user_id": "User whose device it was when the run began, or when the transactional push was due. Null: nobody, or a person who was erased.",
            "value": "Sum of the values of the conversions; null: none had a value.",
            "was_deferred": "The recipient was moved to a later batch before this outcome; see deferrals."
        },
        "device_past": {
            "profile": "Code of locale, versions and counted tags until then, see profiles; 0: not known.",
            "until": "Until when the device had this user and profile. The device''s row in devices_current holds since the last one.",
            "user_id": "User until then. Null: nobody, or a person who was erased."
        },
        "devices_current": {
            "activity": "Identifier of the Live Activity, for its updates; otherwise empty.",
            "attributes": "Attributes of the device, and over them those of its user, as JSON.",
            "authorization_status": "not_determined, denied, authorized, provisional or ephemeral.",
            "created_at": "When the device registered first.",
            "installation": "Handle of the device: ~ and its number. The installation itself is secret.",
            "is_test": "Whether the device is a test device.",
            "kind": "What the token receives: alert, voip, live_activity_start and so on.",
            "last_seen_at": "When the device was last seen, to the day.",
            "model": "Model of the device.",
            "nickname": "Name of a test device.",
            "registered": "The device can be sent to.",
            "retired_at": "When it was retired; null: it is registered.",
            "retired_reason": "unregistered, token_expired, bad_token, token_moved or removed.",
            "time_zone": "Time zone of the device, as IANA names it.",
            "token_registered_at": "When the app last registered the token."
        },
        "devices_daily": {
            "active": "Devices that were seen on the day.",
            "day": "Day (UTC).",
            "new": "Devices that registered first.",
            "registered_again": "Devices that registered after they were retired.",
            "retired": "Devices that were retired."
        },
        "events_by_quarter": {
            "amount": "The sum of the values of conversions.",
            "campaign_id": "Number of the campaign. Null for transactional pushes and refused events.",
            "quarter": "Beginning of the quarter of an hour."
        },
        "events_daily": {
            "campaign_id": "Number of the campaign. Null for transactional pushes and refused events.",
            "day": "Day (UTC) on which it happened.",
            "refused_events": "Events that were refused: of unknown messages, too early or too late."
        },
        "local_events": {
            "action": "Identifier of the action; empty for other kinds.",
            "happened_at": "On the device''s clock, unless is_time_corrected.",
            "is_time_corrected": "happened_at is not the device''s time, because its clock was wrong or its time was unreadable.",
            "kind": "presented, opened, action or dismissed.",
            "notification": "Identifier of the notification in its plan.",
            "plan": "Name of the plan, as it is now; null: it was deleted.",
            "plan_id": "Number of the plan of local notifications.",
            "plan_version": "Version of the plan that the device had scheduled.",
            "received_at": "When Belfry received it."
        },
        "people": {
            "attributes": "Attributes that hold on all of the user''s devices, as JSON.",
            "user_id": "User ID, as the app''s server knows it."
        },
        "profiles": {
            "profile": "Code of the profile, from 1.",
            "tags": "Those of its tags that statistics tell apart."
        },
        "segments": {
            "name": "Name of the segment.",
            "segment_id": "Number of the segment."
        },
        "templates": {
            "created_at": "When the version was created.",
            "name": "Name of the template, as it is now."
        },
        "topics": {
            "description": "Description that people read.",
            "name": "Name that people read.",
            "topic": "Key of the topic."
        },
        "variant_funnel": {
            "pending": "Recipients who wait, or are being sent to.",
            "started_at": "When the run began.",
            "targeted": "Recipients of the variant: the sum of accepted, rejected, suppressed, expired, cancelled, unknown and pending.",
            "variant_name": "Name of the variant."
        }
    }';
    found record;
BEGIN
    FOR found IN
        SELECT c.relname, a.attname, coalesce(own -> c.relname ->> a.attname, shared ->> a.attname) AS text
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'bi'::regnamespace AND c.relkind = 'v' AND a.attnum > 0
    LOOP
        IF found.text IS NULL THEN RAISE 'bi.%.% has no comment', found.relname, found.attname; END IF;
        EXECUTE format('COMMENT ON COLUMN bi.%I.%I IS %L', found.relname, found.attname, found.text);
    END LOOP;
END
$$;
