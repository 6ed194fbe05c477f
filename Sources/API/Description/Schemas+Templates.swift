import Campaigns
import Notifications

extension Schemas {
    static let templates = #"""
        {
          "Content": {
            "type": "object", "required": ["payload"], "additionalProperties": false,
            "description": "A payload for everybody and others by locale; their texts may hold Liquid.",
            "properties": {
              "push_type": {"$ref": "#/components/schemas/PushType", "default": "alert"},
              "priority": {"type": ["integer", "null"], "enum": [1, 5, 10, null]},
              "expiration_seconds": {"type": ["integer", "null"], "minimum": 0, "maximum": 2592000},
              "collapse_id": {"type": ["string", "null"]},
              "payload": {"$ref": "#/components/schemas/Payload"},
              "variants": {"type": "object", "maxProperties": 100,
                "additionalProperties": {"$ref": "#/components/schemas/Payload"},
                "examples": [{"ja": {"aps": {"alert": "{{ first_name | default: \"\" }}"}}}]},
              "media": {"anyOf": [
                {"type": "object", "required": ["id"], "properties": {"id": {"$ref": "#/components/schemas/ID"}}},
                {"type": "object", "required": ["url"], "properties": {"url": {"type": "string", "format": "uri"}}},
                {"type": "null"}]}
            }
          },
          "TemplateNew": {
            "type": "object", "required": ["name", "content"], "additionalProperties": false,
            "properties": {
              "name": {"type": "string", "minLength": 1, "maxLength": 200},
              "content": {"$ref": "#/components/schemas/Content"}
            }
          },
          "TemplateChange": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "name": {"$ref": "#/components/schemas/TemplateNew/properties/name"},
              "content": {"$ref": "#/components/schemas/Content"}
            }
          },
          "TemplateCopy": {
            "type": "object", "additionalProperties": false,
            "properties": {"name": {"$ref": "#/components/schemas/TemplateNew/properties/name"}}
          },
          "TemplateSummary": {
            "type": "object",
            "required": ["id", "app_id", "name", "version", "archived_at", "created_at", "updated_at"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "app_id": {"$ref": "#/components/schemas/ID"},
              "name": {"type": "string"},
              "version": {"type": "integer", "description": "The number of the newest content."},
              "archived_at": {"$ref": "#/components/schemas/TimeOrNull"},
              "created_at": {"$ref": "#/components/schemas/Time"}, "updated_at": {"$ref": "#/components/schemas/Time"}
            }
          },
          "ContentSize": {
            "type": "object", "required": ["locale", "least", "worst", "limit"],
            "description": "Bytes of a payload with the message id; 0 where it has errors.",
            "properties": {
              "locale": {"type": ["string", "null"], "description": "Null for everybody else."},
              "least": {"$ref": "#/components/schemas/Count"},
              "worst": {"$ref": "#/components/schemas/Count",
                "description": "With the longest value that any device ever had in every hole."},
              "limit": {"$ref": "#/components/schemas/Count", "description": "Apple's."}
            }
          },
          "Template": {
            "allOf": [{"$ref": "#/components/schemas/TemplateSummary"}, {
              "type": "object", "required": ["content_version", "content_saved_at", "content", "sizes", "problems"],
              "properties": {
                "content_version": {"type": "integer", "description": "Whose content this is."},
                "content_saved_at": {"$ref": "#/components/schemas/Time"},
                "content": {"$ref": "#/components/schemas/Content"},
                "sizes": {"type": "array", "items": {"$ref": "#/components/schemas/ContentSize"},
                  "description": "For everybody first, then by locale."},
                "problems": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"}}
              }
            }]
          },
          "TemplateList": {
            "type": "object", "required": ["data", "next_cursor"],
            "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/TemplateSummary"}},
              "next_cursor": {"$ref": "#/components/schemas/Cursor"}}
          },
          "TemplateVersionList": {
            "type": "object", "required": ["data", "next_cursor"],
            "properties": {
              "data": {"type": "array", "items": {
                "type": "object", "required": ["version", "saved_at"],
                "properties": {"version": {"type": "integer"}, "saved_at": {"$ref": "#/components/schemas/Time"}}}},
              "next_cursor": {"$ref": "#/components/schemas/Cursor"}}
          },
          "Person": {
            "type": "object", "additionalProperties": false, "description": "Somebody who is made up.",
            "properties": {
              "user_id": {"type": ["string", "null"]}, "locale": {"type": ["string", "null"]},
              "time_zone": {"type": ["string", "null"]}, "os_version": {"type": ["string", "null"]},
              "app_version": {"type": ["string", "null"]}, "model": {"type": ["string", "null"]},
              "attributes": {"type": "object"}
            }
          },
          "ContentPreviewRequest": {
            "type": "object", "required": ["content"], "additionalProperties": false,
            "properties": {
              "content": {"$ref": "#/components/schemas/Content"},
              "device": {"type": "string", "description": "An installation; without it and person, nobody is known."},
              "person": {"$ref": "#/components/schemas/Person"}
            }
          },
          "TemplatePreviewRequest": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "version": {"type": "integer", "minimum": 1, "description": "The newest without it."},
              "device": {"$ref": "#/components/schemas/ContentPreviewRequest/properties/device"},
              "person": {"$ref": "#/components/schemas/Person"}
            }
          },
          "Preview": {
            "type": "object", "required": ["chosen", "is_sent", "variants", "problems"],
            "properties": {
              "chosen": {"$ref": "#/components/schemas/Count", "description": "Which of the variants it would be."},
              "is_sent": {"type": "boolean", "description": "Whether anything would be sent."},
              "variants": {"type": "array", "items": {"allOf": [{"$ref": "#/components/schemas/ContentSize"}, {
                "type": "object", "required": ["payload", "length", "is_sent", "missing", "problems"],
                "properties": {
                  "payload": {"type": ["object", "null"],
                    "description": "With a message id of zeros, and ⟨names⟩ where values are missing. Shown even where Apple would refuse it."},
                  "length": {"$ref": "#/components/schemas/Count"}, "is_sent": {"type": "boolean"},
                  "missing": {"type": "array", "items": {"type": "string"}},
                  "problems": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"}}
                }}]}},
              "problems": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"}}
            }
          }
        }
        """#

    static let testPushes = #"""
        {
          "TestPushNew": {
            "type": "object", "additionalProperties": false,
            "allOf": [
              {"oneOf": [{"required": ["payload"]}, {"required": ["template"]}, {"required": ["content"]}]},
              {"oneOf": [{"required": ["devices"]}, {"required": ["token", "environment"]}]}
            ],
            "properties": {
              "payload": {"$ref": "#/components/schemas/Payload"},
              "template": {"$ref": "#/components/schemas/ID"},
              "template_version": {"type": "integer", "minimum": 1, "description": "The newest without it."},
              "content": {"$ref": "#/components/schemas/Content"},
              "push_type": {"anyOf": [{"$ref": "#/components/schemas/PushType"}, {"type": "null"}]},
              "priority": {"type": ["integer", "null"], "enum": [1, 5, 10, null]},
              "collapse_id": {"type": ["string", "null"], "minLength": 1, "maxLength": 64},
              "expiration_seconds": {"type": ["integer", "null"], "minimum": 0, "maximum": 2592000},
              "devices": {"type": "array", "minItems": 1, "maxItems": 20, "uniqueItems": true,
                "items": {"type": "string"}, "description": "Installations that are marked as test devices."},
              "token": {"type": "string", "pattern": "^([0-9A-Fa-f]{2}){1,200}$"},
              "environment": {"$ref": "#/components/schemas/Environment"},
              "person": {"$ref": "#/components/schemas/Person", "description": "Whom the token's push is made for."}
            }
          },
          "TestPushAnswers": {
            "type": "object", "required": ["data", "problems"],
            "properties": {
              "data": {"type": "array", "items": {"$ref": "#/components/schemas/TestPushAnswer"},
                "description": "In the order of the devices."},
              "problems": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"},
                "description": "What Apple accepts and a person should still know."}
            }
          },
          "TestPushAnswer": {
            "type": "object",
            "required": ["device", "nickname", "environment", "host", "state", "status", "reason", "invalid_since",
              "apns_id", "apns_unique_id", "meaning", "remedy"],
            "properties": {
              "device": {"type": ["string", "null"]}, "nickname": {"type": ["string", "null"]},
              "environment": {"$ref": "#/components/schemas/Environment"},
              "host": {"type": ["string", "null"], "description": "Where it went; null for nowhere."},
              "state": {"type": "string", "enum": ["accepted", "rejected", "unknown", "unsent", "suppressed"]},
              "status": {"type": ["integer", "null"]}, "reason": {"type": ["string", "null"]},
              "invalid_since": {"$ref": "#/components/schemas/TimeOrNull"},
              "apns_id": {"type": "string", "format": "uuid"},
              "apns_unique_id": {"type": ["string", "null"],
                "description": "For the delivery log of Apple's console; development only."},
              "meaning": {"type": "string"},
              "remedy": {"type": ["string", "null"], "description": "What to do; null for nothing."}
            }
          }
        }
        """#
}
