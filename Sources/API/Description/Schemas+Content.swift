import Application
import Campaigns
import Notifications

extension Schemas {
    static let categories = #"""
        {
          "LocalizedText": {
            "description": "One text, or texts by language with a default.",
            "anyOf": [{"type": "string", "minLength": 1},
              {"type": "object", "required": ["default"], "additionalProperties": {"type": "string", "minLength": 1}}],
            "examples": [{"default": "Reply", "zh-Hant": "回覆"}]
          },
          "CategoryOptions": {"type": "array", "items": {"type": "string", "enum": ["customDismissAction",
            "allowInCarPlay", "hiddenPreviewsShowTitle", "hiddenPreviewsShowSubtitle", "allowAnnouncement"]}},
          "CategoryAction": {
            "type": "object", "required": ["identifier", "title"], "additionalProperties": false,
            "properties": {
              "identifier": {"type": "string", "minLength": 1, "maxLength": 128},
              "title": {"$ref": "#/components/schemas/LocalizedText"},
              "options": {"type": "array", "items": {"type": "string",
                "enum": ["authenticationRequired", "destructive", "foreground"]}},
              "icon": {"type": ["object", "null"], "additionalProperties": false, "properties": {
                "system_image_name": {"type": "string"}, "template_image_name": {"type": "string"}}},
              "text_input": {"type": ["object", "null"], "additionalProperties": false, "required": ["button_title"],
                "properties": {"button_title": {"$ref": "#/components/schemas/LocalizedText"},
                  "placeholder": {"anyOf": [{"$ref": "#/components/schemas/LocalizedText"}, {"type": "null"}]}}}
            }
          },
          "CategoryNew": {
            "type": "object", "required": ["identifier"], "additionalProperties": false,
            "properties": {
              "identifier": {"type": "string", "minLength": 1, "maxLength": 128,
                "description": "The value of aps.category in payloads."},
              "actions": {"type": "array", "maxItems": 10, "items": {"$ref": "#/components/schemas/CategoryAction"}},
              "intent_identifiers": {"type": "array", "maxItems": 20, "items": {"type": "string"}},
              "hidden_previews_body_placeholder": {"anyOf": [{"$ref": "#/components/schemas/LocalizedText"},
                {"type": "null"}]},
              "category_summary_format": {"anyOf": [{"$ref": "#/components/schemas/LocalizedText"}, {"type": "null"}]},
              "options": {"$ref": "#/components/schemas/CategoryOptions"},
              "content_extension": {"type": ["object", "null"], "additionalProperties": false,
                "required": ["initial_content_size_ratio"],
                "properties": {
                  "initial_content_size_ratio": {"type": "number", "minimum": 0.01, "maximum": 10},
                  "default_content_hidden": {"type": "boolean"}, "overrides_default_title": {"type": "boolean"},
                  "user_interaction_enabled": {"type": "boolean"}}}
            }
          },
          "CategoryChange": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "identifier": {"$ref": "#/components/schemas/CategoryNew/properties/identifier"},
              "actions": {"$ref": "#/components/schemas/CategoryNew/properties/actions"},
              "intent_identifiers": {"$ref": "#/components/schemas/CategoryNew/properties/intent_identifiers"},
              "hidden_previews_body_placeholder":
                {"$ref": "#/components/schemas/CategoryNew/properties/hidden_previews_body_placeholder"},
              "category_summary_format":
                {"$ref": "#/components/schemas/CategoryNew/properties/category_summary_format"},
              "options": {"$ref": "#/components/schemas/CategoryNew/properties/options"},
              "content_extension": {"$ref": "#/components/schemas/CategoryNew/properties/content_extension"}
            }
          },
          "Category": {
            "type": "object",
            "required": ["id", "app_id", "identifier", "actions", "intent_identifiers", "options", "version",
              "warnings", "created_at", "updated_at"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "app_id": {"$ref": "#/components/schemas/ID"},
              "identifier": {"type": "string"},
              "actions": {"type": "array", "items": {"$ref": "#/components/schemas/CategoryAction"}},
              "intent_identifiers": {"type": "array", "items": {"type": "string"}},
              "options": {"$ref": "#/components/schemas/CategoryOptions"}, "version": {"type": "integer"},
              "warnings": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"},
                "description": "Includes conflicts with the app's other categories."},
              "created_at": {"$ref": "#/components/schemas/Time"}, "updated_at": {"$ref": "#/components/schemas/Time"}
            }
          },
          "CategoryList": {
            "type": "object", "required": ["data", "next_cursor"],
            "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/Category"}},
              "next_cursor": {"$ref": "#/components/schemas/Cursor"}}
          },
          "CategoryRegistration": {
            "type": "object", "required": ["form", "categories"],
            "description": "Ready to register: texts in one language, options as Apple's integers.",
            "properties": {"form": {"type": "string", "enum": ["un", "ios8"]},
              "categories": {"type": "array", "items": {"type": "object", "required": ["identifier"]}}}
          },
          "Source": {"type": "string"}
        }
        """#

    static let localPlans = #"""
        {
          "LocalNotification": {
            "type": "object", "required": ["identifier", "trigger", "content"], "additionalProperties": false,
            "properties": {
              "identifier": {"type": "string", "minLength": 1, "maxLength": 128},
              "trigger": {"type": "object", "required": ["type"], "properties": {
                "type": {"type": "string", "enum": ["interval", "calendar", "region", "app_update"]},
                "seconds": {"type": "number"}, "repeats": {"type": "boolean"},
                "components": {"type": "object"}, "time_zone": {"type": "string"},
                "identifier": {"type": "string"}, "latitude": {"type": "number"}, "longitude": {"type": "number"},
                "radius": {"type": "number"}, "on_entry": {"type": "boolean"}, "on_exit": {"type": "boolean"}},
                "examples": [{"type": "calendar", "components": {"hour": 8}, "repeats": true}]},
              "content": {"type": "object", "required": ["aps"], "additionalProperties": false, "properties": {
                "aps": {"type": "object"}, "user_info": {"type": "object"},
                "attachment_url": {"type": ["string", "null"]}}},
              "variants": {"type": "object", "maxProperties": 100,
                "description": "Complete contents by locale; a device gets the closest one, or else `content`.",
                "additionalProperties": {"$ref": "#/components/schemas/LocalNotification/properties/content"},
                "examples": [{"zh-Hant": {"aps": {"alert": "歡迎"}}}]}
            }
          },
          "LocalPlanNew": {
            "type": "object", "required": ["name", "notifications"], "additionalProperties": false,
            "properties": {
              "name": {"type": "string", "minLength": 1, "maxLength": 200},
              "notifications": {"type": "array", "maxItems": 64,
                "items": {"$ref": "#/components/schemas/LocalNotification"}},
              "archived": {"type": "boolean", "default": false, "description": "Devices no longer get it."}
            }
          },
          "LocalPlanChange": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "name": {"$ref": "#/components/schemas/LocalPlanNew/properties/name"},
              "notifications": {"$ref": "#/components/schemas/LocalPlanNew/properties/notifications"},
              "archived": {"$ref": "#/components/schemas/LocalPlanNew/properties/archived"}
            }
          },
          "LocalPlan": {
            "type": "object",
            "required": ["id", "app_id", "name", "notifications", "archived_at", "version", "warnings", "created_at",
              "updated_at"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "app_id": {"$ref": "#/components/schemas/ID"},
              "name": {"type": "string"},
              "notifications": {"type": "array", "items": {"$ref": "#/components/schemas/LocalNotification"}},
              "archived_at": {"$ref": "#/components/schemas/TimeOrNull"}, "version": {"type": "integer"},
              "warnings": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"}},
              "created_at": {"$ref": "#/components/schemas/Time"}, "updated_at": {"$ref": "#/components/schemas/Time"}
            }
          },
          "LocalPlanList": {
            "type": "object", "required": ["data", "next_cursor"],
            "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/LocalPlan"}},
              "next_cursor": {"$ref": "#/components/schemas/Cursor"}}
          },
          "ScheduledNotifications": {
            "type": "object", "required": ["notifications", "omitted_count"],
            "properties": {
              "notifications": {"type": "array", "maxItems": 64, "description": "The soonest first.",
                "items": {"type": "object", "required": ["identifier", "trigger", "content"]}},
              "omitted_count": {"$ref": "#/components/schemas/Count",
                "description": "The number of further notifications that are beyond the limit of 64."}
            }
          }
        }
        """#

    static let media = #"""
        {
          "File": {"type": "string", "format": "binary", "description":
            "JPEG, PNG or GIF up to 10 MB; WAV, AIFF, MP3 or M4A up to 5 MB; MP4, MPEG or AVI up to 50 MB."},
          "MediaLink": {
            "type": "object", "required": ["external_url"], "additionalProperties": false,
            "properties": {
              "external_url": {"type": "string", "maxLength": 2000, "pattern": "^[Hh][Tt][Tt][Pp][Ss]://"},
              "name": {"type": "string", "minLength": 1, "maxLength": 200}
            }
          },
          "Media": {
            "type": "object",
            "required": ["id", "app_id", "name", "url", "kind", "format", "content_type", "type_hint", "size",
              "sha256", "storage", "warnings", "created_at"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "app_id": {"$ref": "#/components/schemas/ID"},
              "name": {"type": "string"}, "url": {"type": "string", "description": "The address at which devices fetch it."},
              "kind": {"type": ["string", "null"], "enum": ["image", "audio", "video", null]},
              "format": {"type": ["string", "null"]}, "content_type": {"type": ["string", "null"]},
              "type_hint": {"type": ["string", "null"], "description": "Apple's uniform type identifier."},
              "size": {"type": ["integer", "null"]},
              "sha256": {"type": ["string", "null"], "description": "In hexadecimal; null for external files."},
              "storage": {"type": "string", "enum": ["database", "directory", "external"]},
              "warnings": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"}},
              "created_at": {"$ref": "#/components/schemas/Time"}
            }
          },
          "MediaList": {
            "type": "object", "required": ["data", "next_cursor"],
            "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/Media"}},
              "next_cursor": {"$ref": "#/components/schemas/Cursor"}}
          }
        }
        """#
}
