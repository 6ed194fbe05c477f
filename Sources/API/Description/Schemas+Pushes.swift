import Campaigns
import JSON
import Notifications

extension Schemas {
    static let pushes = #"""
        {
          "PushNew": {
            "type": "object", "additionalProperties": false,
            "description": "One push to each device of the targets, sent at once. Whom Apple cannot be reached for is tried again for a minute at most, and never past the expiration.",
            "allOf": [
              {"oneOf": [{"required": ["user_ids"]}, {"required": ["installations"]}, {"required": ["tokens"]}]},
              {"oneOf": [{"required": ["payload"]}, {"required": ["template"]}, {"required": ["content"]}]}
            ],
            "properties": {
              "user_ids": {"type": "array", "minItems": 1, "maxItems": 100, "uniqueItems": true,
                "items": {"type": "string"}, "description": "Each person's push goes to all of their devices."},
              "installations": {"type": "array", "minItems": 1, "maxItems": 100, "uniqueItems": true,
                "items": {"type": "string"}},
              "tokens": {"type": "array", "minItems": 1, "maxItems": 100, "uniqueItems": true,
                "items": {"type": "string", "pattern": "^([0-9A-Fa-f]{2}){1,200}$"},
                "description": "Device tokens that the app has registered here."},
              "payload": {"$ref": "#/components/schemas/Payload"},
              "template": {"$ref": "#/components/schemas/ID"},
              "template_version": {"type": "integer", "minimum": 1, "description": "The newest without it."},
              "content": {"$ref": "#/components/schemas/Content"},
              "values": {"type": "object",
                "description": "Stand over the devices' attributes in this push; at most 4096 bytes of JSON."},
              "push_type": {"anyOf": [{"$ref": "#/components/schemas/PushType"}, {"type": "null"}]},
              "priority": {"type": ["integer", "null"], "enum": [1, 5, 10, null]},
              "collapse_id": {"type": ["string", "null"], "minLength": 1, "maxLength": 64},
              "expiration_seconds": {"type": ["integer", "null"], "minimum": 0, "maximum": 2592000,
                "description": "An hour without it; 0 is now or never."},
              "topic": {"type": ["string", "null"], "description": "Who has opted out of it gets nothing."},
              "dry_run": {"type": "boolean", "default": false,
                "description": "Check, address and compose everything; send and store nothing."}
            },
            "examples": [
              {"user_ids": ["u-17"], "template": "4", "values": {"code": "4711"}, "expiration_seconds": 300},
              {"installations": ["7F2A"], "payload": {"aps": {"alert": "Your order is on its way."}},
                "collapse_id": "order-55"}]
          },
          "PushTaken": {
            "type": "object", "required": ["id", "devices", "without_device"],
            "description": "Stored, and being sent.",
            "properties": {
              "id": {"type": "string", "description": "Of the request: ask with it what became of it.",
                "examples": ["118-0-2"]},
              "devices": {"type": "array", "items": {"$ref": "#/components/schemas/PushDevice"}},
              "without_device": {"$ref": "#/components/schemas/PushNotTaken/properties/without_device"}
            },
            "examples": [{"id": "118-0-2", "without_device": [1], "devices": [
              {"target": 0, "installation": "7F2A", "id": "00000000-7600-8000-8000-00400a1b2c3d", "state": "sending",
                "reason": null},
              {"target": 0, "installation": "91C0", "id": "00000000-7600-8000-8000-00800d4e5f60", "state": "suppressed",
                "reason": "notifications denied"}]}]
          },
          "PushNotTaken": {
            "type": "object", "required": ["id", "devices", "without_device"],
            "description": "A dry run, or none of the targets has a device: nothing was stored.",
            "properties": {
              "id": {"type": "null"}, "dry_run": {"type": "boolean"},
              "devices": {"type": "array", "items": {"$ref": "#/components/schemas/PushDevice"},
                "description": "Of a dry run."},
              "without_device": {"type": "array", "items": {"type": "integer", "minimum": 0},
                "description": "Places of the targets that no device takes such a push for: they are not known here, or their tokens are no longer valid."},
              "problems": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"}}
            }
          },
          "PushDevice": {
            "type": "object", "required": ["target", "installation", "id", "state", "reason"],
            "properties": {
              "target": {"type": "integer", "minimum": 0, "description": "The place in the list of targets."},
              "installation": {"type": ["string", "null"], "description": "Null once the device was deleted."},
              "id": {"type": ["string", "null"], "format": "uuid",
                "description": "Of the message: the payload carries it, and it is Apple's apns-id. Null in a dry run."},
              "state": {"type": "string", "enum": ["sending", "suppressed"]},
              "reason": {"type": ["string", "null"], "description": "Why it is suppressed."},
              "environment": {"$ref": "#/components/schemas/Environment"},
              "payload_bytes": {"type": ["integer", "null"], "description": "In a dry run; null without a payload."}
            }
          },
          "PushReport": {
            "type": "object", "required": ["id", "devices"],
            "properties": {
              "id": {"type": "string", "description": "As it was asked for."},
              "devices": {"type": "array", "items": {
                "type": "object",
                "required": ["id", "installation", "user_id", "environment", "state", "reason", "taken_at", "ended_at",
                  "delivered_at", "opened_at"],
                "properties": {
                  "id": {"type": "string", "format": "uuid"},
                  "installation": {"type": ["string", "null"]}, "user_id": {"type": ["string", "null"]},
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "state": {"type": "string",
                    "enum": ["sending", "accepted", "rejected", "suppressed", "expired", "cancelled", "unknown"],
                    "description": "Expired: Apple could not be reached in time. Cancelled: this server was stopped first. Unknown: it was sent, and no answer came."},
                  "reason": {"type": ["string", "null"]},
                  "taken_at": {"type": "string", "format": "date-time"},
                  "ended_at": {"$ref": "#/components/schemas/TimeOrNull"},
                  "delivered_at": {"$ref": "#/components/schemas/TimeOrNull"},
                  "opened_at": {"$ref": "#/components/schemas/TimeOrNull"}
                }}}
            }
          }
        }
        """#
}
