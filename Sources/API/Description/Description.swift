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
        Ids are strings. Times are RFC 3339. Lists go by the page: pass `next_cursor` as `cursor` until it is null. \
        Every error is a problem document (RFC 9457) with a stable `code`. An address that exists answers a method \
        that it does not have with 405 and `Allow`.
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
                    "description": "A secret API key, bfs_…, with the scopes that its maker gave it.",
                ],
                "publishableKey": [
                    "type": "http", "scheme": "bearer",
                    "description":
                        "A publishable API key, bfp_…: its app's devices, acknowledgements, topics, categories and local plans only.",
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
        let words: [(Int, String)] = [
            (400, "The request cannot be understood."), (401, "There is no usable API key."),
            (403, "The API key may not do this."), (404, "There is no such thing, or the key may not see it."),
            (405, "The address has no such method; Allow names those it has."),
            (409, "Its state forbids it, or it is taken."), (412, "It was changed in the meantime."),
            (413, "The body is too large."), (415, "The body is not of a type that is taken."),
            (416, "The range lies beyond the end."),
            (422, "The body's members are at fault; all of them are named."), (428, "If-Match is missing."),
            (503, "The database is away; nothing was stored. Retry-After says when to try again."),
        ]
        return words.map { status, words in
            var members: [JSON.Member] = [
                JSON.Member("description", .string(words)),
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

    /// The members of several objects as one.
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
