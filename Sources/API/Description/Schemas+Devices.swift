extension Schemas {
    static let devices = #"""
        {
          "Authorization": {"type": "string",
            "enum": ["not_determined", "denied", "authorized", "provisional", "ephemeral"],
            "description": "UNAuthorizationStatus."},
          "Token": {"type": "string", "pattern": "^([0-9a-fA-F]{2}){1,200}$", "writeOnly": true,
            "description": "The device token in hexadecimal, 1 to 200 bytes. It is never given back whole."},
          "DeviceRegistration": {
            "type": "object", "required": ["token", "environment"], "additionalProperties": false,
            "properties": {
              "token": {"$ref": "#/components/schemas/Token"},
              "environment": {"$ref": "#/components/schemas/Environment"},
              "locale": {"type": ["string", "null"]}, "time_zone": {"type": ["string", "null"]},
              "os_version": {"type": ["string", "null"]}, "app_version": {"type": ["string", "null"]},
              "model": {"type": ["string", "null"]},
              "user_id": {"type": ["string", "null"], "minLength": 1, "maxLength": 200},
              "authorization": {"anyOf": [{"$ref": "#/components/schemas/Authorization"}, {"type": "null"}]},
              "attributes": {"type": ["object", "null"]}
            }
          },
          "DeviceChange": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "token": {"$ref": "#/components/schemas/Token"},
              "environment": {"$ref": "#/components/schemas/Environment"},
              "locale": {"$ref": "#/components/schemas/DeviceRegistration/properties/locale"},
              "time_zone": {"$ref": "#/components/schemas/DeviceRegistration/properties/time_zone"},
              "os_version": {"$ref": "#/components/schemas/DeviceRegistration/properties/os_version"},
              "app_version": {"$ref": "#/components/schemas/DeviceRegistration/properties/app_version"},
              "model": {"$ref": "#/components/schemas/DeviceRegistration/properties/model"},
              "user_id": {"$ref": "#/components/schemas/DeviceRegistration/properties/user_id"},
              "authorization": {"$ref": "#/components/schemas/DeviceRegistration/properties/authorization"},
              "attributes": {"$ref": "#/components/schemas/DeviceRegistration/properties/attributes"}
            }
          },
          "Device": {
            "type": "object", "required": ["id"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ID"}, "installation": {"type": "string"},
              "environment": {"$ref": "#/components/schemas/Environment"},
              "locale": {"type": ["string", "null"]}, "time_zone": {"type": ["string", "null"]},
              "os_version": {"type": ["string", "null"]}, "app_version": {"type": ["string", "null"]},
              "model": {"type": ["string", "null"]}, "user_id": {"type": ["string", "null"]},
              "authorization": {"$ref": "#/components/schemas/Authorization"},
              "attributes": {"type": "object"}
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
            "type": "object", "required": ["stored", "known", "refused"],
            "properties": {
              "stored": {"$ref": "#/components/schemas/Count"},
              "known": {"$ref": "#/components/schemas/Count", "description": "Were told before."},
              "refused": {"type": "array", "items": {
                "type": "object", "required": ["index", "code", "message"],
                "properties": {"index": {"$ref": "#/components/schemas/Count"}, "code": {"type": "string"},
                  "message": {"type": "string"}}}}
            }
          }
        }
        """#
}
