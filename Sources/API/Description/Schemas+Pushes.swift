import Campaigns
import JSON
import Notifications

extension Schemas {
    static let pushes = #"""
        {
          "PushNew": {
            "type": "object", "additionalProperties": false,
            "description": "One push to each device of the targets, sent immediately. If Apple can't be reached, a push is retried for at most a minute, and never after its expiration.",
            "allOf": [
              {"oneOf": [{"required": ["user_ids"]}, {"required": ["installations"]}, {"required": ["tokens"]}]},
              {"oneOf": [{"required": ["payload"]}, {"required": ["template"]}, {"required": ["content"]}]}
            ],
            "properties": {
              "user_ids": {"type": "array", "minItems": 1, "maxItems": 100, "uniqueItems": true,
                "items": {"type": "string"}, "description": "The push is sent to all devices of each user."},
              "installations": {"type": "array", "minItems": 1, "maxItems": 100, "uniqueItems": true,
                "items": {"type": "string"}},
              "tokens": {"type": "array", "minItems": 1, "maxItems": 100, "uniqueItems": true,
                "items": {"type": "string", "pattern": "^([0-9A-Fa-f]{2}){1,200}$"},
                "description": "Registered device tokens of the app."},
              "payload": {"$ref": "#/components/schemas/Payload"},
              "template": {"$ref": "#/components/schemas/ID"},
              "template_version": {"type": "integer", "minimum": 1, "description": "Without it: the newest."},
              "content": {"$ref": "#/components/schemas/Content"},
              "values": {"type": "object",
                "description": "Replace attributes of the devices in this push; at most 4096 bytes of JSON."},
              "push_type": {"anyOf": [{"$ref": "#/components/schemas/PushType"}, {"type": "null"}]},
              "priority": {"type": ["integer", "null"], "enum": [1, 5, 10, null]},
              "collapse_id": {"type": ["string", "null"], "minLength": 1, "maxLength": 64},
              "expiration_seconds": {"type": ["integer", "null"], "minimum": 0, "maximum": 2592000,
                "description": "Without it: an hour. 0: one attempt only."},
              "topic": {"type": ["string", "null"], "description": "Recipients who have opted out of it are skipped."},
              "dry_run": {"type": "boolean", "default": false,
                "description": "Checks, addresses and composes everything, but sends and stores nothing."}
            },
            "examples": [
              {"user_ids": ["u-17"], "template": "4", "values": {"code": "4711"}, "expiration_seconds": 300},
              {"installations": ["7F2A"], "payload": {"aps": {"alert": "Your order is on its way."}},
                "collapse_id": "order-55"}]
          },
          "PushAccepted": {
            "type": "object", "required": ["id", "devices", "unmatched_targets"],
            "description": "The pushes are stored and being sent.",
            "properties": {
              "id": {"type": "string", "description": "The id of the request, for reading its outcomes.",
                "examples": ["118-0-2"]},
              "devices": {"type": "array", "items": {"$ref": "#/components/schemas/PushDevice"}},
              "unmatched_targets": {"$ref": "#/components/schemas/PushNotSent/properties/unmatched_targets"}
            },
            "examples": [{"id": "118-0-2", "unmatched_targets": [1], "devices": [
              {"target_index": 0, "installation": "7F2A", "id": "00000000-7600-8000-8000-00400a1b2c3d", "state": "sending",
                "reason": null},
              {"target_index": 0, "installation": "91C0", "id": "00000000-7600-8000-8000-00800d4e5f60", "state": "suppressed",
                "reason": "notifications denied"}]}]
          },
          "PushNotSent": {
            "type": "object", "required": ["id", "devices", "unmatched_targets"],
            "description": "A dry run, or none of the targets has a device. Nothing was stored.",
            "properties": {
              "id": {"type": "null"}, "dry_run": {"type": "boolean"},
              "devices": {"type": "array", "items": {"$ref": "#/components/schemas/PushDevice"},
                "description": "The devices of a dry run."},
              "unmatched_targets": {"type": "array", "items": {"type": "integer", "minimum": 0},
                "description": "Indexes of targets that have no device for this push type: they are unknown, or their tokens are no longer valid."},
              "problems": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"}}
            }
          },
          "PushDevice": {
            "type": "object", "required": ["target_index", "installation", "id", "state", "reason"],
            "properties": {
              "target_index": {"type": "integer", "minimum": 0, "description": "The index in the list of targets."},
              "installation": {"type": ["string", "null"], "description": "Null if the device has been deleted."},
              "id": {"type": ["string", "null"], "format": "uuid",
                "description": "The message id, which is in the payload and is also the apns-id. Null in a dry run."},
              "state": {"type": "string", "enum": ["sending", "suppressed"]},
              "reason": {"type": ["string", "null"], "description": "Why it is suppressed."},
              "environment": {"$ref": "#/components/schemas/Environment"},
              "payload_bytes": {"type": ["integer", "null"], "description": "Only in a dry run; null if no payload could be composed."}
            }
          },
          "PushReport": {
            "type": "object", "required": ["id", "devices"],
            "properties": {
              "id": {"type": "string", "description": "The requested id."},
              "devices": {"type": "array", "items": {
                "type": "object",
                "required": ["id", "installation", "user_id", "environment", "state", "reason", "created_at", "finished_at",
                  "delivered_at", "opened_at"],
                "properties": {
                  "id": {"type": "string", "format": "uuid"},
                  "installation": {"type": ["string", "null"]}, "user_id": {"type": ["string", "null"]},
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "state": {"type": "string",
                    "enum": ["sending", "accepted", "rejected", "suppressed", "expired", "cancelled", "unknown"],
                    "description": "expired: Apple could not be reached in time. cancelled: the server was stopped before sending. unknown: sent, but there was no response."},
                  "reason": {"type": ["string", "null"]},
                  "created_at": {"type": "string", "format": "date-time"},
                  "finished_at": {"$ref": "#/components/schemas/TimeOrNull"},
                  "delivered_at": {"$ref": "#/components/schemas/TimeOrNull"},
                  "opened_at": {"$ref": "#/components/schemas/TimeOrNull"}
                }}}
            }
          }
        }
        """#
}
