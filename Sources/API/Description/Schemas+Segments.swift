import Campaigns
import JSON

extension Schemas {
    static let segments = #"""
        {
          "Audience": {
            "type": "object", "additionalProperties": false,
            "description": "The devices that match `include` (without it: all devices), except those that match `exclude`. At most 200 conditions, 8 levels and 10,000 user ids.",
            "properties": {
              "include": {"anyOf": [{"$ref": "#/components/schemas/AudienceCondition"}, {"type": "null"}]},
              "exclude": {"anyOf": [{"$ref": "#/components/schemas/AudienceCondition"}, {"type": "null"}]}
            },
            "examples": [{"include": {"all": [{"field": "app_version", "op": "at_least", "value": "4.2"}, {"tag": "vip"}]},
              "exclude": {"event": "opened", "campaign": "12"}}]
          },
          "AudienceCondition": {
            "description": "A condition on a value that a device does not have is false; `not` makes it true.",
            "oneOf": [
              {"type": "object", "required": ["all"], "additionalProperties": false, "properties": {"all":
                {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/AudienceCondition"}}}},
              {"type": "object", "required": ["any"], "additionalProperties": false, "properties": {"any":
                {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/AudienceCondition"}}}},
              {"type": "object", "required": ["not"], "additionalProperties": false, "properties": {"not":
                {"$ref": "#/components/schemas/AudienceCondition"}}},
              {"type": "object", "required": ["field", "op"], "additionalProperties": false, "properties": {
                "field": {"type": "string", "enum": ["user_id", "installation", "locale", "language", "time_zone",
                  "os_version", "app_version", "model", "environment", "authorization_status", "is_test", "created_at",
                  "last_seen_at"]},
                "op": {"$ref": "#/components/schemas/AudienceOperator"}, "value": {}}},
              {"type": "object", "required": ["attribute", "op"], "additionalProperties": false, "properties": {
                "attribute": {"type": "string", "description": "A name, or a path through objects.",
                  "examples": ["plan", "address.city"]},
                "op": {"$ref": "#/components/schemas/AudienceOperator"}, "value": {}}},
              {"type": "object", "required": ["tag"], "additionalProperties": false, "properties": {
                "tag": {"$ref": "#/components/schemas/Tag"}}},
              {"type": "object", "required": ["opted_out"], "additionalProperties": false, "properties": {
                "opted_out": {"$ref": "#/components/schemas/TopicKey"}}},
              {"type": "object", "required": ["user_ids"], "additionalProperties": false, "properties": {
                "user_ids": {"type": "array", "minItems": 1, "maxItems": 10000,
                  "items": {"type": "string", "minLength": 1, "maxLength": 200}}}},
              {"type": "object", "required": ["segment"], "additionalProperties": false, "properties": {
                "segment": {"$ref": "#/components/schemas/ID"}}},
              {"type": "object", "required": ["event"], "additionalProperties": false, "properties": {
                "event": {"type": "string",
                  "enum": ["delivered", "presented", "opened", "action", "dismissed", "text"]},
                "campaign": {"$ref": "#/components/schemas/ID", "description": "Without it: any campaign, and within_days is required."},
                "within_days": {"type": "integer", "minimum": 1, "maximum": 90},
                "action": {"type": "string", "minLength": 1, "maxLength": 200,
                  "description": "The button, for action and text."}}}
            ]
          },
          "AudienceOperator": {"type": "string",
            "enum": ["is", "is_not", "in", "not_in", "starts_with", "contains", "at_least", "below", "above", "at_most",
              "before", "after", "within_days", "older_than_days", "exists"],
            "description": "Texts: is, is_not, in, not_in, starts_with, contains, exists. Versions and numbers: is, at_least, below, above, at_most. Times: before, after, within_days, older_than_days. An error lists the operators of the field."},
          "SegmentNew": {
            "type": "object", "required": ["name", "audience"], "additionalProperties": false,
            "properties": {
              "name": {"type": "string", "minLength": 1, "maxLength": 200},
              "audience": {"$ref": "#/components/schemas/Audience", "description": "Must have a condition."}
            }
          },
          "SegmentChange": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "name": {"$ref": "#/components/schemas/SegmentNew/properties/name"},
              "audience": {"$ref": "#/components/schemas/SegmentNew/properties/audience"}
            }
          },
          "Segment": {
            "type": "object",
            "required": ["id", "app_id", "name", "audience", "summary", "version", "archived_at", "created_at",
              "updated_at"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "app_id": {"$ref": "#/components/schemas/ID"},
              "name": {"type": "string"}, "audience": {"$ref": "#/components/schemas/Audience"},
              "summary": {"type": "string", "description": "The audience in plain English."},
              "version": {"type": "integer"}, "archived_at": {"$ref": "#/components/schemas/TimeOrNull"},
              "created_at": {"$ref": "#/components/schemas/Time"}, "updated_at": {"$ref": "#/components/schemas/Time"}
            }
          },
          "SegmentDetail": {
            "allOf": [{"$ref": "#/components/schemas/Segment"}, {
              "type": "object", "required": ["used_by"],
              "properties": {"used_by": {"type": "array", "maxItems": 100, "items": {
                "type": "object", "required": ["type", "id", "name"],
                "properties": {"type": {"type": "string", "enum": ["segment", "campaign"]},
                  "id": {"$ref": "#/components/schemas/ID"}, "name": {"type": "string"}}}}}
            }]
          },
          "SegmentList": {
            "type": "object", "required": ["data", "next_cursor"],
            "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/Segment"}},
              "next_cursor": {"$ref": "#/components/schemas/Cursor"}}
          },
          "AudienceCountRequest": {
            "type": "object", "required": ["audience"], "additionalProperties": false,
            "properties": {"audience": {"$ref": "#/components/schemas/Audience"}}
          },
          "AudienceCount": {
            "type": "object",
            "required": ["matches", "reachable", "is_exact", "margin_of_error", "devices_scanned", "summary", "sample"],
            "properties": {
              "matches": {"$ref": "#/components/schemas/Count", "description": "Devices with an alert token that are not retired."},
              "reachable": {"$ref": "#/components/schemas/Count",
                "description": "The matching devices that have not denied notifications."},
              "is_exact": {"type": "boolean", "description": "False: the numbers are an estimate."},
              "margin_of_error": {"type": ["integer", "null"],
                "description": "The 95% margin of error of matches, in devices. Null if the number is exact or the margin is unknown."},
              "devices_scanned": {"$ref": "#/components/schemas/Count", "description": "The number of devices that were scanned."},
              "summary": {"type": "string"},
              "sample": {"type": "array", "maxItems": 10, "items": {
                "type": "object",
                "required": ["device_id", "installation", "user_id", "nickname", "locale", "app_version"],
                "properties": {
                  "device_id": {"$ref": "#/components/schemas/ID"}, "installation": {"type": "string"},
                  "user_id": {"type": ["string", "null"]}, "nickname": {"type": ["string", "null"]},
                  "locale": {"type": ["string", "null"]}, "app_version": {"type": ["string", "null"]}
                }}}
            }
          }
        }
        """#
}
