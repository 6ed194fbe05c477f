import Campaigns
import JSON

extension Schemas {
    /// Many devices at once, a person's devices, and topics.
    static let files = #"""
        {
          "DeviceRegistrations": {
            "type": "object", "required": ["devices"], "additionalProperties": false,
            "properties": {"devices": {"type": "array", "minItems": 1, "maxItems": 1000,
              "items": {"type": "object", "required": ["installation", "token", "environment"],
                "description": "A DeviceRegistration that says its installation."}}}
          },
          "DeviceResults": {
            "type": "object", "required": ["stored", "refused", "results"],
            "properties": {
              "stored": {"$ref": "#/components/schemas/Count"}, "refused": {"$ref": "#/components/schemas/Count"},
              "results": {"type": "array", "description": "One for each device, in their order.",
                "items": {"anyOf": [
                  {"allOf": [{"$ref": "#/components/schemas/DeviceStored"}, {"$ref": "#/components/schemas/AtIndex"}]},
                  {"allOf": [{"$ref": "#/components/schemas/Refused"}, {"$ref": "#/components/schemas/AtIndex"}]}]}}
            }
          },
          "AtIndex": {"type": "object", "required": ["index"],
            "properties": {"index": {"$ref": "#/components/schemas/Count"}}},
          "Refused": {"type": "object", "required": ["problems"],
            "properties": {"problems": {"type": "array", "minItems": 1,
              "items": {"$ref": "#/components/schemas/FieldProblem"}}}},
          "DeviceFile": {"type": "string",
            "description": "CSV (RFC 4180) whose header names the members of a DeviceRegistration and \"installation\"; an empty field leaves as it is, \"attr.plan\" and \"attr.visits:number\" (boolean, json) are attributes of their own, lists are JSON or have semicolons. Or NDJSON: such an object a line. A line without a token changes a device that is there. \"id\", \"created_at\" and \"last_seen_at\" are for reading only."},
          "ImportReport": {
            "type": "object", "required": ["lines", "stored", "refused", "refusals", "warnings"],
            "properties": {
              "lines": {"$ref": "#/components/schemas/Count", "description": "stored + refused"},
              "stored": {"$ref": "#/components/schemas/Count"}, "refused": {"$ref": "#/components/schemas/Count"},
              "refusals": {"type": "array", "maxItems": 1000, "description": "The first of the refused lines.",
                "items": {"type": "object", "required": ["line", "problems"],
                  "properties": {"line": {"type": "integer", "minimum": 1},
                    "problems": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"}}}}},
              "warnings": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Count"},
                "description": "What was taken otherwise than it was given: how often, by its code."}
            }
          },
          "Erasure": {"type": "object", "required": ["devices"],
            "properties": {"devices": {"$ref": "#/components/schemas/Count"}}},
          "TopicKey": {"type": "string", "pattern": "^[a-z0-9][a-z0-9_.-]{0,63}$", "examples": ["offers"]},
          "TopicNew": {
            "type": "object", "required": ["key", "name"], "additionalProperties": false,
            "properties": {
              "key": {"$ref": "#/components/schemas/TopicKey", "description": "It never changes."},
              "name": {"type": "string", "minLength": 1, "maxLength": 100},
              "description": {"type": "string", "maxLength": 500, "default": ""}
            }
          },
          "TopicChange": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "name": {"$ref": "#/components/schemas/TopicNew/properties/name"},
              "description": {"$ref": "#/components/schemas/TopicNew/properties/description"}
            }
          },
          "Topic": {
            "type": "object", "required": ["key", "name", "description", "created_at"],
            "properties": {
              "key": {"$ref": "#/components/schemas/TopicKey"}, "name": {"type": "string"},
              "description": {"type": "string"}, "created_at": {"$ref": "#/components/schemas/Time"}
            }
          },
          "TopicList": {
            "type": "object", "required": ["data", "next_cursor"],
            "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/Topic"}},
              "next_cursor": {"$ref": "#/components/schemas/Cursor"}}
          }
        }
        """#
}
