import Campaigns
import JSON

extension Schemas {
    /// Bulk registration, device files, the erasure of a person, and topics.
    static let files = #"""
        {
          "DeviceRegistrations": {
            "type": "object", "required": ["devices"], "additionalProperties": false,
            "properties": {"devices": {"type": "array", "minItems": 1, "maxItems": 1000,
              "items": {"type": "object", "required": ["installation", "token", "environment"],
                "description": "A DeviceRegistration with its installation."}}}
          },
          "DeviceResults": {
            "type": "object", "required": ["stored", "failed", "results"],
            "properties": {
              "stored": {"$ref": "#/components/schemas/Count"}, "failed": {"$ref": "#/components/schemas/Count"},
              "results": {"type": "array", "description": "One for each device, in the same order.",
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
            "description": "CSV (RFC 4180) or NDJSON. The header of a CSV file contains \"installation\" and names of members of a DeviceRegistration. An empty field changes nothing. \"attr.plan\" and \"attr.visits:number\" (or boolean, json) are single attributes. Lists are JSON or separated by semicolons. A line of NDJSON is an object with the same members. A line without a token changes an existing device. \"id\", \"created_at\" and \"last_seen_at\" are ignored."},
          "ImportReport": {
            "type": "object", "required": ["lines", "stored", "failed", "failures", "warnings"],
            "properties": {
              "lines": {"$ref": "#/components/schemas/Count", "description": "stored + failed"},
              "stored": {"$ref": "#/components/schemas/Count"}, "failed": {"$ref": "#/components/schemas/Count"},
              "failures": {"type": "array", "maxItems": 1000, "description": "The first failed lines.",
                "items": {"type": "object", "required": ["line", "problems"],
                  "properties": {"line": {"type": "integer", "minimum": 1},
                    "problems": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"}}}}},
              "warnings": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Count"},
                "description": "The number of values that were stored differently from the file, by warning code."}
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
