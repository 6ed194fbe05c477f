import Campaigns
import Notifications

extension Schemas {
    static let campaigns = #"""
        {
          "Payload": {
            "type": "object", "description": "The payload that the device receives: Apple's `aps` and the app's own keys.",
            "properties": {"aps": {"type": "object"}}, "examples": [{"aps": {"alert": {"title": "Hello"}}}]
          },
          "PushType": {"type": "string", "enum": ["alert", "background", "location", "voip", "complication",
            "fileprovider", "mdm", "liveactivity", "pushtotalk", "widgets", "controls"]},
          "CampaignNew": {
            "type": "object", "required": ["name"], "additionalProperties": false,
            "oneOf": [{"required": ["payload"]}, {"required": ["template"]}],
            "properties": {
              "name": {"type": "string", "minLength": 1, "maxLength": 200},
              "payload": {"$ref": "#/components/schemas/Payload"},
              "template": {"$ref": "#/components/schemas/ID",
                "description": "Used instead of a payload; it has its own push type."},
              "template_version": {"type": "integer", "minimum": 1,
                "description": "Without it: the newest. The campaign keeps it until the template is set again."},
              "push_type": {"$ref": "#/components/schemas/PushType", "default": "alert"},
              "priority": {"type": ["integer", "null"], "enum": [1, 5, 10, null],
                "description": "Null: the default of the push type."},
              "expiration_seconds": {"type": "integer", "minimum": 0, "maximum": 2592000, "default": 86400,
                "description": "How long APNs stores the push for delivery; 0: one attempt only."},
              "collapse_id": {"type": ["string", "null"], "minLength": 1, "maxLength": 64, "pattern": "^[ -~]+$",
                "description": "Null: Belfry sets one per run."},
              "unknown_policy": {"type": ["string", "null"], "enum": ["resend", "leave", null],
                "description": "What to do with recipients whose outcome is unknown. Null: resend alerts, leave other pushes."},
              "topic": {"anyOf": [{"$ref": "#/components/schemas/TopicKey"}, {"type": "null"}],
                "description": "Recipients who have opted out of it are skipped."},
              "audience": {"anyOf": [{"$ref": "#/components/schemas/Audience"}, {"type": "null"}],
                "description": "Null, or without include: all devices."},
              "schedule": {"anyOf": [{"$ref": "#/components/schemas/Schedule"}, {"type": "null"}],
                "description": "Null: the campaign is started by hand. A schedule takes effect when the campaign is scheduled."},
              "missed_start": {"anyOf": [{"$ref": "#/components/schemas/MissedStart"}, {"type": "null"}]},
              "ignores_quiet_hours": {"type": "boolean", "default": false},
              "ignores_frequency_cap": {"type": "boolean", "default": false},
              "pushes_per_second": {"$ref": "#/components/schemas/PushesPerSecond"},
              "rejection_threshold_percent": {"type": ["integer", "null"], "minimum": 1, "maximum": 100, "default": 50,
                "description": "If more than this percentage of the last responses (up to 5,000) are rejections, sending stops and asks. Null: never."}
            }
          },
          "CampaignChange": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "name": {"$ref": "#/components/schemas/CampaignNew/properties/name"},
              "payload": {"$ref": "#/components/schemas/CampaignNew/properties/payload"},
              "template": {"$ref": "#/components/schemas/CampaignNew/properties/template"},
              "template_version": {"$ref": "#/components/schemas/CampaignNew/properties/template_version"},
              "push_type": {"$ref": "#/components/schemas/CampaignNew/properties/push_type"},
              "priority": {"$ref": "#/components/schemas/CampaignNew/properties/priority"},
              "expiration_seconds": {"$ref": "#/components/schemas/CampaignNew/properties/expiration_seconds"},
              "collapse_id": {"$ref": "#/components/schemas/CampaignNew/properties/collapse_id"},
              "unknown_policy": {"$ref": "#/components/schemas/CampaignNew/properties/unknown_policy"},
              "topic": {"$ref": "#/components/schemas/CampaignNew/properties/topic"},
              "audience": {"$ref": "#/components/schemas/CampaignNew/properties/audience"},
              "schedule": {"$ref": "#/components/schemas/CampaignNew/properties/schedule"},
              "missed_start": {"$ref": "#/components/schemas/CampaignNew/properties/missed_start"},
              "ignores_quiet_hours": {"type": "boolean"}, "ignores_frequency_cap": {"type": "boolean"},
              "pushes_per_second": {"$ref": "#/components/schemas/PushesPerSecond"},
              "rejection_threshold_percent": {"$ref": "#/components/schemas/CampaignNew/properties/rejection_threshold_percent"}
            }
          },
          "PushesPerSecond": {"type": ["integer", "null"], "minimum": 1, "maximum": 1000000,
            "description": "The rate limit of all processes together. Null: no limit."},
          "LocalTime": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$",
            "description": "A local time, without a zone.", "examples": ["2030-01-01T18:00:00"]},
          "IfPast": {"type": "string", "enum": ["skip", "send", "next_day"], "default": "next_day",
            "description": "For time zones in which the local time has passed when the run is planned."},
          "Schedule": {
            "oneOf": [
              {"type": "object", "required": ["kind", "at"], "additionalProperties": false,
                "properties": {"kind": {"const": "at"}, "at": {"$ref": "#/components/schemas/Time"}}},
              {"type": "object", "required": ["kind", "at"], "additionalProperties": false,
                "properties": {"kind": {"const": "local"}, "at": {"$ref": "#/components/schemas/LocalTime"},
                  "if_past": {"$ref": "#/components/schemas/IfPast"}}},
              {"type": "object", "required": ["kind", "rule", "from", "time_zone"], "additionalProperties": false,
                "properties": {"kind": {"const": "recurring"},
                  "rule": {"type": "string", "examples": ["FREQ=WEEKLY;BYDAY=MO,TH"],
                    "description": "RFC 5545: FREQ DAILY, WEEKLY or MONTHLY with INTERVAL, COUNT or UNTIL, BYDAY, BYMONTHDAY, BYMONTH, WKST."},
                  "from": {"$ref": "#/components/schemas/LocalTime"},
                  "time_zone": {"type": "string", "description": "A name like Europe/Berlin, or recipient for each recipient's time zone."},
                  "if_past": {"$ref": "#/components/schemas/IfPast"}}},
              {"type": "object", "required": ["kind"], "additionalProperties": false,
                "properties": {"kind": {"const": "triggered"}}}
            ],
            "examples": [{"kind": "at", "at": "2030-01-01T18:00:00Z"},
              {"kind": "local", "at": "2030-01-01T18:00:00", "if_past": "next_day"},
              {"kind": "recurring", "rule": "FREQ=WEEKLY;BYDAY=MO", "from": "2030-01-07T09:00:00",
                "time_zone": "Europe/Berlin"}]
          },
          "MissedStart": {
            "type": "object", "additionalProperties": false,
            "description": "What to do if no worker was running at the scheduled time, or if the last run had not finished.",
            "properties": {
              "grace_seconds": {"type": "integer", "minimum": 0, "maximum": 604800, "default": 1800,
                "description": "A start that is late by at most this time still happens; a start that is late by a minute always does."},
              "policy": {"type": "string", "enum": ["skip", "send", "ask"], "default": "ask"}
            }
          },
          "ScheduleRequest": {
            "type": "object", "additionalProperties": false,
            "properties": {"schedule": {"$ref": "#/components/schemas/Schedule"}}
          },
          "Trigger": {
            "type": "object", "additionalProperties": false,
            "properties": {"user_ids": {"type": "array", "minItems": 1, "maxItems": 10000, "items": {"type": "string"},
              "description": "Limits the run to these users; they must also be in the audience."}}
          },
          "TriggerResult": {"type": "object", "required": ["run_id"],
            "properties": {"run_id": {"$ref": "#/components/schemas/ID"}}},
          "CampaignCopy": {
            "type": "object", "additionalProperties": false,
            "properties": {"name": {"type": "string", "minLength": 1, "maxLength": 200}}
          },
          "Forecast": {
            "type": "object", "description": "What would happen if the campaign started now. Nothing is sent or stored.",
            "required": ["problems", "occurrence", "audience", "is_exact", "devices_scanned", "sent", "expired",
              "starts_at", "ends_at", "pushes_per_second", "held", "suppressed", "timeline", "next_occurrences"],
            "properties": {
              "problems": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"},
                "description": "The reasons why the campaign can't be scheduled or started now."},
              "occurrence": {"type": ["string", "null"],
                "description": "A time, or a local time without a zone; null if it is started by hand."},
              "audience": {"$ref": "#/components/schemas/Count"},
              "is_exact": {"type": "boolean", "description": "False: an estimate from a part of the devices or payloads."},
              "devices_scanned": {"$ref": "#/components/schemas/Count"},
              "sent": {"$ref": "#/components/schemas/Count"}, "expired": {"$ref": "#/components/schemas/Count"},
              "starts_at": {"$ref": "#/components/schemas/TimeOrNull"},
              "ends_at": {"$ref": "#/components/schemas/TimeOrNull"},
              "pushes_per_second": {"type": "integer", "description": "The lowest rate limit, or the assumed rate if there is none."},
              "held": {"type": "array", "items": {"$ref": "#/components/schemas/ForecastReason"}},
              "suppressed": {"type": "array", "items": {"$ref": "#/components/schemas/ForecastReason"}},
              "timeline": {"type": "array", "items": {"type": "object", "required": ["from", "to", "count"],
                "properties": {"from": {"$ref": "#/components/schemas/Time"}, "to": {"$ref": "#/components/schemas/Time"},
                  "count": {"$ref": "#/components/schemas/Count"}}}},
              "next_occurrences": {"type": "array", "maxItems": 5, "items": {"type": "string"},
                "description": "The occurrences after this one."}
            }
          },
          "ForecastReason": {"type": "object", "required": ["reason", "count"],
            "properties": {"reason": {"type": "string"}, "count": {"$ref": "#/components/schemas/Count"}}},
          "CampaignState": {"type": "string",
            "enum": ["draft", "scheduled", "sending", "paused", "sent", "cancelled", "failed"]},
          "Campaign": {
            "type": "object",
            "required": ["id", "app_id", "name", "state", "reason", "payload", "template", "template_version",
              "push_type", "priority", "expiration_seconds", "collapse_id", "unknown_policy", "topic", "audience",
              "schedule", "next_at", "missed_start", "ignores_quiet_hours", "ignores_frequency_cap",
              "pushes_per_second", "rejection_threshold_percent", "version", "warnings", "archived_at", "created_at", "updated_at"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "app_id": {"$ref": "#/components/schemas/ID"},
              "name": {"type": "string"}, "state": {"$ref": "#/components/schemas/CampaignState"},
              "reason": {"type": ["string", "null"],
                "description": "Why it is paused or failed, or why an occurrence was skipped."},
              "payload": {"anyOf": [{"$ref": "#/components/schemas/Payload"}, {"type": "null"}]},
              "template": {"anyOf": [{"$ref": "#/components/schemas/ID"}, {"type": "null"}]},
              "template_version": {"type": ["integer", "null"]},
              "push_type": {"$ref": "#/components/schemas/PushType"}, "priority": {"type": "integer"},
              "expiration_seconds": {"type": "integer"}, "collapse_id": {"type": ["string", "null"]},
              "unknown_policy": {"type": "string", "enum": ["resend", "leave"]},
              "topic": {"type": ["string", "null"]},
              "audience": {"$ref": "#/components/schemas/Audience"},
              "schedule": {"anyOf": [{"$ref": "#/components/schemas/Schedule"}, {"type": "null"}]},
              "next_at": {"type": ["string", "null"],
                "description": "The next time at which a scheduled campaign is sent. A local time has no zone."},
              "missed_start": {"$ref": "#/components/schemas/MissedStart"},
              "ignores_quiet_hours": {"type": "boolean"}, "ignores_frequency_cap": {"type": "boolean"},
              "pushes_per_second": {"$ref": "#/components/schemas/PushesPerSecond"},
              "rejection_threshold_percent": {"type": ["integer", "null"]},
              "archived_at": {"$ref": "#/components/schemas/TimeOrNull"},
              "version": {"type": "integer"},
              "warnings": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"},
                "description": "Problems that Apple accepts but a person should know."},
              "created_at": {"$ref": "#/components/schemas/Time"}, "updated_at": {"$ref": "#/components/schemas/Time"}
            }
          },
          "CampaignList": {
            "type": "object", "required": ["data", "next_cursor"],
            "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/Campaign"}},
              "next_cursor": {"$ref": "#/components/schemas/Cursor"}}
          }
        }
        """#

    static let runs = #"""
        {
          "RunChange": {
            "type": "object", "required": ["pushes_per_second"], "additionalProperties": false,
            "properties": {"pushes_per_second": {"$ref": "#/components/schemas/PushesPerSecond"}}
          },
          "OutcomeKind": {"type": "string", "enum": ["pending", "accepted", "rejected", "suppressed", "expired",
            "cancelled", "unknown", "deferred"]},
          "RunTotals": {
            "type": "object",
            "required": ["id", "app_id", "campaign_id", "state", "reason", "destination", "occurrence",
              "pushes_per_second", "started_at", "planned_at", "finished_at",
              "verified_at", "expires_at", "estimated", "targeted", "pending", "accepted", "rejected", "suppressed",
              "expired", "cancelled", "unknown", "deferred", "resent", "balanced"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "app_id": {"$ref": "#/components/schemas/ID"},
              "campaign_id": {"$ref": "#/components/schemas/ID"},
              "state": {"type": "string", "enum": ["sending", "paused", "cancelled", "finished"]},
              "reason": {"type": ["string", "null"]},
              "destination": {"type": ["string", "null"], "enum": ["apple", "simulator", null],
                "description": "The receiver of the pushes: Apple or the simulator. Null: the run is older than this field."},
              "occurrence": {"type": ["string", "null"],
                "description": "The scheduled time: a time, or a local time without a zone."},
              "pushes_per_second": {"$ref": "#/components/schemas/PushesPerSecond"},
              "started_at": {"$ref": "#/components/schemas/Time"},
              "planned_at": {"$ref": "#/components/schemas/TimeOrNull"},
              "finished_at": {"$ref": "#/components/schemas/TimeOrNull"},
              "verified_at": {"$ref": "#/components/schemas/TimeOrNull",
                "description": "When a recount of every recipient agreed with the ledger."},
              "expires_at": {"$ref": "#/components/schemas/Time"},
              "estimated": {"$ref": "#/components/schemas/Count",
                "description": "The estimated number of recipients when the run started."},
              "targeted": {"$ref": "#/components/schemas/Count",
                "description": "accepted + rejected + suppressed + expired + cancelled + unknown + pending"},
              "pending": {"$ref": "#/components/schemas/Count"}, "accepted": {"$ref": "#/components/schemas/Count"},
              "rejected": {"$ref": "#/components/schemas/Count"}, "suppressed": {"$ref": "#/components/schemas/Count"},
              "expired": {"$ref": "#/components/schemas/Count"}, "cancelled": {"$ref": "#/components/schemas/Count"},
              "unknown": {"$ref": "#/components/schemas/Count"},
              "deferred": {"$ref": "#/components/schemas/Count",
                "description": "Recipients that were deferred to a later batch, which counts them; not part of the sum."},
              "resent": {"$ref": "#/components/schemas/Count",
                "description": "Recipients whose outcome was unknown and who were sent the push again; counted under their last outcome."},
              "balanced": {"type": "boolean", "description": "Whether targeted equals the sum of the outcomes."}
            }
          },
          "Run": {
            "allOf": [{"$ref": "#/components/schemas/RunTotals"},
              {"type": "object", "required": ["reasons", "delivered", "opened"], "properties": {
                "reasons": {"type": "array", "items": {"$ref": "#/components/schemas/Reason"},
                  "description": "The reasons of rejected, suppressed and unknown, most frequent first."},
                "delivered": {"type": ["integer", "null"], "minimum": 0,
                  "description": "Devices that have acknowledged the push, counted some seconds ago. Null before the first count."},
                "opened": {"type": ["integer", "null"], "minimum": 0,
                  "description": "Devices on which it was opened, counted together with delivered."}}}]
          },
          "Reason": {
            "type": "object", "required": ["kind", "reason", "count"],
            "properties": {"kind": {"$ref": "#/components/schemas/OutcomeKind"}, "reason": {"type": "string"},
              "count": {"$ref": "#/components/schemas/Count"}}
          },
          "RunList": {
            "type": "object", "required": ["data", "next_cursor"],
            "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/RunTotals"}},
              "next_cursor": {"$ref": "#/components/schemas/Cursor"}}
          },
          "Delivery": {
            "type": "object", "required": ["device_id", "installation", "user_id", "kind", "reason", "resent"],
            "properties": {
              "device_id": {"$ref": "#/components/schemas/ID"},
              "installation": {"type": ["string", "null"], "description": "Null if the device has been erased."},
              "user_id": {"type": ["string", "null"]},
              "kind": {"$ref": "#/components/schemas/OutcomeKind"}, "reason": {"type": ["string", "null"]},
              "resent": {"type": "boolean"}
            }
          },
          "DeliveryList": {
            "type": "object", "required": ["data", "next_cursor"],
            "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/Delivery"}},
              "next_cursor": {"$ref": "#/components/schemas/Cursor"}}
          }
        }
        """#
}
