import Campaigns
import Notifications

extension Schemas {
    static let templates = #"""
        {
          "Content": {
            "type": "object", "required": ["payload"], "additionalProperties": false,
            "description": "A default payload and variants by locale; their texts can contain Liquid.",
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
            "type": "object", "required": ["locale", "min_bytes", "max_bytes", "limit"],
            "description": "Sizes of a payload with the message id, in bytes; 0 if it has errors.",
            "properties": {
              "locale": {"type": ["string", "null"], "description": "Null: the default payload."},
              "min_bytes": {"$ref": "#/components/schemas/Count"},
              "max_bytes": {"$ref": "#/components/schemas/Count",
                "description": "The size with the longest value that any device has had for each placeholder."},
              "limit": {"$ref": "#/components/schemas/Count", "description": "Apple's limit."}
            }
          },
          "Template": {
            "allOf": [{"$ref": "#/components/schemas/TemplateSummary"}, {
              "type": "object", "required": ["content_version", "content_saved_at", "content", "sizes", "problems"],
              "properties": {
                "content_version": {"type": "integer", "description": "The version of this content."},
                "content_saved_at": {"$ref": "#/components/schemas/Time"},
                "content": {"$ref": "#/components/schemas/Content"},
                "sizes": {"type": "array", "items": {"$ref": "#/components/schemas/ContentSize"},
                  "description": "The default payload first, then by locale."},
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
            "type": "object", "additionalProperties": false, "description": "A made-up recipient.",
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
              "device": {"type": "string", "description": "An installation. Without device and person, the preview has no values."},
              "person": {"$ref": "#/components/schemas/Person"}
            }
          },
          "TemplatePreviewRequest": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "version": {"type": "integer", "minimum": 1, "description": "Without it: the newest."},
              "device": {"$ref": "#/components/schemas/ContentPreviewRequest/properties/device"},
              "person": {"$ref": "#/components/schemas/Person"}
            }
          },
          "Preview": {
            "type": "object", "required": ["selected", "would_send", "variants", "problems"],
            "properties": {
              "selected": {"$ref": "#/components/schemas/Count", "description": "The index of the variant that would be sent."},
              "would_send": {"type": "boolean", "description": "Whether the push would be sent."},
              "variants": {"type": "array", "items": {"allOf": [{"$ref": "#/components/schemas/ContentSize"}, {
                "type": "object", "required": ["payload", "length", "would_send", "missing", "problems"],
                "properties": {
                  "payload": {"type": ["object", "null"],
                    "description": "Has a message id of zeros, and ⟨names⟩ in place of missing values. Shown even if Apple would reject it."},
                  "length": {"$ref": "#/components/schemas/Count"}, "would_send": {"type": "boolean"},
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
              "template_version": {"type": "integer", "minimum": 1, "description": "Without it: the newest."},
              "content": {"$ref": "#/components/schemas/Content"},
              "push_type": {"anyOf": [{"$ref": "#/components/schemas/PushType"}, {"type": "null"}]},
              "priority": {"type": ["integer", "null"], "enum": [1, 5, 10, null]},
              "collapse_id": {"type": ["string", "null"], "minLength": 1, "maxLength": 64},
              "expiration_seconds": {"type": ["integer", "null"], "minimum": 0, "maximum": 2592000},
              "devices": {"type": "array", "minItems": 1, "maxItems": 20, "uniqueItems": true,
                "items": {"type": "string"}, "description": "Installations that are marked as test devices."},
              "token": {"type": "string", "pattern": "^([0-9A-Fa-f]{2}){1,200}$"},
              "environment": {"$ref": "#/components/schemas/Environment"},
              "person": {"$ref": "#/components/schemas/Person", "description": "The recipient for whom the token's push is composed."}
            }
          },
          "TestPushResults": {
            "type": "object", "required": ["data", "problems"],
            "properties": {
              "data": {"type": "array", "items": {"$ref": "#/components/schemas/TestPushResult"},
                "description": "In the order of the devices."},
              "problems": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"},
                "description": "Problems that Apple accepts but a person should know."}
            }
          },
          "TestPushResult": {
            "type": "object",
            "required": ["device", "nickname", "environment", "host", "state", "status", "reason", "invalid_since",
              "apns_id", "apns_unique_id", "meaning", "remedy"],
            "properties": {
              "device": {"type": ["string", "null"]}, "nickname": {"type": ["string", "null"]},
              "environment": {"$ref": "#/components/schemas/Environment"},
              "host": {"type": ["string", "null"], "description": "The APNs host; null if nothing was sent."},
              "state": {"type": "string", "enum": ["accepted", "rejected", "unknown", "not_sent", "suppressed"]},
              "status": {"type": ["integer", "null"]}, "reason": {"type": ["string", "null"]},
              "invalid_since": {"$ref": "#/components/schemas/TimeOrNull"},
              "apns_id": {"type": "string", "format": "uuid"},
              "apns_unique_id": {"type": ["string", "null"],
                "description": "For the delivery log of Apple's Push Notifications Console; only in development."},
              "meaning": {"type": "string"},
              "remedy": {"type": ["string", "null"], "description": "What to do; null if nothing needs to be done."}
            }
          }
        }
        """#
}
