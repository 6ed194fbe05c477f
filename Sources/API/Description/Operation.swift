import HTTPTypes
import JSON
import Notifications
import Store

/// One operation in the OpenAPI document. Most of its problem responses are derived from its other properties.
struct Operation {
    let method: HTTPRequest.Method
    let path: String
    /// The unique name that client generators use.
    let id: String
    let summary: String
    let tag: String
    let access: Access?
    /// Names of `components.parameters`, in addition to those in the path.
    var parameters: [String] = []
    /// A name of `components.schemas`.
    var body: String?
    var bodyTypes = ["application/json"]
    var isBodyOptional = false
    var status = 200
    /// A name of `components.schemas`; nil for a response without a body.
    var answer: String?
    var contentTypes = ["application/json"]
    /// Whether the response has an ETag.
    var isVersioned = false
    /// Bodies of other types, with their schemas.
    var otherBodies: [(type: String, schema: String)] = []
    /// Responses with other statuses, with their schemas.
    var otherAnswers: [(status: Int, schema: String)] = []
    /// Whether the status is 200 if the resource already exists.
    var isKnownAlready = false
    /// Whether the operation supports If-None-Match and may respond with 304.
    var isConditional = false
    /// Whether the operation supports ranges (RFC 9110 §14).
    var hasRanges = false
    /// Additional problem statuses.
    var problems: [Int] = []
    /// Examples of problem documents, with their names.
    var problemExamples: [(status: Int, name: String, example: JSON)] = []

    var json: JSON {
        var members: [JSON.Member] = [
            JSON.Member("operationId", .string(id)), JSON.Member("summary", .string(summary)),
            JSON.Member("tags", [.string(tag)]), JSON.Member("security", security),
        ]
        let conditions = (isConditional ? ["ifNoneMatch"] : []) + (hasRanges ? ["range"] : [])
        let parameters = pathParameters + self.parameters + conditions
        if !parameters.isEmpty {
            members.append(JSON.Member("parameters", .array(parameters.map { Self.reference("parameters", $0) })))
        }
        if let body {
            let others = otherBodies.map { JSON.Member($0.type, ["schema": Self.reference("schemas", $0.schema)]) }
            let content = JSON.object(Self.content(body, bodyTypes) + others)
            members.append(JSON.Member("requestBody", ["required": .bool(!isBodyOptional), "content": content]))
        }
        members.append(JSON.Member("responses", responses))
        return .object(members)
    }

    private var pathParameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    private var security: JSON {
        switch access {
        case nil: []
        case .secret: [["secretKey": []]]
        case .publishable: [["publishableKey": []], ["secretKey": []]]
        }
    }

    private var responses: JSON {
        var success: [JSON.Member] = [
            JSON.Member("description", .string(answer == nil ? "Success, without a body." : "Success."))
        ]
        if isVersioned { success.append(JSON.Member("headers", ["ETag": Self.reference("headers", "ETag")])) }
        if let answer { success.append(JSON.Member("content", .object(Self.content(answer, contentTypes)))) }
        var answers = [JSON.Member(String(status), .object(success))]
        for other in otherAnswers {
            let content = JSON.object(Self.content(other.schema, contentTypes))
            answers.append(JSON.Member(String(other.status), ["description": "Success.", "content": content]))
        }
        if isKnownAlready { answers.append(JSON.Member("200", .object(success))) }
        if hasRanges { answers.append(JSON.Member("206", .object(success))) }
        if isConditional { answers.append(JSON.Member("304", ["description": "The content has not changed."])) }
        return .object(answers + problemStatuses.map { JSON.Member(String($0), problem($0)) })
    }

    private func problem(_ status: Int) -> JSON {
        let examples = problemExamples.filter { $0.status == status }
        let reference = Self.reference("responses", "\(status)")
        guard !examples.isEmpty else { return reference }
        let named = examples.map { JSON.Member($0.name, ["value": $0.example]) }
        let content: JSON = ["schema": Self.reference("schemas", "Problem"), "examples": .object(named)]
        return [
            "description": .string("The request was refused; `code` is the reason."),
            "content": ["application/problem+json": content],
        ]
    }

    private var problemStatuses: [Int] {
        // An invalid escape in the URL, and a body that is too large for the route.
        var statuses: Set<Int> = [400, 413]
        statuses.formUnion(problems)
        if hasRanges { statuses.insert(416) }
        if access != nil { statuses.formUnion([401, 403, 503]) }
        if path.contains("{") { statuses.insert(404) }
        if body != nil { statuses.formUnion([415, 422]) }
        return statuses.sorted()
    }

    private static func content(_ schema: String, _ types: [String]) -> [JSON.Member] {
        types.map { JSON.Member($0, ["schema": reference("schemas", schema)]) }
    }

    private static func reference(_ kind: String, _ name: String) -> JSON {
        ["$ref": .string("#/components/\(kind)/\(name)")]
    }
}
