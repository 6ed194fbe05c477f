import Foundation
import HTTPTypes
import JSON
import TestSupport
import Testing

@testable import Belfry

/// Requests with canaries to each operation of the OpenAPI document, which has the router's routes (a test of the API
/// compares them). So a new route is included without a change here.
struct CanaryRequests {
    struct Request {
        let method: HTTPRequest.Method
        let path: String
        let headers: HTTPFields
        let body: [UInt8]
    }

    /// The maximum depth to which a body is generated from its schema.
    private static let maximumDepth = 6

    private let canaries: Canaries
    private let key: String
    private let document: JSON

    /// `key` is an administrator's.
    init(_ canaries: Canaries, key: String, document: JSON) {
        self.canaries = canaries
        self.key = key
        self.document = document
    }

    /// Deletions come last, and the app's own at the very end.
    func all() throws -> [Request] {
        var requests: [Request] = []
        var deletions: [(path: String, operation: JSON)] = []
        for path in try #require(document["paths"]?.membersOrNil) {
            for operation in try #require(path.value.membersOrNil) {
                if operation.key == "delete" {
                    deletions.append((path.key, operation.value))
                } else {
                    requests += try self.requests(operation.key, path.key, operation.value)
                }
            }
        }
        deletions.sort { $0.path.count > $1.path.count }
        return try requests + deletions.flatMap { try self.requests("delete", $0.path, $0.operation) }
    }

    private func requests(_ name: String, _ pattern: String, _ operation: JSON) throws -> [Request] {
        let method = try #require(HTTPRequest.Method(name.uppercased()))
        let parameters = (operation["parameters"]?.elements ?? []).map(resolved)
        let names = parameters.filter { $0["in"]?.text == "query" }.compactMap { $0["name"]?.text }
        let known = path(pattern) {
            $0 == "installation" ? canaries.installation : $0 == "user_id" ? canaries.userID : "1"
        }
        let strange = path(pattern) { $0 == "app" ? "1" : $0 == "name" ? canaries.token : canaries.installation }
        let query = names.map { "\($0)=\($0 == "user_id" ? canaries.userID : canaries.token)" }
        let bodies = bodies(of: operation)
        // An endless answer is asked for only with an ID that does not exist.
        let isStream = operation["responses"]?["200"]?["content"]?["text/event-stream"] != nil
        var requests = bodies.map { request(method, strange, $0.type, $0.body) }
        if !isStream { requests += bodies.map { request(method, known, $0.type, $0.body) } }
        requests.append(request(method, strange + "?unknown=\(canaries.password)", nil, ""))
        for part in query { requests.append(request(method, strange + "?" + part, nil, "")) }
        requests.append(request(method, known, nil, "", key: canaries.apiKey))
        requests.append(request(method, known, nil, "", key: canaries.password + " " + canaries.apiKey))
        return requests
    }

    private func path(_ pattern: String, _ value: (String) -> String) -> String {
        pattern.split(separator: "/").reduce(into: "") { path, part in
            path += "/" + (part.hasPrefix("{") ? value(String(part.dropFirst().dropLast())) : String(part))
        }
    }

    private func request(
        _ method: HTTPRequest.Method, _ path: String, _ type: String?, _ body: String, key: String? = nil
    ) -> Request {
        var headers: HTTPFields = [
            .authorization: "Bearer \(key ?? self.key)", .cookie: "session=\(canaries.cookie)",
            .referer: "https://example.com/?token=\(canaries.token)", .userAgent: canaries.attribute,
            .ifMatch: "\"\(canaries.password)\"",
        ]
        headers[.contentType] = type
        return Request(method: method, path: path, headers: headers, body: Array(body.utf8))
    }

    // MARK: Bodies

    /// One that follows the schema, and several that must be refused.
    private func bodies(of operation: JSON) -> [(type: String?, body: String)] {
        let contents = operation["requestBody"]?["content"]?.membersOrNil ?? []
        guard !contents.isEmpty else { return [(nil, "")] }
        let anything = """
            {"token": "\(canaries.token)", "p8": \(JSON.string(canaries.p8)), "password": "\(canaries.password)",
            "installation": "\(canaries.installation)", "user_id": "\(canaries.userID)",
            "attributes": {"name": "\(canaries.attribute)"}, "key": "\(canaries.apiKey)"
            """
        return contents.flatMap { content -> [(type: String?, body: String)] in
            guard content.key == "application/json" else {
                let line = [canaries.token, canaries.userID, canaries.installation, canaries.attribute]
                return [
                    (content.key, "token,user_id,installation,name\n" + line.joined(separator: ",") + "\n"),
                    (content.key, "installation,token,environment\n\"\(canaries.token)"),
                    (content.key, anything + "}\n"),
                ]
            }
            let schema = content.value["schema"] ?? .null
            let accepted = value(of: schema, named: "", depth: 0)
            let wrong = wrongValue(of: schema, [canaries.token, canaries.apiKey, canaries.password])
            return [
                ("application/json", "\(accepted)"), ("application/json", "\(wrong)"),
                ("application/json", anything + "}"),
                ("application/json", anything), ("application/json", "\"\(canaries.token)\""),
                ("application/json", anything + ", \"more\": \"\\u0000\(canaries.token)\"}"),
                ("text/\(canaries.token)", anything),
            ]
        }
    }

    private func resolved(_ json: JSON) -> JSON {
        guard let reference = json["$ref"]?.text else { return json }
        return resolved(reference.dropFirst(2).split(separator: "/").reduce(document) { $0[String($1)] ?? .null })
    }

    /// A value that follows the schema, with canaries where a text is free.
    private func value(of schema: JSON, named name: String, depth: Int) -> JSON {
        let schema = resolved(schema)
        for key in ["const", "default"] { if let value = schema[key] { return value } }
        if let first = schema["enum"]?.elements.first { return first }
        for key in ["anyOf", "oneOf", "allOf"] {
            if let first = schema[key]?.elements.first { return value(of: first, named: name, depth: depth) }
        }
        let type = schema["type"]?.text ?? schema["type"]?.elements.first?.text
        switch type {
        case "integer", "number": return schema["minimum"] ?? 1
        case "boolean": return true
        case "array": return .array([value(of: schema["items"] ?? .null, named: name, depth: depth + 1)])
        case "string": return .string(text(schema, name))
        default:
            guard depth < Self.maximumDepth else { return [:] }
            let properties = schema["properties"]?.membersOrNil ?? []
            guard !properties.isEmpty else { return ["name": .string(canaries.attribute)] }
            return .object(
                properties.map { JSON.Member($0.key, value(of: $0.value, named: $0.key, depth: depth + 1)) })
        }
    }

    /// An object with the right members, whose values are texts that belong elsewhere.
    private func wrongValue(of schema: JSON, _ texts: [String]) -> JSON {
        let schema = resolved(schema)
        let first = schema["oneOf"]?.elements.first.map(resolved)
        let members = (schema["properties"] ?? first?["properties"])?.membersOrNil ?? []
        return .object(
            members.enumerated().map { index, member in JSON.Member(member.key, .string(texts[index % texts.count])) })
    }

    private func text(_ schema: JSON, _ name: String) -> String {
        switch name {
        case _ where name.contains("token"): canaries.token
        case _ where name.contains("installation"): canaries.installation
        case _ where name.contains("user_id"): canaries.userID
        case "p8": canaries.p8
        case "key_id", "team_id": "ABCDEFGHIJ"
        case _ where name.contains("password") || name.contains("secret"): canaries.password
        case _ where schema["format"]?.text == "date-time": "2099-01-01T00:00:00Z"
        case _ where schema["pattern"] != nil: "1"
        default: canaries.attribute
        }
    }
}

extension JSON {
    fileprivate var membersOrNil: [JSON.Member]? {
        if case .object(let members) = self { members } else { nil }
    }
}
