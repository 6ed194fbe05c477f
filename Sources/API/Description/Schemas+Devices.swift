import Campaigns

extension Schemas {
    static let devices = #"""
        {
          "Authorization": {"type": "string",
            "enum": ["not_determined", "denied", "authorized", "provisional", "ephemeral"],
            "description": "UNAuthorizationStatus."},
          "DeviceKind": {"type": "string", "default": "alert",
            "enum": ["alert", "voip", "live-activity-start", "live-activity-update", "widget", "control",
              "complication", "location", "push-to-talk", "file-provider"],
            "description": "The purpose of the token. An installation has a device for each kind."},
          "Setting": {"type": "string", "enum": ["enabled", "disabled", "not-supported"]},
          "Settings": {"type": "object", "additionalProperties": false,
            "description": "UNNotificationSettings: how the device shows notifications.",
            "properties": {
              "alert": {"$ref": "#/components/schemas/Setting"}, "badge": {"$ref": "#/components/schemas/Setting"},
              "sound": {"$ref": "#/components/schemas/Setting"},
              "lock_screen": {"$ref": "#/components/schemas/Setting"},
              "notification_center": {"$ref": "#/components/schemas/Setting"},
              "car_play": {"$ref": "#/components/schemas/Setting"},
              "critical_alert": {"$ref": "#/components/schemas/Setting"},
              "announcement": {"$ref": "#/components/schemas/Setting"},
              "time_sensitive": {"$ref": "#/components/schemas/Setting"},
              "scheduled_delivery": {"$ref": "#/components/schemas/Setting"},
              "direct_messages": {"$ref": "#/components/schemas/Setting"}
            }},
          "Tag": {"type": "string", "minLength": 1, "maxLength": 64, "description": "At most 64 bytes."},
          "Token": {"type": "string", "pattern": "^([0-9a-fA-F]{2}){1,200}$", "writeOnly": true,
            "description": "The device token in hexadecimal, 1 to 200 bytes. No response contains the whole token."},
          "DeviceRegistration": {
            "type": "object", "required": ["token", "environment"], "additionalProperties": false,
            "properties": {
              "token": {"$ref": "#/components/schemas/Token"},
              "environment": {"$ref": "#/components/schemas/Environment"},
              "kind": {"$ref": "#/components/schemas/DeviceKind"},
              "activity": {"type": ["string", "null"], "minLength": 1, "maxLength": 200,
                "description": "The id of the Live Activity that a live-activity-update token updates."},
              "locale": {"type": ["string", "null"]}, "time_zone": {"type": ["string", "null"]},
              "os_version": {"type": ["string", "null"]}, "app_version": {"type": ["string", "null"]},
              "model": {"type": ["string", "null"]},
              "user_id": {"type": ["string", "null"], "minLength": 1, "maxLength": 200},
              "authorization": {"anyOf": [{"$ref": "#/components/schemas/Authorization"}, {"type": "null"}]},
              "settings": {"anyOf": [{"$ref": "#/components/schemas/Settings"}, {"type": "null"}],
                "description": "Replaces all settings."},
              "tags": {"type": ["array", "null"], "maxItems": 100, "items": {"$ref": "#/components/schemas/Tag"},
                "description": "Replaces all tags."},
              "opt_outs": {"type": ["array", "null"], "maxItems": 100,
                "items": {"$ref": "#/components/schemas/TopicKey"},
                "description": "Topics that the person has opted out of; replaces all. An unknown key is stored, with a warning."},
              "attributes": {"type": ["object", "null"],
                "description": "The app's own values, at most 50 and 4 KiB; replaces all. Names must not begin with $."},
              "is_test": {"type": "boolean", "description": "Whether the device can receive test pushes. Only with a secret key."},
              "nickname": {"type": ["string", "null"], "minLength": 1, "maxLength": 100,
                "description": "The display name of the device. Only with a secret key."}
            }
          },
          "DeviceChange": {
            "type": "object", "additionalProperties": false,
            "description": "`kind` and `activity` select one of the installation's devices.",
            "properties": {
              "token": {"$ref": "#/components/schemas/Token"},
              "environment": {"$ref": "#/components/schemas/Environment"},
              "kind": {"$ref": "#/components/schemas/DeviceKind"},
              "activity": {"$ref": "#/components/schemas/DeviceRegistration/properties/activity"},
              "locale": {"$ref": "#/components/schemas/DeviceRegistration/properties/locale"},
              "time_zone": {"$ref": "#/components/schemas/DeviceRegistration/properties/time_zone"},
              "os_version": {"$ref": "#/components/schemas/DeviceRegistration/properties/os_version"},
              "app_version": {"$ref": "#/components/schemas/DeviceRegistration/properties/app_version"},
              "model": {"$ref": "#/components/schemas/DeviceRegistration/properties/model"},
              "user_id": {"$ref": "#/components/schemas/DeviceRegistration/properties/user_id"},
              "authorization": {"$ref": "#/components/schemas/DeviceRegistration/properties/authorization"},
              "settings": {"$ref": "#/components/schemas/DeviceRegistration/properties/settings"},
              "tags": {"$ref": "#/components/schemas/DeviceRegistration/properties/tags"},
              "opt_outs": {"$ref": "#/components/schemas/DeviceRegistration/properties/opt_outs"},
              "attributes": {"$ref": "#/components/schemas/DeviceRegistration/properties/attributes"},
              "is_test": {"$ref": "#/components/schemas/DeviceRegistration/properties/is_test"},
              "nickname": {"$ref": "#/components/schemas/DeviceRegistration/properties/nickname"}
            }
          },
          "DeviceStored": {
            "type": "object", "required": ["id", "installation", "kind", "warnings"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "installation": {"type": "string"},
              "kind": {"$ref": "#/components/schemas/DeviceKind"},
              "warnings": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"},
                "description": "Values that were stored differently from the request."}
            }
          },
          "Device": {
            "type": "object",
            "required": ["id", "installation", "kind", "activity", "environment", "token_ending", "authorization",
              "settings", "user_id", "locale", "time_zone", "os_version", "app_version", "model", "tags", "opt_outs",
              "attributes", "is_test", "nickname", "created_at", "updated_at", "token_registered_at", "last_seen_at",
              "retired_at", "retired_reason"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "installation": {"type": "string"},
              "kind": {"$ref": "#/components/schemas/DeviceKind"}, "activity": {"type": ["string", "null"]},
              "environment": {"$ref": "#/components/schemas/Environment"},
              "token_ending": {"type": ["string", "null"],
                "description": "The end of the token, to identify it; null if the token now belongs to another device."},
              "authorization": {"$ref": "#/components/schemas/Authorization"},
              "settings": {"$ref": "#/components/schemas/Settings"},
              "user_id": {"type": ["string", "null"]},
              "locale": {"type": ["string", "null"]}, "time_zone": {"type": ["string", "null"]},
              "os_version": {"type": ["string", "null"]}, "app_version": {"type": ["string", "null"]},
              "model": {"type": ["string", "null"]},
              "tags": {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}},
              "opt_outs": {"type": "array", "items": {"$ref": "#/components/schemas/TopicKey"}},
              "attributes": {"type": "object"}, "is_test": {"type": "boolean"},
              "nickname": {"type": ["string", "null"]},
              "created_at": {"$ref": "#/components/schemas/Time"},
              "updated_at": {"$ref": "#/components/schemas/Time"},
              "token_registered_at": {"$ref": "#/components/schemas/Time"},
              "last_seen_at": {"$ref": "#/components/schemas/TimeOrNull"},
              "retired_at": {"$ref": "#/components/schemas/TimeOrNull"},
              "retired_reason": {"type": ["string", "null"],
                "enum": ["unregistered", "token_expired", "bad_token", "token_moved", "removed", null]}
            }
          },
          "DeviceList": {
            "type": "object", "required": ["data", "next_cursor"],
            "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/Device"}},
              "next_cursor": {"$ref": "#/components/schemas/Cursor"}}
          },
          "Acknowledgements": {
            "type": "object", "required": ["events"], "additionalProperties": false,
            "properties": {"events": {"type": "array", "minItems": 1, "maxItems": 1000,
              "items": {"$ref": "#/components/schemas/Acknowledgement"}}}
          },
          "Acknowledgement": {
            "type": "object", "required": ["id", "kind"],
            "properties": {
              "id": {"type": "string",
                "description": "The message id: the UUID that the payload has under the app's message_id_key."},
              "kind": {"type": "string", "enum": ["delivered", "opened"]},
              "at": {"$ref": "#/components/schemas/Time"}
            }
          },
          "AcknowledgementResult": {
            "type": "object", "required": ["stored", "duplicates", "failed"],
            "properties": {
              "stored": {"$ref": "#/components/schemas/Count"},
              "duplicates": {"$ref": "#/components/schemas/Count", "description": "Events that were already stored."},
              "failed": {"type": "array", "items": {
                "type": "object", "required": ["index", "code", "message"],
                "properties": {"index": {"$ref": "#/components/schemas/Count"}, "code": {"type": "string"},
                  "message": {"type": "string"}}}}
            }
          }
        }
        """#
}
