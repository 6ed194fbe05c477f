extension Schemas {
    static let campaigns = #"""
        {
          "Payload": {
            "type": "object", "description": "What goes to the phone: Apple's aps, and the app's own keys beside it.",
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
                "description": "In place of a payload; it has a push type of its own."},
              "template_version": {"type": "integer", "minimum": 1,
                "description": "The newest without it. It stays the campaign's until the template is named again."},
              "push_type": {"$ref": "#/components/schemas/PushType", "default": "alert"},
              "priority": {"type": ["integer", "null"], "enum": [1, 5, 10, null],
                "description": "Null is the push type's own."},
              "expiration_seconds": {"type": "integer", "minimum": 0, "maximum": 2592000, "default": 86400,
                "description": "How long the push is worth delivering; 0 is now or never."},
              "collapse_id": {"type": ["string", "null"], "minLength": 1, "maxLength": 64, "pattern": "^[ -~]+$",
                "description": "Null: Belfry sets one per run."},
              "unknown_policy": {"type": ["string", "null"], "enum": ["resend", "leave", null],
                "description": "What to do about who may not have been reached. Null: resend alerts, leave others."},
              "topic": {"anyOf": [{"$ref": "#/components/schemas/TopicKey"}, {"type": "null"}],
                "description": "Who has opted out of it is not sent the campaign."},
              "send_at": {"$ref": "#/components/schemas/TimeOrNull"}
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
              "send_at": {"$ref": "#/components/schemas/CampaignNew/properties/send_at"}
            }
          },
          "Schedule": {
            "type": "object", "required": ["send_at"], "additionalProperties": false,
            "properties": {"send_at": {"$ref": "#/components/schemas/Time"}}
          },
          "CampaignState": {"type": "string",
            "enum": ["draft", "scheduled", "sending", "paused", "sent", "cancelled", "failed"]},
          "Campaign": {
            "type": "object",
            "required": ["id", "app_id", "name", "state", "reason", "payload", "template", "template_version",
              "push_type", "priority", "expiration_seconds", "collapse_id", "unknown_policy", "topic", "send_at",
              "version", "warnings", "created_at",
              "updated_at"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "app_id": {"$ref": "#/components/schemas/ID"},
              "name": {"type": "string"}, "state": {"$ref": "#/components/schemas/CampaignState"},
              "reason": {"type": ["string", "null"], "description": "Why it is paused or failed."},
              "payload": {"anyOf": [{"$ref": "#/components/schemas/Payload"}, {"type": "null"}]},
              "template": {"anyOf": [{"$ref": "#/components/schemas/ID"}, {"type": "null"}]},
              "template_version": {"type": ["integer", "null"]},
              "push_type": {"$ref": "#/components/schemas/PushType"}, "priority": {"type": "integer"},
              "expiration_seconds": {"type": "integer"}, "collapse_id": {"type": ["string", "null"]},
              "unknown_policy": {"type": "string", "enum": ["resend", "leave"]},
              "topic": {"type": ["string", "null"]},
              "send_at": {"$ref": "#/components/schemas/TimeOrNull"}, "version": {"type": "integer"},
              "warnings": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"},
                "description": "What Apple accepts and a person should still know."},
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
          "OutcomeKind": {"type": "string", "enum": ["pending", "accepted", "rejected", "suppressed", "expired",
            "cancelled", "unknown", "moved"]},
          "RunTotals": {
            "type": "object",
            "required": ["id", "app_id", "campaign_id", "state", "reason", "destination", "started_at", "planned_at", "finished_at",
              "verified_at", "expires_at", "estimated", "targeted", "pending", "accepted", "rejected", "suppressed",
              "expired", "cancelled", "unknown", "moved", "resent", "balanced"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "app_id": {"$ref": "#/components/schemas/ID"},
              "campaign_id": {"$ref": "#/components/schemas/ID"},
              "state": {"type": "string", "enum": ["sending", "paused", "cancelled", "finished"]},
              "reason": {"type": ["string", "null"]},
              "destination": {"type": ["string", "null"], "enum": ["apple", "simulator", null],
                "description": "Who gets the pushes: Apple, or a stand-in. Null: it was not kept at the time."},
              "started_at": {"$ref": "#/components/schemas/Time"},
              "planned_at": {"$ref": "#/components/schemas/TimeOrNull"},
              "finished_at": {"$ref": "#/components/schemas/TimeOrNull"},
              "verified_at": {"$ref": "#/components/schemas/TimeOrNull",
                "description": "When a recount of every recipient agreed with the ledger."},
              "expires_at": {"$ref": "#/components/schemas/Time"},
              "estimated": {"$ref": "#/components/schemas/Count",
                "description": "About how many, when the run began."},
              "targeted": {"$ref": "#/components/schemas/Count",
                "description": "accepted + rejected + suppressed + expired + cancelled + unknown + pending"},
              "pending": {"$ref": "#/components/schemas/Count"}, "accepted": {"$ref": "#/components/schemas/Count"},
              "rejected": {"$ref": "#/components/schemas/Count"}, "suppressed": {"$ref": "#/components/schemas/Count"},
              "expired": {"$ref": "#/components/schemas/Count"}, "cancelled": {"$ref": "#/components/schemas/Count"},
              "unknown": {"$ref": "#/components/schemas/Count"},
              "moved": {"$ref": "#/components/schemas/Count",
                "description": "Put off into a later batch, where they are counted; not a term of the sum."},
              "resent": {"$ref": "#/components/schemas/Count",
                "description": "Were unknown once and sent again; counted under their last outcome."},
              "balanced": {"type": "boolean", "description": "Whether the sum holds."}
            }
          },
          "Run": {
            "allOf": [{"$ref": "#/components/schemas/RunTotals"},
              {"type": "object", "required": ["reasons", "delivered", "opened"], "properties": {
                "reasons": {"type": "array", "items": {"$ref": "#/components/schemas/Reason"},
                  "description": "Behind rejected, suppressed and unknown, the most frequent first."},
                "delivered": {"type": ["integer", "null"], "minimum": 0,
                  "description": "Devices that have acknowledged it, some seconds ago. Null before the first count."},
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
              "installation": {"type": ["string", "null"], "description": "Null once the device was erased."},
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
