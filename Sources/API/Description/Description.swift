import HTTPServer
import HTTPTypes
import JSON
import Notifications

/// The OpenAPI 3.1 document.
enum Description {
    static let document: JSON = {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Belfry", "version": "1",
                "summary": "Push campaigns for iOS apps",
                "description": .string(about),
                "license": ["name": "MIT", "identifier": "MIT"],
            ],
            "servers": [["url": "/"]],
            "paths": .object(paths),
            "components": components,
        ]
    }()

    private static let about = """
        Ids are strings. Times are RFC 3339. Lists are paged: pass `next_cursor` as `cursor` until it is null. \
        Every error is a problem document (RFC 9457) with a stable `code`. An unsupported method gets 405 with `Allow`.
        """

    private static var paths: [JSON.Member] {
        var paths: [JSON.Member] = []
        for operation in Operation.all {
            let member = JSON.Member(operation.method.rawValue.lowercased(), operation.json)
            if let index = paths.firstIndex(where: { $0.key == operation.path }),
                case .object(let members) = paths[index].value
            {
                paths[index].value = .object(members + [member])
            } else {
                paths.append(JSON.Member(operation.path, .object([member])))
            }
        }
        return paths
    }

    private static var components: JSON {
        [
            "securitySchemes": [
                "secretKey": [
                    "type": "http", "scheme": "bearer",
                    "description": "A secret API key, bfs_…, with the scopes that were granted when it was created.",
                ],
                "publishableKey": [
                    "type": "http", "scheme": "bearer",
                    "description":
                        "A publishable API key, bfp_…: only devices, acknowledgements, topics, categories and plans.",
                ],
            ],
            "headers": [
                "ETag": ["description": "The version, for If-Match.", "schema": ["type": "string"]]
            ],
            "parameters": parse(Schemas.parameters),
            "responses": .object(problems),
            "schemas": parse(
                Schemas.common, Schemas.apps, Schemas.devices, Schemas.files, Schemas.campaigns, Schemas.runs,
                Schemas.categories, Schemas.localPlans, Schemas.media, Schemas.templates, Schemas.segments,
                Schemas.testPushes, Schemas.pushes),
        ]
    }

    private static var problems: [JSON.Member] {
        let descriptions: [(Int, String)] = [
            (400, "The request is malformed."), (401, "The API key is missing or invalid."),
            (403, "The API key has no permission for this."),
            (404, "The resource does not exist, or the key has no access to it."),
            (405, "The method is not supported; Allow lists the supported ones."),
            (409, "The state of the resource does not allow it, or a value is already in use."),
            (412, "The resource was changed in the meantime."),
            (413, "The body is too large."), (415, "The content type of the body is not supported."),
            (416, "The range is beyond the end of the content."),
            (422, "Members of the body are invalid; the response lists all of them."), (428, "If-Match is missing."),
            (503, "The server or its database is unavailable; Retry-After is the time to wait before a retry."),
        ]
        return descriptions.map { status, description in
            var members: [JSON.Member] = [
                JSON.Member("description", .string(description)),
                JSON.Member(
                    "content", ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]]),
            ]
            let header: String? =
                switch status {
                case 401: "WWW-Authenticate"
                case 405: "Allow"
                case 503: "Retry-After"
                default: nil
                }
            if let header {
                let schema: JSON = ["schema": ["type": "string"]]
                members.append(JSON.Member("headers", .object([JSON.Member(header, schema)])))
            }
            return JSON.Member(String(status), .object(members))
        }
    }

    /// Merges the members of several objects.
    private static func parse(_ texts: String...) -> JSON {
        var members: [JSON.Member] = []
        for text in texts {
            do throws(JSON.SyntaxError) {
                guard case .object(let more) = try JSON(parsing: text) else { continue }
                members += more
            } catch {
                preconditionFailure("a part of the API's description is not JSON: \(error)")
            }
        }
        return .object(members)
    }
}

struct DescriptionRoute: RouteGroup {
    func add(to routes: inout Routes) {
        let bytes = Description.document.encoded()
        routes.addOpen(.get, "/openapi.json") { _ in .json(bytes) }
    }
}
