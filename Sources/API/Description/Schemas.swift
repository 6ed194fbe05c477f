import Campaigns
import JSON

/// The parameters, request bodies and responses, in JSON Schema 2020-12.
enum Schemas {
    static let parameters = #"""
        {
          "app": {"name": "app", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/ID"}},
          "credential": {"name": "credential", "in": "path", "required": true,
            "schema": {"$ref": "#/components/schemas/ID"}},
          "key": {"name": "key", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/ID"}},
          "campaign": {"name": "campaign", "in": "path", "required": true,
            "schema": {"$ref": "#/components/schemas/ID"}},
          "run": {"name": "run", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/ID"}},
          "template": {"name": "template", "in": "path", "required": true,
            "schema": {"$ref": "#/components/schemas/ID"}},
          "segment": {"name": "segment", "in": "path", "required": true,
            "schema": {"$ref": "#/components/schemas/ID"}},
          "installation": {"name": "installation", "in": "path", "required": true,
            "description": "A random secret that the app makes and keeps.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 200}},
          "category": {"name": "category", "in": "path", "required": true,
            "schema": {"$ref": "#/components/schemas/ID"}},
          "plan": {"name": "plan", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/ID"}},
          "media": {"name": "media", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/ID"}},
          "capability": {"name": "capability", "in": "path", "required": true, "schema": {"type": "string"}},
          "name": {"name": "name", "in": "path", "required": true, "schema": {"type": "string"}},
          "mediaName": {"name": "name", "in": "query", "description": "The display name of the file.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 200}},
          "locale": {"name": "locale", "in": "query", "description": "The language of the texts; without it, the default texts.",
            "schema": {"type": "string"}, "example": "zh-Hant-HK"},
          "timeZone": {"name": "time_zone", "in": "query",
            "description": "The device's time zone; an unknown one is replaced by the app's default.", "schema": {"type": "string"},
            "example": "Europe/Berlin"},
          "form": {"name": "form", "in": "query",
            "description": "un: UserNotifications, from iOS 10. ios8: UIMutableUserNotificationCategory.",
            "schema": {"type": "string", "enum": ["un", "ios8"], "default": "un"}},
          "language": {"name": "language", "in": "query",
            "description": "strings is a Localizable.strings in the locale given.",
            "schema": {"type": "string", "enum": ["swift", "objective-c", "info-plist", "strings"],
              "default": "swift"}},
          "ifNoneMatch": {"name": "If-None-Match", "in": "header", "description": "The ETag of the content that the client already has.",
            "schema": {"type": "string"}},
          "range": {"name": "Range", "in": "header", "schema": {"type": "string"}, "example": "bytes=0-1023"},
          "limit": {"name": "limit", "in": "query",
            "schema": {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}},
          "cursor": {"name": "cursor", "in": "query", "description": "The next_cursor of the page before.",
            "schema": {"type": "string"}},
          "userID": {"name": "user_id", "in": "query", "schema": {"type": "string", "minLength": 1, "maxLength": 200}},
          "tag": {"name": "tag", "in": "query", "schema": {"$ref": "#/components/schemas/Tag"}},
          "test": {"name": "test", "in": "query", "description": "Test devices only, or none of them.",
            "schema": {"type": "boolean"}},
          "deviceKind": {"name": "kind", "in": "query", "schema": {"$ref": "#/components/schemas/DeviceKind"}},
          "activity": {"name": "activity", "in": "query",
            "description": "The Live Activity of a device of the kind live-activity-update.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 200}},
          "fileFormat": {"name": "format", "in": "query",
            "schema": {"type": "string", "enum": ["csv", "ndjson"], "default": "csv"}},
          "tokens": {"name": "tokens", "in": "query",
            "description": "Include device tokens; requires the scope devices:tokens. A file without tokens changes existing devices and adds none.",
            "schema": {"type": "boolean", "default": false}},
          "user_id": {"name": "user_id", "in": "path", "required": true,
            "schema": {"type": "string", "minLength": 1, "maxLength": 200}},
          "topic": {"name": "topic", "in": "path", "required": true,
            "schema": {"$ref": "#/components/schemas/TopicKey"}},
          "kind": {"name": "kind", "in": "query", "schema": {"$ref": "#/components/schemas/OutcomeKind"}},
          "reason": {"name": "reason", "in": "query", "schema": {"type": "string"}},
          "version": {"name": "version", "in": "query", "description": "Without it: the newest.",
            "schema": {"type": "integer", "minimum": 1}},
          "archived": {"name": "archived", "in": "query", "description": "Archived ones, or the others.",
            "schema": {"type": "boolean", "default": false}},
          "ifMatch": {"name": "If-Match", "in": "header", "required": true,
            "description": "The ETag of the resource, or *.", "schema": {"type": "string"}},
          "ifMatchOptional": {"name": "If-Match", "in": "header",
            "description": "The ETag of the resource. If there is a newer version, nothing is done.",
            "schema": {"type": "string"}},
          "push": {"name": "push", "in": "path", "required": true,
            "description": "The id of a request or of a message.", "schema": {"type": "string"}},
          "idempotencyKey": {"name": "Idempotency-Key", "in": "header",
            "description": "Identifies the request. A repetition with the same body within 24 hours gets the same response and sends nothing again; with another body it is refused.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255}},
          "triggerKey": {"name": "Idempotency-Key", "in": "header",
            "description": "Identifies the run for as long as the run is stored. A repetition with the same body gets the same run; with another body it is refused. A new run needs a new key.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255}}
        }
        """#

    static let common = #"""
        {
          "ID": {"type": "string", "pattern": "^[1-9][0-9]{0,18}$", "examples": ["12"]},
          "Time": {"type": "string", "format": "date-time", "examples": ["2026-11-21T10:00:00.000Z"]},
          "TimeOrNull": {"anyOf": [{"$ref": "#/components/schemas/Time"}, {"type": "null"}]},
          "Count": {"type": "integer", "minimum": 0},
          "Cursor": {"type": ["string", "null"], "description": "Null at the end."},
          "Status": {"type": "object", "required": ["status"], "properties": {"status": {"type": "string"}}},
          "Document": {"type": "object", "required": ["openapi", "paths"]},
          "Events": {"type": "string",
            "description": "Server-sent events; the data of each is a Run. \"progress\" events also have the rate per second."},
          "Problem": {
            "type": "object", "required": ["type", "title", "status", "code", "detail"],
            "properties": {
              "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"},
              "code": {"type": "string", "pattern": "^[a-z0-9-]+$", "description": "Stable, for programs."},
              "detail": {"type": "string", "description": "For people."},
              "field": {"type": "string", "description": "The invalid member or parameter, if there is only one."},
              "problems": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"}},
              "request_id": {"type": "string", "description": "The id of the request in the server's log."}
            }
          },
          "FieldProblem": {
            "type": "object", "required": ["path", "code", "message", "severity"],
            "properties": {
              "path": {"type": "string", "examples": ["payload.aps.badge"]}, "code": {"type": "string"},
              "message": {"type": "string"},
              "severity": {"type": "string", "enum": ["error", "warning", "note"],
                "description": "Only errors prevent saving and sending."}
            }
          }
        }
        """#

    static let apps = #"""
        {
          "AppNew": {
            "type": "object", "required": ["name", "bundle_id"], "additionalProperties": false,
            "properties": {
              "name": {"type": "string", "minLength": 1, "maxLength": 100},
              "bundle_id": {"type": "string", "maxLength": 155, "pattern": "^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$",
                "examples": ["com.example.Shop"]},
              "message_id_key": {"type": "string", "minLength": 1, "maxLength": 32, "default": "i",
                "description": "The key beside aps under which a payload carries its message id."},
              "default_locale": {"type": "string", "minLength": 1, "maxLength": 35, "pattern": "^[A-Za-z0-9-]+$",
                "default": "en"},
              "default_time_zone": {"type": "string", "minLength": 1, "maxLength": 64, "default": "UTC"},
              "attachment_url_key": {"type": "string", "minLength": 1, "maxLength": 32, "default": "attachment-url",
                "description": "The key beside aps under which a payload carries the address of its media."},
              "attachment_type_key": {"type": ["string", "null"], "minLength": 1, "maxLength": 32,
                "default": "attachment-type",
                "description": "The key for image, audio or video; null if the app detects the type itself."},
              "quiet_hours": {"$ref": "#/components/schemas/QuietHours"},
              "frequency_cap": {"$ref": "#/components/schemas/FrequencyCap"},
              "pushes_per_second": {"$ref": "#/components/schemas/PushesPerSecond"}
            }
          },
          "QuietHours": {
            "type": ["object", "null"], "required": ["from", "to"], "additionalProperties": false,
            "description": "In each recipient's local time, campaigns are held until the end (hold), skip the recipient (skip) or are sent (send).",
            "properties": {
              "from": {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$", "examples": ["22:00"]},
              "to": {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$", "examples": ["08:00"]},
              "policy": {"type": "string", "enum": ["hold", "skip", "send"], "default": "hold"}
            }
          },
          "FrequencyCap": {
            "type": ["object", "null"], "required": ["count", "days"], "additionalProperties": false,
            "description": "The maximum number of campaign pushes that a device gets within this number of days, less an hour and a half: a daily push is never exactly on time.",
            "properties": {
              "count": {"type": "integer", "minimum": 1, "maximum": 100},
              "days": {"type": "integer", "minimum": 1, "maximum": 90}
            }
          },
          "AppChange": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "name": {"$ref": "#/components/schemas/AppNew/properties/name"},
              "bundle_id": {"$ref": "#/components/schemas/AppNew/properties/bundle_id"},
              "message_id_key": {"$ref": "#/components/schemas/AppNew/properties/message_id_key"},
              "default_locale": {"$ref": "#/components/schemas/AppNew/properties/default_locale"},
              "default_time_zone": {"$ref": "#/components/schemas/AppNew/properties/default_time_zone"},
              "attachment_url_key": {"$ref": "#/components/schemas/AppNew/properties/attachment_url_key"},
              "attachment_type_key": {"$ref": "#/components/schemas/AppNew/properties/attachment_type_key"},
              "quiet_hours": {"$ref": "#/components/schemas/QuietHours"},
              "frequency_cap": {"$ref": "#/components/schemas/FrequencyCap"},
              "pushes_per_second": {"$ref": "#/components/schemas/PushesPerSecond"}
            }
          },
          "App": {
            "type": "object",
            "required": ["id", "name", "bundle_id", "message_id_key", "default_locale", "default_time_zone",
              "attachment_url_key", "attachment_type_key", "quiet_hours", "frequency_cap", "pushes_per_second", "version",
              "created_at", "updated_at"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "name": {"type": "string"}, "bundle_id": {"type": "string"},
              "message_id_key": {"type": "string"}, "default_locale": {"type": "string"},
              "default_time_zone": {"type": "string"}, "attachment_url_key": {"type": "string"},
              "attachment_type_key": {"type": ["string", "null"]},
              "quiet_hours": {"$ref": "#/components/schemas/QuietHours"},
              "frequency_cap": {"$ref": "#/components/schemas/FrequencyCap"},
              "pushes_per_second": {"$ref": "#/components/schemas/PushesPerSecond"}, "version": {"type": "integer"},
              "created_at": {"$ref": "#/components/schemas/Time"}, "updated_at": {"$ref": "#/components/schemas/Time"}
            }
          },
          "AppList": {
            "type": "object", "required": ["data", "next_cursor"],
            "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/App"}},
              "next_cursor": {"$ref": "#/components/schemas/Cursor"}}
          },
          "CredentialNew": {
            "type": "object", "required": ["key_id", "team_id", "p8", "environments"], "additionalProperties": false,
            "properties": {
              "key_id": {"type": "string", "pattern": "^[A-Z0-9]{10}$"},
              "team_id": {"type": "string", "pattern": "^[A-Z0-9]{10}$"},
              "p8": {"type": "string", "minLength": 1, "maxLength": 4096, "writeOnly": true,
                "description": "The text of the file. No response contains it."},
              "environments": {"type": "array", "minItems": 1,
                "items": {"$ref": "#/components/schemas/Environment"}}
            }
          },
          "Environment": {"type": "string", "enum": ["production", "development"]},
          "Credential": {
            "type": "object", "required": ["id", "app_id", "key_id", "team_id", "environments", "created_at"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "app_id": {"$ref": "#/components/schemas/ID"},
              "key_id": {"type": "string"}, "team_id": {"type": "string"},
              "environments": {"type": "array", "items": {"$ref": "#/components/schemas/Environment"}},
              "created_at": {"$ref": "#/components/schemas/Time"}
            }
          },
          "CredentialList": {
            "type": "object", "required": ["data", "next_cursor"],
            "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/Credential"}},
              "next_cursor": {"$ref": "#/components/schemas/Cursor"}}
          },
          "Scope": {"type": "string", "enum": ["apps:read", "apps:write", "devices:read", "devices:write",
            "devices:tokens", "campaigns:read", "campaigns:write", "campaigns:send", "content:read", "content:write",
            "test-pushes:send", "pushes:send", "keys"]},
          "KeyNew": {
            "type": "object", "required": ["name", "kind"], "additionalProperties": false,
            "properties": {
              "name": {"type": "string", "minLength": 1, "maxLength": 100},
              "kind": {"type": "string", "enum": ["secret", "publishable"]},
              "scopes": {"type": "array", "items": {"$ref": "#/components/schemas/Scope"},
                "description": "Required for secret keys. A key can only grant scopes that it has."}
            }
          },
          "Key": {
            "type": "object", "required": ["id", "app_id", "name", "kind", "scopes", "prefix", "created_at", "revoked_at"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "app_id": {"$ref": "#/components/schemas/ID"},
              "name": {"type": "string"}, "kind": {"type": "string"},
              "scopes": {"type": "array", "items": {"$ref": "#/components/schemas/Scope"}},
              "prefix": {"type": "string", "description": "The beginning of the key, to identify it."},
              "created_at": {"$ref": "#/components/schemas/Time"},
              "revoked_at": {"$ref": "#/components/schemas/TimeOrNull"}
            }
          },
          "KeyWithSecret": {
            "allOf": [{"$ref": "#/components/schemas/Key"},
              {"type": "object", "required": ["key"], "properties": {"key": {"type": "string"}}}]
          },
          "KeyList": {
            "type": "object", "required": ["data", "next_cursor"],
            "properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/Key"}},
              "next_cursor": {"$ref": "#/components/schemas/Cursor"}}
          }
        }
        """#
}
